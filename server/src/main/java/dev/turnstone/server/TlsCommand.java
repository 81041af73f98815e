package dev.turnstone.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code turnstone tls}: certificates for development. */
@Command(
        name = "tls",
        mixinStandardHelpOptions = true,
        description = "Make certificates for development.",
        subcommands = TlsCommand.DevCert.class)
final class TlsCommand implements Runnable {
    @Spec
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "what about TLS? dev-cert; see --help");
    }

    /** Has the JDK's keytool make it: the JDK itself has no public class that signs certificates. */
    @Command(
            name = "dev-cert",
            mixinStandardHelpOptions = true,
            description = "Make a certificate for this machine that vouches for itself, valid for a year: as PEM"
                    + " (NAME.pem, NAME.key) and as PKCS #12 (NAME.p12, NAME.password). Not for production.")
    static final class DevCert implements Runnable {
        private static final long KEYTOOL_SECONDS = 60;
        private static final String OWNER_ONLY = "rw-------";
        private static final List<String> ENDS = List.of(".p12", ".password", ".pem", ".key");
        private static final String IPV4 = "\\d{1,3}(\\.\\d{1,3}){3}";
        private static final String IPV6 = "[0-9A-Fa-f]*:[0-9A-Fa-f:]+";

        @Spec
        private CommandSpec spec;

        @Option(
                names = "--folder",
                paramLabel = "DIR",
                defaultValue = ".",
                description = "Where to put the files; here, if not given.")
        private Path folder;

        @Option(
                names = "--name",
                paramLabel = "NAME",
                defaultValue = "dev",
                description = "The name of the files; ${DEFAULT-VALUE}.")
        private String name;

        @Option(
                names = "--host",
                paramLabel = "HOST",
                description = "One more name or address by which clients call, besides localhost; may be repeated.")
        private List<String> hosts = new ArrayList<>();

        @Mixin
        private JsonOption json = new JsonOption();

        @Override
        public void run() {
            for (String host : hosts) {
                if (!host.matches("[A-Za-z0-9*]([A-Za-z0-9.-]*[A-Za-z0-9])?|" + IPV6)) {
                    throw new StartException("'" + host + "' is no host name");
                }
            }
            if (!name.matches("[A-Za-z0-9][A-Za-z0-9._-]*")) {
                throw new StartException("'" + name + "' is no name of files");
            }
            try {
                make();
            } catch (IOException | GeneralSecurityException e) {
                throw new StartException("the certificate cannot be made: " + e.getMessage(), e);
            }
        }

        private void make() throws IOException, GeneralSecurityException {
            for (String end : ENDS) {
                if (Files.exists(folder.resolve(name + end))) {
                    throw new StartException(folder.resolve(name + end) + " is there already; --name names others");
                }
            }
            Files.createDirectories(folder);
            boolean made = false;
            try {
                makeFiles();
                made = true;
            } finally {
                for (String end : made ? List.<String>of() : ENDS) {
                    Files.deleteIfExists(folder.resolve(name + end));
                }
            }
            if (json.wanted()) {
                spec.commandLine().getOut().println(line(folder.toRealPath()));
                return;
            }
            spec.commandLine()
                    .getOut()
                    .println("made " + name + ".pem and " + name + ".key, and the same as " + name + ".p12 with " + name
                            + ".password, in " + folder.toRealPath());
        }

        private void makeFiles() throws IOException, GeneralSecurityException {
            Path store = folder.resolve(name + ".p12");
            String password = password();
            Path passwordFile = secret(name + ".password", password + "\n");
            keytool(store, passwordFile);
            KeyStore made = KeyStore.getInstance(store.toFile(), password.toCharArray());
            byte[] key = made.getKey(name, password.toCharArray()).getEncoded();
            Files.writeString(
                    folder.resolve(name + ".pem"),
                    pem("CERTIFICATE", made.getCertificate(name).getEncoded()));
            secret(name + ".key", pem("PRIVATE KEY", key));
        }

        private String line(Path in) {
            return Json.text(writer -> {
                writer.writeStartObject();
                writer.writeStringField("certificate", in.resolve(name + ".pem").toString());
                writer.writeStringField("key", in.resolve(name + ".key").toString());
                writer.writeStringField("keystore", in.resolve(name + ".p12").toString());
                writer.writeStringField(
                        "passwordFile", in.resolve(name + ".password").toString());
                writer.writeEndObject();
            });
        }

        private static String password() {
            byte[] random = new byte[18];
            new SecureRandom().nextBytes(random);
            return Base64.getUrlEncoder().encodeToString(random);
        }

        private Path secret(String file, String text) throws IOException {
            Path path = folder.resolve(file);
            if (Files.getFileStore(folder).supportsFileAttributeView("posix")) {
                Files.createFile(
                        path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(OWNER_ONLY)));
            }
            return Files.writeString(path, text);
        }

        private static String pem(String what, byte[] encoded) {
            String lines = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
            return "-----BEGIN " + what + "-----\n" + lines + "\n-----END " + what + "-----\n";
        }

        private void keytool(Path store, Path passwordFile) throws IOException {
            StringBuilder names = new StringBuilder("san=dns:localhost,ip:127.0.0.1");
            for (String host : hosts) {
                boolean address = host.matches(IPV4) || host.matches(IPV6);
                names.append(address ? ",ip:" : ",dns:").append(host);
            }
            List<String> command = new ArrayList<>();
            command.add(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
            command.addAll(List.of("-genkeypair", "-alias", name, "-keyalg", "EC", "-groupname", "secp256r1"));
            command.addAll(List.of("-dname", "CN=" + (hosts.isEmpty() ? "localhost" : hosts.get(0))));
            command.addAll(List.of("-validity", "365", "-ext", names.toString(), "-storetype", "PKCS12"));
            // From a file, since everybody on the machine can read a command line.
            command.addAll(List.of("-storepass:file", passwordFile.toString(), "-keystore", store.toString()));
            Process keytool =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            try {
                if (!keytool.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || keytool.exitValue() != 0) {
                    throw new IOException("keytool: " + said.strip());
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
            if (Files.getFileStore(store).supportsFileAttributeView("posix")) {
                Files.setPosixFilePermissions(store, PosixFilePermissions.fromString(OWNER_ONLY));
            }
        }
    }
}
