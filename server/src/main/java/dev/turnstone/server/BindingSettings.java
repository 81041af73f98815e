package dev.turnstone.server;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.server.config.Setting;
import org.jspecify.annotations.Nullable;

/**
 * One binding as it is written.
 *
 * @param source where messages are sent to
 * @param target who gets them
 * @param selector which of them
 * @param mode what becomes of them at the source
 */
record BindingSettings(
        @Setting(
                value = "where messages are sent to: `queue:NAME` or `topic:NAME`, or a pattern with `*` and `>`",
                required = true)
        String source,

        @Setting(value = "who gets them: `queue:NAME` or `topic:NAME`", required = true)
        String target,

        @Setting("a selector: which of them; all, if nothing is written") @Nullable
        String selector,

        @Setting(
                value = "`copy`: the source gets them too; `move`: it does not; `alternate`: only what nobody gets",
                standard = "copy")
        Binding.Mode mode) {
    private static final String QUEUE = "queue:";
    private static final String TOPIC = "topic:";

    /** Checks what is written. */
    BindingSettings {
        new Binding(address(source), selector, address(target), mode);
    }

    /** What it means. */
    Binding binding() {
        return new Binding(address(source), selector, address(target), mode);
    }

    static Address address(String written) {
        if (written.startsWith(QUEUE)) {
            return Address.pattern(AddressKind.QUEUE, written.substring(QUEUE.length()));
        }
        if (written.startsWith(TOPIC)) {
            return Address.pattern(AddressKind.TOPIC, written.substring(TOPIC.length()));
        }
        throw new BrokerException(
                ErrorCode.INVALID_CONFIGURATION, "'" + written + "' begins neither with queue: nor with topic:");
    }
}
