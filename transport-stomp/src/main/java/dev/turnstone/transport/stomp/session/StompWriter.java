package dev.turnstone.transport.stomp.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Session;
import dev.turnstone.port.Settle;
import dev.turnstone.transport.stomp.codec.Command;
import dev.turnstone.transport.stomp.codec.FrameEncoder;
import dev.turnstone.transport.stomp.codec.Header;
import dev.turnstone.transport.stomp.codec.Version;
import dev.turnstone.transport.vertx.Ending;
import dev.turnstone.transport.vertx.SessionOutput;
import dev.turnstone.transport.vertx.SessionPump;
import dev.turnstone.transport.vertx.Wire;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All frames that go to one client, and the settling of what an {@code auto} subscription got: when the socket has
 * taken it, no sooner, so that a client that does not read is given no more than its credit.
 */
final class StompWriter implements SessionOutput {
    private final Wire wire;
    private final HeartBeat heartBeat;
    private final Subscriptions subscriptions;
    private final StompEnding ending;
    private final FrameEncoder encoder = new FrameEncoder();
    private final MessageWriter messages;
    private final Completion settled;
    private List<Subscription> unsettledAuto = new ArrayList<>();
    private Version version = Version.V1_0;
    private @Nullable SessionPump pump;

    StompWriter(Wire wire, HeartBeat heartBeat, Subscriptions subscriptions, StompEnding ending) {
        this.wire = wire;
        this.heartBeat = heartBeat;
        this.subscriptions = subscriptions;
        this.ending = ending;
        messages = new MessageWriter(encoder, new Destinations());
        settled = Completion.onFailure(cause -> ending.refuse(cause, null));
    }

    /** The client has logged in. */
    void connected(Version agreed, SessionPump through) {
        version = agreed;
        pump = through;
        encoder.connected(agreed);
    }

    @Override
    public void delivery(Delivery delivery) {
        Subscription subscription = subscriptions.numbered(delivery.consumer());
        // What still comes for a subscription that has been ended is void: the broker has it back.
        if (subscription == null || subscription.ended() || ending.begun()) {
            return;
        }
        messages.write(delivery, subscription, version);
        subscription.delivered(delivery.number());
        if (subscription.mode() == AckMode.AUTO
                && (unsettledAuto.isEmpty() || unsettledAuto.get(unsettledAuto.size() - 1) != subscription)) {
            unsettledAuto.add(subscription);
        }
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        ending.refuse(cause, null);
    }

    void receipt(String id) {
        encoder.begin(Command.RECEIPT);
        encoder.header(Header.RECEIPT_ID, id);
        encoder.end();
    }

    void connectedFrame(String session, HeartBeat.Offer offer) {
        encoder.begin(Command.CONNECTED);
        encoder.header(Header.VERSION, version.text());
        encoder.header(Header.SESSION, session);
        encoder.header(Header.SERVER, "turnstone");
        encoder.header(Header.HEART_BEAT, offer.sendsMs() + "," + offer.wantsMs());
        encoder.end();
    }

    /** An ERROR frame; {@code code} for programs if the broker refused, rather than the codec. */
    void error(String message, @Nullable String receipt, @Nullable ErrorCode code) {
        encoder.begin(Command.ERROR);
        encoder.header(Header.MESSAGE, oneLine(message));
        if (receipt != null) {
            encoder.header(Header.RECEIPT_ID, receipt);
        }
        if (code != null) {
            encoder.header(Header.ERROR_CODE, code.name());
        }
        encoder.header(Header.CONTENT_TYPE, ContentType.TEXT);
        encoder.end(message);
    }

    /** The ERROR frame for a client with which there is no common version (STOMP 1.2 "Protocol Negotiation"). */
    void noCommonVersion() {
        String versions = "1.2,1.1,1.0";
        encoder.begin(Command.ERROR);
        encoder.header(Header.VERSION, versions);
        encoder.header(Header.MESSAGE, "no common protocol version");
        encoder.header(Header.CONTENT_TYPE, ContentType.TEXT);
        encoder.end("Supported protocol versions are " + versions.replace(',', ' '));
    }

    void beat() {
        encoder.beat();
        write();
    }

    @Override
    public int size() {
        return encoder.size();
    }

    @Override
    public void write() {
        if (encoder.size() > 0) {
            heartBeat.sent();
            ByteBuffer last = allButLast();
            wire.write(last, unsettledAuto.isEmpty() ? null : settleWritten());
        }
    }

    /** Writes what has not been written yet and ends the connection behind it. */
    void finish(Ending why) {
        wire.finish(allButLast(), why);
    }

    /** Writes frames that have to go by themselves, and answers what is left to write. */
    private ByteBuffer allButLast() {
        if (!wire.hasMessages() || encoder.size() == 0) {
            return encoder.take();
        }
        List<ByteBuffer> frames = encoder.takeFrames();
        int last = frames.size() - 1;
        for (int at = 0; at < last; at++) {
            wire.write(frames.get(at), null);
        }
        return frames.get(last);
    }

    private Runnable settleWritten() {
        List<Subscription> written = unsettledAuto;
        long[] upTo = written.stream().mapToLong(Subscription::delivered).toArray();
        unsettledAuto = new ArrayList<>();
        return () -> {
            if (pump == null || ending.begun()) {
                return;
            }
            for (int at = 0; at < upTo.length; at++) {
                settleUpTo(pump.session(), written.get(at), upTo[at]);
            }
            pump.post();
        };
    }

    private void settleUpTo(Session session, Subscription subscription, long number) {
        if (number > subscription.acknowledged()) {
            long first = subscription.acknowledgeUpTo(number);
            session.settle(
                    new Settle(subscription.consumer(), first, number, Outcome.ACCEPTED, Session.NO_TRANSACTION),
                    settled);
            if (subscription.ended()) {
                subscriptions.forgetIfSettled(subscription);
            } else {
                session.credit(subscription.consumer(), (int) (number - first + 1));
            }
        }
    }

    private static String oneLine(String message) {
        return message.replace('\n', ' ').replace('\r', ' ').replace('\0', ' ');
    }
}
