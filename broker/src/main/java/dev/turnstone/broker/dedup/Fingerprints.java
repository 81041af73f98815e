package dev.turnstone.broker.dedup;

import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.DedupId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.jspecify.annotations.Nullable;

/** Makes fingerprints, at the edge, so that the engine does not. One thread at a time. */
public final class Fingerprints {
    private static final byte APPLICATION = 'a';
    private static final byte PRODUCER = 'p';
    private static final byte COMMIT = 'c';

    private final MessageDigest digest;
    private @Nullable Address lastAddress;
    /** What stands before an identity that is for that address. */
    private byte[] lastPrefix = {};

    private @Nullable String lastProducer;
    private Fingerprint last = new Fingerprint(0, 0);

    /** Ready. */
    public Fingerprints() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Of a message that is sent to an address. */
    public SentId of(Address address, DedupId id) {
        if (id instanceof DedupId.Sequence sequence) {
            return new SentId(ofProducer(address, sequence.producer()), sequence.sequence());
        }
        see(address);
        return new SentId(of(APPLICATION, ((DedupId.Application) id).id()), SentId.APPLICATION);
    }

    /** Messages that follow each other go to one address, most of them. */
    private void see(Address address) {
        if (!address.equals(lastAddress)) {
            byte[] name = address.name().getBytes(StandardCharsets.UTF_8);
            lastPrefix = ByteBuffer.allocate(1 + Integer.BYTES + name.length)
                    .put((byte) (address.kind() == AddressKind.QUEUE ? 0 : 1))
                    .putInt(name.length)
                    .put(name)
                    .array();
            lastAddress = address;
            lastProducer = null;
        }
    }

    private Fingerprint ofProducer(Address address, String producer) {
        see(address);
        if (!producer.equals(lastProducer)) {
            last = of(PRODUCER, producer);
            lastProducer = producer;
        }
        return last;
    }

    /** Of a commit. */
    public Fingerprint ofCommit(String commitId) {
        digest.update(COMMIT);
        return digest(commitId);
    }

    private Fingerprint of(byte what, String id) {
        digest.update(what);
        digest.update(lastPrefix);
        return digest(id);
    }

    private Fingerprint digest(String id) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        return new Fingerprint(bytes.getLong(), bytes.getLong());
    }
}
