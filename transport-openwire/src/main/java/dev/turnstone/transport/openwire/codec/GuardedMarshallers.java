package dev.turnstone.transport.openwire.codec;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.reflect.Field;
import org.apache.activemq.command.ActiveMQDestination;
import org.apache.activemq.command.CommandTypes;
import org.apache.activemq.command.ConnectionId;
import org.apache.activemq.command.ConsumerId;
import org.apache.activemq.command.DataStructure;
import org.apache.activemq.command.LocalTransactionId;
import org.apache.activemq.command.MessageId;
import org.apache.activemq.command.ProducerId;
import org.apache.activemq.command.SessionId;
import org.apache.activemq.command.XATransactionId;
import org.apache.activemq.openwire.BooleanStream;
import org.apache.activemq.openwire.DataStreamMarshaller;
import org.apache.activemq.openwire.OpenWireFormat;

/**
 * What a peer's bytes may become. ActiveMQ's format reads any type that it knows, at any place, nested as deep as the
 * frame is long; among them are answers with exceptions, whose classes the peer names. Here only the commands and
 * values of clients are read, and only as deep as they are.
 */
final class GuardedMarshallers {
    /** Deeper than any command of a client: a command, its identifier, that one's parts. */
    private static final int DEPTH_MAX = 8;

    private static final byte[] COMMANDS = {
        CommandTypes.WIREFORMAT_INFO,
        CommandTypes.CONNECTION_INFO,
        CommandTypes.SESSION_INFO,
        CommandTypes.CONSUMER_INFO,
        CommandTypes.PRODUCER_INFO,
        CommandTypes.TRANSACTION_INFO,
        CommandTypes.DESTINATION_INFO,
        CommandTypes.REMOVE_SUBSCRIPTION_INFO,
        CommandTypes.KEEP_ALIVE_INFO,
        CommandTypes.SHUTDOWN_INFO,
        CommandTypes.REMOVE_INFO,
        CommandTypes.FLUSH_COMMAND,
        CommandTypes.CONSUMER_CONTROL,
        CommandTypes.CONNECTION_CONTROL,
        CommandTypes.MESSAGE_PULL,
        CommandTypes.MESSAGE_ACK,
        CommandTypes.ACTIVEMQ_MESSAGE,
        CommandTypes.ACTIVEMQ_BYTES_MESSAGE,
        CommandTypes.ACTIVEMQ_MAP_MESSAGE,
        CommandTypes.ACTIVEMQ_OBJECT_MESSAGE,
        CommandTypes.ACTIVEMQ_STREAM_MESSAGE,
        CommandTypes.ACTIVEMQ_TEXT_MESSAGE,
        CommandTypes.ACTIVEMQ_BLOB_MESSAGE
    };
    private static final byte[] VALUES = {
        CommandTypes.ACTIVEMQ_QUEUE,
        CommandTypes.ACTIVEMQ_TOPIC,
        CommandTypes.ACTIVEMQ_TEMP_QUEUE,
        CommandTypes.ACTIVEMQ_TEMP_TOPIC,
        CommandTypes.MESSAGE_ID,
        CommandTypes.ACTIVEMQ_LOCAL_TRANSACTION_ID,
        CommandTypes.ACTIVEMQ_XA_TRANSACTION_ID,
        CommandTypes.CONNECTION_ID,
        CommandTypes.SESSION_ID,
        CommandTypes.CONSUMER_ID,
        CommandTypes.PRODUCER_ID,
        CommandTypes.BROKER_ID
    };

    /** The library has no other way to tell a format which types it reads. */
    private static final Field MARSHALLERS = marshallers();

    private int depth;

    /** Replaces the types that a format reads, for the version that it speaks now. */
    void guard(OpenWireFormat format) {
        try {
            DataStreamMarshaller[] all = (DataStreamMarshaller[]) MARSHALLERS.get(format);
            DataStreamMarshaller[] allowed = new DataStreamMarshaller[all.length];
            allow(COMMANDS, all, allowed);
            allow(VALUES, all, allowed);
            allowed[CommandTypes.MESSAGE_ACK] = new Guarded(SafeAcks.of(format.getVersion()));
            MARSHALLERS.set(format, allowed);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException("the OpenWire library does not let its types be guarded", e);
        }
    }

    private void allow(byte[] types, DataStreamMarshaller[] all, DataStreamMarshaller[] allowed) {
        for (byte type : types) {
            allowed[type] = new Guarded(all[type]);
        }
    }

    private static Field marshallers() {
        try {
            Field field = OpenWireFormat.class.getDeclaredField("dataMarshallers");
            field.setAccessible(true);
            return field;
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("this version of the OpenWire library is not known", e);
        }
    }

    /** An identifier may have lost a part on the way, which the library's classes take for granted. */
    private static boolean isWhole(Object value) {
        if (value instanceof MessageId id) {
            return id.getProducerId() != null;
        } else if (value instanceof ProducerId id) {
            return id.getConnectionId() != null;
        } else if (value instanceof ConsumerId id) {
            return id.getConnectionId() != null;
        } else if (value instanceof SessionId id) {
            return id.getConnectionId() != null;
        } else if (value instanceof ConnectionId id) {
            return id.getValue() != null;
        } else if (value instanceof LocalTransactionId id) {
            return id.getConnectionId() != null;
        } else if (value instanceof XATransactionId id) {
            return id.getGlobalTransactionId() != null && id.getBranchQualifier() != null;
        }
        return !(value instanceof ActiveMQDestination destination) || destination.getPhysicalName() != null;
    }

    /** Reads with the library's marshaller, but not too deep. Writes are the library's other format's. */
    private final class Guarded implements DataStreamMarshaller {
        private final DataStreamMarshaller library;

        Guarded(DataStreamMarshaller library) {
            this.library = library;
        }

        @Override
        public byte getDataStructureType() {
            return library.getDataStructureType();
        }

        @Override
        public DataStructure createObject() {
            return library.createObject();
        }

        @Override
        public void tightUnmarshal(OpenWireFormat format, Object target, DataInput in, BooleanStream flags)
                throws IOException {
            enter();
            library.tightUnmarshal(format, target, in, flags);
            leave(target);
        }

        @Override
        public void looseUnmarshal(OpenWireFormat format, Object target, DataInput in) throws IOException {
            enter();
            library.looseUnmarshal(format, target, in);
            leave(target);
        }

        private void enter() {
            // After a refusal nothing more is read, so the depth need not be right then.
            if (++depth > DEPTH_MAX) {
                throw new OpenWireException("a command that is nested more than " + DEPTH_MAX + " deep");
            }
        }

        private void leave(Object read) {
            depth--;
            if (!isWhole(read)) {
                throw new OpenWireException(read.getClass().getSimpleName() + " without one of its parts");
            }
        }

        @Override
        public int tightMarshal1(OpenWireFormat format, Object source, BooleanStream flags) {
            throw new UnsupportedOperationException("this format only reads");
        }

        @Override
        public void tightMarshal2(OpenWireFormat format, Object source, DataOutput out, BooleanStream flags) {
            throw new UnsupportedOperationException("this format only reads");
        }

        @Override
        public void looseMarshal(OpenWireFormat format, Object source, DataOutput out) {
            throw new UnsupportedOperationException("this format only reads");
        }
    }
}
