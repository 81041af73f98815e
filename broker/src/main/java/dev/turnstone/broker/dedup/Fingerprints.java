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
        return new SentId(of(APPLICATION, address, ((DedupId.Application) id).id()), SentId.APPLICATION);
    }

    private Fingerprint ofProducer(Address address, String producer) {
        // A producer's messages follow each other, most of them to one address.
        if (!producer.equals(lastProducer) || !address.equals(lastAddress)) {
            last = of(PRODUCER, address, producer);
            lastProducer = producer;
            lastAddress = address;
        }
        return last;
    }

    /** Of a commit. */
    public Fingerprint ofCommit(String commitId) {
        digest.update(COMMIT);
        return digest(commitId);
    }

    private Fingerprint of(byte what, Address address, String id) {
        byte[] name = address.name().getBytes(StandardCharsets.UTF_8);
        digest.update(what);
        digest.update((byte) (address.kind() == AddressKind.QUEUE ? 0 : 1));
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(0, name.length));
        digest.update(name);
        return digest(id);
    }

    private Fingerprint digest(String id) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest(id.getBytes(StandardCharsets.UTF_8)));
        return new Fingerprint(bytes.getLong(), bytes.getLong());
    }
}
