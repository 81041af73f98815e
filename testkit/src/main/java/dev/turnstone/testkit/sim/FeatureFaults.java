package dev.turnstone.testkit.sim;

import dev.turnstone.broker.binding.Binding;
import dev.turnstone.broker.binding.Bindings;
import dev.turnstone.broker.settings.AddressRules;
import dev.turnstone.broker.settings.AddressSetting;
import dev.turnstone.port.Address;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.Message;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import dev.turnstone.port.Subscribe;
import java.util.List;
import java.util.function.UnaryOperator;

/** Brokers that leave out what is set for addresses, or what messages and consumers ask for. */
public final class FeatureFaults {
    private static final String HIDDEN_GROUP = "hiddenGroup";

    private FeatureFaults() {}

    /** Keeps all values of a key. */
    public static Tampering allValues() {
        return set(Features.LAST_VALUES, AddressSetting.LAST_VALUE_KEY, "none");
    }

    /** Has a ring that is too large. */
    public static Tampering largeRing() {
        return set(Features.RING, AddressSetting.RING_SIZE, Features.RING_SIZE + 2);
    }

    /** Gives an exclusive queue's messages to all consumers. */
    public static Tampering sharedExclusive() {
        return set(Features.EXCLUSIVE, AddressSetting.EXCLUSIVE, false);
    }

    /** Keeps more than it may in place of dropping. */
    public static Tampering fullAndMore() {
        return set(Features.FULL, AddressSetting.MAX_MESSAGES, Features.MOST + 2);
    }

    /** Takes more than it may in place of refusing. */
    public static Tampering tightAndMore() {
        return set(Features.TIGHT, AddressSetting.MAX_MESSAGES, Features.MOST + 2);
    }

    /** Takes more than it may in place of letting senders wait. */
    public static Tampering blockedAndMore() {
        return set(Features.BLOCKED, AddressSetting.MAX_MESSAGES, Features.MOST + 2);
    }

    /** Lets senders wait although there is room. */
    public static Tampering blockedTooEarly() {
        return set(Features.BLOCKED, AddressSetting.MAX_MESSAGES, Features.MOST - 2);
    }

    /** Refuses what there is room for. */
    public static Tampering refusedTooEarly() {
        return set(Features.TIGHT, AddressSetting.MAX_MESSAGES, Features.MOST - 2);
    }

    /** Serves consumers of all priorities alike. */
    public static Tampering noRanks() {
        return subscribing(asked -> asked.with(asked.options().priority(0)));
    }

    /** Gives up too early. */
    public static Tampering fewAttempts() {
        return set(Features.FAILING, AddressSetting.MAX_ATTEMPTS, 1);
    }

    /** Gives up too late. */
    public static Tampering manyAttempts() {
        return set(Features.FAILING, AddressSetting.MAX_ATTEMPTS, Features.ATTEMPTS_MAX + 1);
    }

    /** Drops what has failed too often. */
    public static Tampering lostDeadLetters() {
        return set(Features.FAILING, AddressSetting.DEAD_LETTER, "none");
    }

    /** Drops what has expired. */
    public static Tampering lostExpired() {
        return set(Features.EXPIRING, AddressSetting.EXPIRY, "none");
    }

    /** Delivers what has failed again at once. */
    public static Tampering hastyRetries() {
        return set(Features.FAILING, AddressSetting.REDELIVERY_DELAY_MS, 0);
    }

    /** Ignores bindings. */
    public static Tampering unbound() {
        return new Tampering() {
            @Override
            public Bindings bindings(Bindings bindings) {
                return new Bindings(List.of(), bindings.virtualTopics());
            }
        };
    }

    /** Ignores that queues subscribe by their names. */
    public static Tampering notVirtual() {
        return new Tampering() {
            @Override
            public Bindings bindings(Bindings bindings) {
                return new Bindings(bindings.bindings(), List.of());
            }
        };
    }

