package dev.turnstone.broker.settings;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.Arrays;
import java.util.stream.Collectors;

/** One thing that can be set for queues and topics: its name, unit, default and range. */
public enum AddressSetting {
    MAX_ATTEMPTS(
            "maxAttempts",
            "attempts",
            "10",
            SettingType.whole(0, 1_000_000),
            "how often a message may fail before it goes to the dead-letter address; 0 for any number of times"),
    DEAD_LETTER(
            "deadLetter",
            "",
            "queue:DLQ",
            SettingType.address(),
            "where messages go that have failed too often or were rejected; none: they are dropped"),
    REDELIVERY_DELAY_MS(
            "redeliveryDelayMs",
            "milliseconds",
            "0",
            SettingType.whole(0, 1L << 40),
            "how long a message that has failed waits before it is delivered again"),
    REDELIVERY_MULTIPLIER(
            "redeliveryMultiplier",
            "",
            "1",
            SettingType.decimal(1, 1_000),
            "by what the delay grows with each further attempt"),
    REDELIVERY_JITTER(
            "redeliveryJitter",
            "",
            "0",
            SettingType.decimal(0, 1),
            "by which part of itself, up or down, the delay varies at random"),
    REDELIVERY_DELAY_MAX_MS(
            "redeliveryDelayMaxMs", "milliseconds", "3600000", SettingType.whole(0, 1L << 40), "the longest delay"),
    EXPIRY("expiry", "", "none", SettingType.address(), "where messages go that have expired; none: they are dropped"),
    MAX_MESSAGES(
            "maxMessages",
            "messages",
            "0",
            SettingType.whole(0, 1L << 40),
            "how many messages a queue may hold before whenFull applies; 0 for any number"),
    MAX_BYTES(
            "maxBytes",
            "bytes",
            "0",
            SettingType.whole(0, 1L << 50),
            "how many bytes of messages a queue may hold before whenFull applies; 0 for any number"),
    WHEN_FULL(
            "whenFull",
            "",
            "reject",
            SettingType.choice(WhenFull.class),
            "what becomes of a message for a full queue: page (taken, and kept on disk only), reject, drop-oldest,"
                    + " block (its sender waits)"),
    RING_SIZE(
            "ringSize",
            "messages",
            "0",
            SettingType.whole(0, 1L << 40),
            "how many messages that nobody has been given a queue keeps: the oldest goes when another comes; 0: all"),
    LAST_VALUE_KEY(
            "lastValueKey",
            "",
            "none",
            SettingType.name(),
            "a property of messages: of those with one value of it a queue keeps the last that was sent"),
    NON_DESTRUCTIVE(
            "nonDestructive",
            "",
            "false",
            SettingType.yesOrNo(),
            "whether each consumer of a queue reads all its messages, and none of them consumes any"),
    AUTO_CREATE(
            "autoCreate",
            "",
            "true",
            SettingType.yesOrNo(),
            "whether a queue comes into being when first used; false: only those that a pattern names exactly"),
    RELAXED(
            "relaxed",
            "",
            "false",
            SettingType.yesOrNo(),
            "whether a persistent message sent there outside of a transaction is confirmed when it is written,"
                    + " and synced journal.relaxedSyncMs later, rather than confirmed when it is on the disk"),
    AUTO_DELETE(
            "autoDelete", "", "true", SettingType.yesOrNo(), "whether a queue ends that is empty and has no consumers"),
    AUTO_DELETE_DELAY_MS(
            "autoDeleteDelayMs",
            "milliseconds",
            "0",
            SettingType.whole(0, 1L << 40),
            "how long a queue has to be empty and without consumers before it ends"),
    CONSUMERS_BEFORE_DISPATCH(
            "consumersBeforeDispatch",
            "consumers",
            "0",
            SettingType.whole(0, 1_000_000),
            "how many consumers a queue waits for before it gives messages to any"),
    DELAY_BEFORE_DISPATCH_MS(
            "delayBeforeDispatchMs",
            "milliseconds",
            "0",
            SettingType.whole(0, 1L << 40),
            "how long after its first consumer a queue waits for the others; 0: as long as it takes"),
    EXCLUSIVE(
            "exclusive",
            "",
            "false",
            SettingType.yesOrNo(),
            "whether only one consumer at a time gets messages; the next takes over when it leaves"),
    GROUPS_MAX(
            "groupsMax",
            "groups",
            "65536",
            SettingType.whole(0, 100_000_000),
            "of how many message groups a queue remembers whose they are; beyond, those not used for longest are"
                    + " forgotten; 0: groups are ignored"),
    MEMORY_BYTES(
            "memoryBytes",
            "bytes",
            "0",
            SettingType.whole(0, 1L << 50),
            "what one queue's messages may take in memory before the rest is kept on disk only; 0: the limit"
                    + " address.memoryMax");

    private final String setting;
    private final String unit;
    private final String standard;
    private final String meaning;

    @SuppressWarnings("ImmutableEnumChecker") // All types are functions of constants; the annotation needs a library.
    private final SettingType type;

    AddressSetting(String setting, String unit, String standard, SettingType type, String meaning) {
        this.setting = setting;
        this.unit = unit;
        this.standard = standard;
        this.type = type;
        this.meaning = meaning;
    }

    /** The name in configuration and error messages. */
    public String setting() {
        return setting;
    }

    /** What it counts; empty if it counts nothing. */
    public String unit() {
        return unit;
    }

    /** The value when nothing is configured, as it would be written. */
    public String standard() {
        return standard;
    }

    /** What it is for, for the manual: a phrase without a full stop. */
    public String meaning() {
        return meaning;
    }

    /** The value that a text stands for. */
    Object read(String text) {
        try {
            return type.read(text.strip());
        } catch (IllegalArgumentException e) {
            throw new BrokerException(
                    ErrorCode.INVALID_CONFIGURATION, setting + "='" + text + "': " + e.getMessage(), e);
        }
    }

    /**
     * The setting of that name.
     *
     * @throws BrokerException INVALID_CONFIGURATION if there is none
     */
    public static AddressSetting named(String name) {
        return Arrays.stream(values())
                .filter(setting -> setting.setting.equals(name))
                .findAny()
                .orElseThrow(() -> new BrokerException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "addresses have no setting '" + name + "'; known are "
                                + Arrays.stream(values())
                                        .map(AddressSetting::setting)
                                        .collect(Collectors.joining(", "))));
    }
}
