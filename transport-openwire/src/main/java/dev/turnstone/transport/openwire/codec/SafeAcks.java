package dev.turnstone.transport.openwire.codec;

import java.io.DataInput;
import java.io.IOException;
import org.apache.activemq.openwire.BooleanStream;
import org.apache.activemq.openwire.DataStreamMarshaller;
import org.apache.activemq.openwire.OpenWireFormat;
import org.jspecify.annotations.Nullable;

/**
 * Reads acknowledgements, the one command of clients that may carry an exception (why a message is poison). ActiveMQ's
 * reader makes an object of the class that the peer names (CVE-2023-46604 began there); these take the texts and make a
 * plain {@link Throwable}, whatever the class. Stack traces and causes never come: the broker does not negotiate them.
 */
final class SafeAcks {
    private SafeAcks() {}

    /** The reader for a version of the protocol. */
    static DataStreamMarshaller of(int version) {
        return switch (version) {
            case 9 -> new V9();
            case 10 -> new V10();
            case 11 -> new V11();
            case 12 -> new V12();
            default -> throw new OpenWireException("OpenWire version " + version + " is not spoken here");
        };
    }

    private static Throwable cause(@Nullable String className, @Nullable String message) {
        return new Throwable(message == null ? className : message);
    }

    private static final class V9 extends org.apache.activemq.openwire.v9.MessageAckMarshaller {
        @Override
        protected @Nullable Throwable tightUnmarsalThrowable(OpenWireFormat format, DataInput in, BooleanStream flags)
                throws IOException {
            return flags.readBoolean() ? cause(tightUnmarshalString(in, flags), tightUnmarshalString(in, flags)) : null;
        }

        @Override
        protected @Nullable Throwable looseUnmarsalThrowable(OpenWireFormat format, DataInput in) throws IOException {
            return in.readBoolean() ? cause(looseUnmarshalString(in), looseUnmarshalString(in)) : null;
        }
    }

    private static final class V10 extends org.apache.activemq.openwire.v10.MessageAckMarshaller {
        @Override
        protected @Nullable Throwable tightUnmarsalThrowable(OpenWireFormat format, DataInput in, BooleanStream flags)
                throws IOException {
            return flags.readBoolean() ? cause(tightUnmarshalString(in, flags), tightUnmarshalString(in, flags)) : null;
        }

        @Override
        protected @Nullable Throwable looseUnmarsalThrowable(OpenWireFormat format, DataInput in) throws IOException {
            return in.readBoolean() ? cause(looseUnmarshalString(in), looseUnmarshalString(in)) : null;
        }
    }

    private static final class V11 extends org.apache.activemq.openwire.v11.MessageAckMarshaller {
        @Override
        protected @Nullable Throwable tightUnmarsalThrowable(OpenWireFormat format, DataInput in, BooleanStream flags)
                throws IOException {
            return flags.readBoolean() ? cause(tightUnmarshalString(in, flags), tightUnmarshalString(in, flags)) : null;
        }

        @Override
        protected @Nullable Throwable looseUnmarsalThrowable(OpenWireFormat format, DataInput in) throws IOException {
            return in.readBoolean() ? cause(looseUnmarshalString(in), looseUnmarshalString(in)) : null;
        }
    }

    private static final class V12 extends org.apache.activemq.openwire.v12.MessageAckMarshaller {
        @Override
        protected @Nullable Throwable tightUnmarsalThrowable(OpenWireFormat format, DataInput in, BooleanStream flags)
                throws IOException {
            return flags.readBoolean() ? cause(tightUnmarshalString(in, flags), tightUnmarshalString(in, flags)) : null;
        }

        @Override
        protected @Nullable Throwable looseUnmarsalThrowable(OpenWireFormat format, DataInput in) throws IOException {
            return in.readBoolean() ? cause(looseUnmarshalString(in), looseUnmarshalString(in)) : null;
        }
    }
}