    /** Copies messages to where nobody looks. */
    public static Tampering leftBehind() {
        return new Tampering() {
            @Override
            public Bindings bindings(Bindings bindings) {
                return Bindings.of(new Binding(Features.FIRST, null, Address.queue("behind"), Binding.Mode.COPY));
            }
        };
    }

    /** Ignores message groups. */
    public static Tampering noGroups() {
        Tampering hiding = sending(message -> message.group() == null
                ? message
                : message.toBuilder()
                        .property(HIDDEN_GROUP, message.group())
                        .group(null, 0)
                        .build());
        Tampering showing = SessionFaults.changing(
                deliveries -> deliveries.stream().map(FeatureFaults::shown).toList());
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return showing.session(hiding.session(session));
            }
        };
    }

    /** Delivers before the time of delivery. */
    public static Tampering noDelays() {
        return sending(message -> message.toBuilder().deliveryTimeMs(0).build());
    }

    /** Delivers what has expired. */
    public static Tampering noExpiry() {
        return sending(message -> message.toBuilder().expiryMs(0).build());
    }

    /** Shows browsers nothing. */
    public static Tampering blindBrowsers() {
        return subscribing(asked -> asked.mode() == Subscribe.Mode.BROWSE
                ? Subscribe.browse(asked.consumer(), asked.address(), "kind = 'none'")
                : asked);
    }

    /** Shows readers of a queue that nobody consumes nothing. */
    public static Tampering blindReaders() {
        return subscribing(asked ->
                asked.mode() == Subscribe.Mode.CONSUME && asked.address().equals(Features.NOTICES)
                        ? new Subscribe(asked.consumer(), asked.address(), null, "kind = 'none'", false)
                        : asked);
    }

    /** Lets readers consume. */
    public static Tampering destructive() {
        return set(Features.NOTICES, AddressSetting.NON_DESTRUCTIVE, false);
    }

    /** Ignores selectors. */
    public static Tampering noSelectors() {
        return subscribing(asked -> asked.subscription() != null
                ? asked
                : new Subscribe(asked.consumer(), asked.address(), null, null, asked.noLocal(), asked.mode()));
    }

    /** Begins no subscription with what is retained. */
    public static Tampering nothingRetained() {
        return subscribing(asked -> asked.with(asked.options().retained(false)));
    }

    /** Takes a pattern for its first topic. */
    public static Tampering noPatterns() {
        return subscribing(asked -> asked.address().isPattern()
                ? new Subscribe(
                        asked.consumer(),
                        Address.topic("t.0"),
                        asked.subscription(),
                        asked.selector(),
                        asked.noLocal(),
                        asked.mode())
                : asked);
    }

    private static Tampering set(Address queue, AddressSetting setting, Object value) {
        return new Tampering() {
            @Override
            public AddressRules addresses(AddressRules rules) {
                return rules.with(queue.toString(), setting, value);
            }
        };
    }

    private static Delivery shown(Delivery delivery) {
        Message message = delivery.message();
        if (!(message.property(HIDDEN_GROUP) instanceof String group)) {
            return delivery;
        }
        Message shown =
                message.toBuilder().without(HIDDEN_GROUP).group(group, 0).build();
        return new Delivery(
                delivery.consumer(),
                delivery.number(),
                delivery.position(),
                shown,
                delivery.deliveryCount(),
                delivery.redelivered());
    }

    private static Tampering sending(UnaryOperator<Message> change) {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void send(Send send, Completion completion) {
                        Message changed = change.apply(send.message());
                        super.send(new Send(changed, send.transaction(), send.dedup(), send.state()), completion);
                    }
                };
            }
        };
    }

    private static Tampering subscribing(UnaryOperator<Subscribe> change) {
        return new Tampering() {
            @Override
            public Session session(Session session) {
                return new WrappedSession(session) {
                    @Override
                    public void subscribe(Subscribe subscribe, Completion completion) {
                        super.subscribe(change.apply(subscribe), completion);
                    }
                };
            }
        };
    }
}
