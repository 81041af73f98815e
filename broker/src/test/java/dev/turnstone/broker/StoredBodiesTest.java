package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.TestSession.Result;
import dev.turnstone.broker.limit.Limit;
import dev.turnstone.broker.limit.Limits;
import dev.turnstone.port.Address;
import dev.turnstone.port.BodyKind;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.MessageBuilder;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.Send;
import dev.turnstone.port.Session;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Bodies in chunks, beside their messages. */
final class StoredBodiesTest {
    private static final int CHUNK = 10;

    private final TestBroker broker = new TestBroker(Limits.DEFAULTS.with(Limit.MESSAGE_CHUNK_BYTES, CHUNK));
    private final TestSession session = broker.session();

    private Result append(long body, int bytes) {
        Result result = new Result();
        session.port.bodies().append(body, ByteBuffer.allocate(bytes), result);
        session.port.flush();
        session.receive();
        return result;
    }

    private Result send(long body) {
        Result result = new Result();
        session.port.send(
                new Send(
                                MessageBuilder.to(Address.queue("q"))
                                        .storedBody(BodyKind.BYTES)
                                        .build(),
                                Session.NO_TRANSACTION)
                        .withBody(body),
                result);
        session.port.flush();
        session.receive();
        return result;
    }

    @Test
    void aBodyThatAMessageHasDoesNotGrow() {
        session.port.bodies().start(1, true, new Result());
        append(1, CHUNK);
        assertThat(send(1).done).isTrue();
        assertThat(append(1, CHUNK).code()).isEqualTo(ErrorCode.INVALID_MESSAGE);
        assertThat(send(1).done).as("it is complete").isTrue();
        broker.crash();
        assertThat(broker.pageDisk).hasSize(1);
    }

    @Test
    void theManyChunksOfABodyAreDeletedSomeAtATime() {
        int chunks = 500;
        session.port.bodies().start(1, true, new Result());
        for (int i = 0; i < chunks; i++) {
            append(1, CHUNK);
        }
        send(1);
        session.port.bodies().close(1);
        session.subscribe(1, "q", 1);
        Delivery delivery = session.receive().get(0);
        assertThat(broker.pageDisk).hasSize(chunks);
        session.settle(delivery, Outcome.ACCEPTED);
        int turns = 0;
        for (; !broker.pageDisk.isEmpty(); turns++) {
            assertThat(turns).isLessThan(chunks);
            broker.journal.sync();
            broker.run();
            assertThat(broker.pages.pending())
                    .as("ahead of what else the disk is asked for")
                    .isLessThan(100);
            broker.settle();
            if (!broker.pageDisk.isEmpty()) {
                assertThat(broker.engine.dueMs()).isEqualTo(broker.nowMs + 1);
            }
            broker.nowMs++;
        }
        assertThat(turns).isGreaterThan(chunks / 100);
        assertThat(broker.engine.dueMs()).isEqualTo(Long.MAX_VALUE);
        assertThat(broker.engine.memoryUsed()).isZero();
    }
}
