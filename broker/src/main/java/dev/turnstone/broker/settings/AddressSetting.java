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
            "how many messages a queue may hold before further ones are refused; 0 for any number"),
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
    MEMORY_BYTES(
            "memoryBytes",
            "bytes",
            "16777216",
            SettingType.whole(1 << 10, 1L << 50),
            "what one queue's messages may take in memory before the older ones are kept on disk only");

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
