package dev.turnstone.server.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * The file that keeps the users: UTF-8 text, one user a line, {@code NAME:HASH:ROLE,ROLE}; empty lines and those that
 * start with # are comments. Any thread; a change is made under a lock between processes and is whole or not at all.
 */
public final class UsersFile {
    private static final String HEAD =
            "# Users of a Turnstone broker: NAME:HASH:ROLE,ROLE; 'turnstone user' changes it.\n";
    private static final String SUPERUSER = "root";
    private static final long BYTES_MAX = 64L << 20;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");

    /** The lock of the file is between processes; this one is between threads. */
    private static final Object CHANGING = new Object();

    private final Path path;

    /** The file there; it need not exist before the first change. */
    public UsersFile(Path path) {
        this.path = path;
    }

    /** Whether it is there yet. */
    boolean exists() {
        return Files.exists(path);
    }

    /**
     * The users by name.
     *
     * @throws BrokerException INVALID_CONFIGURATION if the file cannot be read or a line is wrong, naming the line
     */
    Map<String, User> read() {
        try {
            if (Files.size(path) > BYTES_MAX) {
                throw invalid(path + ": larger than " + BYTES_MAX + " bytes", null);
            }
            return parse(Files.readString(path, UTF_8));
        } catch (NoSuchFileException e) {
            throw invalid(path + ": there is no such users file; 'turnstone user add' makes it", e);
        } catch (IOException e) {
            throw invalid(path + ": the users file cannot be read: " + e, e);
        }
    }

    private Map<String, User> parse(String text) {
        Map<String, User> users = new TreeMap<>();
        List<String> lines = text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = path + ": line " + (i + 1) + ": ";
            User user = parseLine(line, place);
            if (users.put(user.name(), user) != null) {
                throw invalid(place + "the user '" + user.name() + "' is there twice", null);
            }
        }
        return users;
    }

    private static User parseLine(String line, String place) {
        String[] parts = line.split(":", -1);
        if (parts.length != 3) {
            throw invalid(place + "not of the form NAME:HASH:ROLE,ROLE", null);
        }
        try {
            PasswordHash hash = parts[1].equals(User.NO_PASSWORD) ? null : PasswordHash.parse(parts[1]);
            return new User(parts[0], hash, parts[2].isEmpty() ? Set.of() : Set.of(parts[2].split(",", -1)));
        } catch (IllegalArgumentException | BrokerException e) {
            // Says what is wrong and never what stands there: it may be a password in the wrong place.
            throw invalid(place + e.getMessage(), null);
        }
    }

    /**
     * Changes the users.
     *
     * @param change given the users by name, returns them as they shall be; throws to change nothing
     * @throws BrokerException INVALID_CONFIGURATION if the file cannot be read or written
     */
    void change(UnaryOperator<Map<String, User>> change) {
        synchronized (CHANGING) {
            changeAlone(change);
        }
    }

    private void changeAlone(UnaryOperator<Map<String, User>> change) {
        Path lockPath = path.resolveSibling(path.getFileName() + ".lock");
        try (FileChannel channel = FileChannel.open(lockPath, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (!lock.isValid()) {
                throw new IOException("the lock was lost");
            }
            keepOwner(lockPath, path);
            Map<String, User> users = Files.exists(path) ? read() : new TreeMap<>();
            write(change.apply(users));
        } catch (IOException e) {
            throw invalid(path + ": the users file cannot be written: " + e, e);
        }
    }

    private void write(Map<String, User> users) throws IOException {
        StringBuilder text = new StringBuilder(HEAD);
        users.values().forEach(user -> text.append(user.line()).append('\n'));
        Path draft = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(draft, options, ownerOnly(path))) {
            ByteBuffer bytes = UTF_8.encode(text.toString());
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
        keepOwner(draft, path);
        Files.move(draft, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** What a new file has from its first moment; nothing where the file system knows no such permissions. */
    static FileAttribute<?>[] ownerOnly(Path path) {
        return isPosix(path)
                ? new FileAttribute<?>[] {PosixFilePermissions.asFileAttribute(OWNER_ONLY)}
                : new FileAttribute<?>[0];
    }

    /**
     * Gives a file that was made just now to whose the one in whose place it comes was, else to whose the folder is:
     * the superuser may make it, and the broker's account is to read it.
     */
    static void keepOwner(Path made, Path place) throws IOException {
        Path folder = place.toAbsolutePath().getParent();
        Path like = Files.exists(place) && !made.equals(place) ? place : folder;
        if (like != null && isPosix(made)) {
            PosixFileAttributes wanted = Files.readAttributes(like, PosixFileAttributes.class);
            PosixFileAttributeView view = Files.getFileAttributeView(made, PosixFileAttributeView.class);
            boolean superuser = view.getOwner().getName().equals(SUPERUSER);
            if (superuser && !wanted.owner().equals(view.getOwner())) {
                view.setOwner(wanted.owner());
                view.setGroup(wanted.group());
            }
        }
    }

    private static boolean isPosix(Path path) {
        return path.getFileSystem().supportedFileAttributeViews().contains("posix");
    }

    /** True if everybody on this machine can read it, which shows them what to guess passwords against. */
    boolean isWorldReadable() {
        try {
            return isPosix(path) && Files.getPosixFilePermissions(path).contains(PosixFilePermission.OTHERS_READ);
        } catch (IOException e) {
            throw invalid(path + ": the users file cannot be read: " + e, e);
        }
    }

    Path path() {
        return path;
    }

    @Override
    public String toString() {
        return path.toString();
    }

    private static BrokerException invalid(String message, @org.jspecify.annotations.Nullable Throwable cause) {
        return cause == null
                ? new BrokerException(ErrorCode.INVALID_CONFIGURATION, message)
                : new BrokerException(ErrorCode.INVALID_CONFIGURATION, message, cause);
    }
}
