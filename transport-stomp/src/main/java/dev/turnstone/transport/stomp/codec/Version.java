package dev.turnstone.transport.stomp.codec;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A protocol version, in ascending order. */
public enum Version {
    /** No escapes in headers. */
    V1_0("1.0"),
    /** Escapes backslash, line feed and colon. */
    V1_1("1.1"),
    /** Escapes carriage return too, since a line may end in CR LF. */
    V1_2("1.2");

    private final String text;

    Version(String text) {
        this.text = text;
    }

    /** As the {@code version} header has it. */
    public String text() {
        return text;
    }

    /**
     * The highest version that both sides have (STOMP 1.2 "Protocol Negotiation"), or null if there is none.
     *
     * @param acceptVersion the header of CONNECT; null means 1.0 only
     */
    public static @Nullable Version negotiate(@Nullable String acceptVersion) {
        if (acceptVersion == null) {
            return V1_0;
        }
        List<String> offered = new ArrayList<>();
        for (String one : acceptVersion.split(",", -1)) {
            offered.add(one.strip());
        }
        for (Version version : new Version[] {V1_2, V1_1, V1_0}) {
            if (offered.contains(version.text)) {
                return version;
            }
        }
        return null;
    }

    /** True where a colon or a line feed in a header is written with a backslash. */
    boolean escapes() {
        return this != V1_0;
    }

    /**
     * True where a line may end in CR LF. STOMP 1.1 has LF alone, and a carriage return belongs to the value; 1.0 does
     * not say, and its clients send both.
     */
    boolean endsLinesInCrLf() {
        return this != V1_1;
    }
}
