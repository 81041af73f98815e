package dev.turnstone.broker.mailbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class ChannelTest {
    private static final int MANY = 200_000;

    @Test
    @Timeout(60)
    void noWakeupIsLostBetweenAnEngineThatSendsAndAnEdgeThatSleeps() throws InterruptedException {
        Semaphore wakeups = new Semaphore(0);
        Channel channel = new Channel("c1-1", new Mailbox(1, () -> {}), wakeups::release, new PostLimits(100, 100));
        Thread engine = new Thread(() -> {
            for (int i = 0; i < MANY; i++) {
                channel.add(i);
                channel.signal();
            }
        });
        engine.start();
        int expected = 0;
        while (expected < MANY) {
            Object event = channel.next();
            if (event == null) {
                assertThat(wakeups.tryAcquire(20, TimeUnit.SECONDS))
                        .as("woken for event " + expected)
                        .isTrue();
            } else {
                assertThat(event).isEqualTo(expected++);
            }
        }
        engine.join();
    }

    @Test
    @Timeout(60)
    void aSleepingEngineIsWokenForEveryPostAndABlockedSessionForRoom() throws InterruptedException {
        AtomicLong opened = new AtomicLong();
        Thread[] engineThread = new Thread[1];
        Mailbox mailbox = new Mailbox(64, () -> LockSupport.unpark(engineThread[0]));
        int sessions = 3;
        int posts = MANY / 10;
        engineThread[0] = new Thread(() -> {
            while (opened.get() < (long) sessions * posts) {
                Mail mail = mailbox.poll();
                mailbox.signalRefused();
                if (mail != null) {
                    mail.open();
                } else if (mailbox.sleep(0, 0)) {
                    LockSupport.park();
                }
            }
        });
        engineThread[0].start();
        Thread[] edges = new Thread[sessions];
        for (int s = 0; s < sessions; s++) {
            edges[s] = new Thread(() -> post(mailbox, opened, posts));
            edges[s].start();
        }
        for (Thread edge : edges) {
            edge.join();
        }
        engineThread[0].join();
        assertThat(opened).hasValue((long) sessions * posts);
        assertThat(mailbox.hasRoom()).as("room was given back").isTrue();
    }

    private static void post(Mailbox mailbox, AtomicLong opened, int posts) {
        Semaphore wakeups = new Semaphore(0);
        Channel channel = new Channel("c1-1", mailbox, wakeups::release, new PostLimits(2, 1_000));
        for (int i = 0; i < posts; i++) {
            Mail mail = () -> {
                opened.incrementAndGet();
                channel.taken(1, 20);
                mailbox.giveBack(20);
                return 1;
            };
            while (!channel.post(mail, 1, 20)) {
                if (channel.next() == null) {
                    wakeups.acquireUninterruptibly();
                }
            }
        }
    }

    @Test
    void theEngineSleepsOnlyWhenItHasDealtWithEverything() {
        AtomicLong wakes = new AtomicLong();
        Mailbox mailbox = new Mailbox(64, wakes::incrementAndGet);
        assertThat(mailbox.sleep(0, 0)).isTrue();
        mailbox.durable(3);
        mailbox.durable(2);
        assertThat(wakes).as("woken once").hasValue(1);
        assertThat(mailbox.durableLsn()).isEqualTo(3);
        assertThat(mailbox.sleep(0, 0)).isFalse();
        assertThat(mailbox.sleep(3, 3)).isTrue();
        mailbox.post(() -> 1);
        assertThat(wakes).hasValue(2);
        assertThat(mailbox.sleep(3, 3)).isFalse();
    }

    @Test
    void aClosedMailboxTakesNothing() {
        Mailbox mailbox = new Mailbox(64, () -> {});
        mailbox.close();
        assertThat(mailbox.post(() -> 1)).isFalse();
        assertThat(mailbox.poll()).isNull();
    }
}
