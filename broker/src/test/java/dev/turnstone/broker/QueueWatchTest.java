package dev.turnstone.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.turnstone.broker.TestSession.Result;
import dev.turnstone.port.Address;
import dev.turnstone.port.AddressKind;
import dev.turnstone.port.BrokerException;
import dev.turnstone.port.Delivery;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.port.Outcome;
import dev.turnstone.port.SessionListener;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class QueueWatchTest {
    private final TestBroker broker = new TestBroker();
    private final TestSession sender = broker.session();
    private final TestSession watcher = broker.session();
    private final List<String> found = new ArrayList<>();

    private Result watch(int number, Address pattern) {
        Result result = new Result();
        watcher.port.watchQueues(number, pattern, result);
        watcher.port.flush();
        take();
        return result;
    }

    private void take() {
        broker.settle();
        watcher.port.drain(
                new SessionListener() {
                    @Override
                    public void delivery(Delivery delivery) {
                        throw new IllegalStateException("nothing is consumed");
                    }

                    @Override
                    public void queueFound(int watch, Address queue) {
                        found.add(watch + " " + queue.name());
                    }

                    @Override
                    public void consumerClosed(int consumer, BrokerException cause) {
                        throw new IllegalStateException(cause);
                    }
                },
                100);
    }

    private static Address queues(String pattern) {
        return Address.pattern(AddressKind.QUEUE, pattern);
    }

    @Test
    void itIsToldOfQueuesThatThereAreAndThoseThatCome() {
        sender.send("a.1", "x");
        sender.send("b.1", "x");
        assertThat(watch(1, queues("a.*")).done).isTrue();
        assertThat(found).containsExactly("1 a.1");
        sender.send("a.2", "x");
        sender.send("a.2", "y");
        sender.send("a.2.b", "x");
        take();
        assertThat(found).containsExactly("1 a.1", "1 a.2");
        watcher.port.endWatch(1);
        watcher.port.flush();
        sender.send("a.3", "x");
        take();
        assertThat(found).containsExactly("1 a.1", "1 a.2");
    }

    @Test
    void aQueueThatComesAgainIsFoundAgain() {
        watch(1, queues(">"));
        sender.send("q", "x");
        TestSession consumer = broker.session();
        consumer.subscribe(1, "q", 1);
        consumer.receive().forEach(delivery -> consumer.settle(delivery, Outcome.ACCEPTED));
        consumer.connection.close();
        broker.settle();
        sender.send("q", "y");
        take();
        assertThat(found).containsExactly("1 q", "1 q");
    }

    @Test
    void temporaryQueuesAndThoseOfTheBrokerAreNotFound() {
        watch(1, queues(">"));
        sender.declareTemporary(Address.temporary(AddressKind.QUEUE, sender.connection.id(), "t"));
        sender.send(TestSession.text("$x.y", "x").build());
        take();
        assertThat(found).isEmpty();
    }

    @Test
    void itEndsWithItsSession() {
        watch(1, queues("a.*"));
        watcher.connection.close();
        broker.settle();
        assertThat(sender.send("a.1", "x").cause).isNull();
    }

    @Test
    void onlyQueuesAreWatchedAndEachNumberOnce() {
        assertThat(watch(1, Address.pattern(AddressKind.TOPIC, "a.*")).code()).isEqualTo(ErrorCode.UNSUPPORTED);
        assertThat(watch(2, queues("a.*")).done).isTrue();
        assertThat(watch(2, queues("b.*")).code()).isEqualTo(ErrorCode.DUPLICATE_CONSUMER);
    }
}
