package dev.turnstone.broker.store;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;

/** The types of records in the journal. The code is what is stored, and never changes its meaning. */
public enum RecordType {
    /** {@link MessageRecord}. */
    MESSAGE(1),
    /** {@link QueueRecord}. */
    QUEUE(2),
    /** {@link SubscriptionRecord}. */
    SUBSCRIPTION(3),
    /** {@link SubscriberSetRecord}. */
    SUBSCRIBER_SET(4),
    /** {@link SettledRecord}. */
    SETTLED(5),
    /** {@link PassedRecord}. */
    PASSED(6),
    /** {@link MarkRecord}. */
    MARK(7),
    /** {@link AttemptRecord}. */
    ATTEMPT(8),
    /** {@link IdBlockRecord}. */
    ID_BLOCK(9),
    /** {@link StateRecord}. */
    STATE(10),
    /** {@link DedupRecord}. */
    DEDUP(11),
    /** {@link ProducerRecord}. */
    PRODUCER(12),
    /** {@link BranchRecord}. */
    BRANCH(13),
    /** {@link PreparedSendRecord}. */
    PREPARED_SEND(14),
    /** {@link PreparedSettlesRecord}. */
    PREPARED_SETTLES(15),
    /** {@link PreparedStateRecord}. */
    PREPARED_STATE(16),
    /** {@link FloorRecord}. */
    FLOOR(17),
    /** {@link PageRecord}. */
    PAGE(40),
    /** {@link PageSettledRecord}. */
    PAGE_SETTLED(41),
    /** {@link PagePassedRecord}. */
    PAGE_PASSED(42),
    /** {@link SubscriptionQueueRecord}. */
    SUBSCRIPTION_QUEUE(60),
    /** {@link FilterRecord}. */
    FILTER(61),
    /** {@link RetainedRecord}. */
    RETAINED(62);

    private final byte code;

    RecordType(int code) {
        this.code = (byte) code;
    }

    /** The number in the journal. */
    public byte code() {
        return code;
    }

    static RecordType of(byte code) {
        for (RecordType type : values()) {
            if (type.code == code) {
                return type;
            }
        }
        throw new BrokerException(
                ErrorCode.DATA_UNUSABLE,
                "the journal holds a record of type " + code + ", which this version does not know");
    }
}
