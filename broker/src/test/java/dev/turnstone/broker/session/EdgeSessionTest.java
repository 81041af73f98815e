package dev.turnstone.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.broker.Engine;
import dev.turnstone.broker.EngineParts;
import dev.turnstone.broker.MemoryJournal;
import dev.turnstone.broker.MemoryPages;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Completion;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Login;
import dev.turnstone.port.Message;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Send;
import dev.turnstone.port.SessionListener;
import dev.turnstone.port.Subscribe;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EdgeSessionTest implements SessionListener {
    private static final Completion IGNORED = Completion.onFailure(cause -> {
        throw cause;
    });

    private final List<String> received = new ArrayList<>();
    private MemoryJournal journal;
    private final Engine engine = Engine.start(
            new EngineParts(Limits.DEFAULTS.with(Limit.SESSION_POSTED_MAX, 3), () -> 0, Runnable::run, () -> {}),
            listener -> {
                journal = new MemoryJournal(new HashMap<>(), listener);
                return journal;
            },
            listener -> new MemoryPages(new HashMap<>(), listener));

    private EdgeSession open() {
        var connecting = engine.broker()
                .connect(new Login(null, null, null, "test", "vm"), cause -> {})
                .toCompletableFuture();
        run();
        return (EdgeSession) connecting.join().openSession(() -> {});
    }

    private void run() {
        while (engine.drain() || journal.undurable() > 0) {
            journal.sync();
        }
    }

    private static Send send(String text) {
        Message message = MessageBuilder.to(Address.queue("q"))
                .persistent(false)
                .text(text)
                .build();
        return Send.of(message);
    }

    @Override
    public void delivery(Delivery delivery) {
        received.add(String.valueOf(delivery.message().text()));
    }

    @Override
    public void consumerClosed(int consumer, BrokerException cause) {
        throw cause;
    }

    @Test
    void aSessionThatIsAlwaysALittleBehindKeepsOrderAndDoesNotGrow() {
        EdgeSession session = open();
        session.subscribe(Subscribe.to(1, Address.queue("q")), IGNORED);
        session.credit(1, 100_000);
        int sent = 0;
        while (sent < 20_000) {
            session.send(send("m" + sent++), IGNORED);
            session.flush();
            if (!session.writable() && sent % 4 == 0) {
                // Something is collected before the engine has taken the rest, so there is never nothing left.
                session.send(send("m" + sent++), IGNORED);
                run();
                session.drain(this, Integer.MAX_VALUE);
            }
        }
        session.flush();
        for (int turns = 0; received.size() < sent && turns < sent; turns++) {
            run();
            session.drain(this, Integer.MAX_VALUE);
        }
        assertThat(received).hasSize(sent);
        for (int i = 0; i < sent; i++) {
            assertThat(received.get(i)).isEqualTo("m" + i);
        }
        assertThat(session.room()).isLessThanOrEqualTo(512);
    }

    @Test
    void nothingIsTakenAfterClose() {
        EdgeSession session = open();
        session.close(IGNORED);
        assertThatThrownBy(() -> session.sync(IGNORED))
                .isInstanceOf(BrokerException.class)
                .extracting("code")
                .isEqualTo(ErrorCode.CLOSED);
    }
}
