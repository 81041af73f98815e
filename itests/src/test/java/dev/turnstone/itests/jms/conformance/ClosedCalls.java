package dev.turnstone.itests.jms.conformance;

import jakarta.jms.Connection;
import jakarta.jms.Destination;
import jakarta.jms.IllegalStateException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Queue;
import jakarta.jms.QueueBrowser;
import jakarta.jms.Session;
import jakarta.jms.Topic;
import java.util.LinkedHashMap;
import java.util.Map;
import org.assertj.core.api.SoftAssertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** All uses of an object of the API that are errors once it is closed, by their names. */
record ClosedCalls(Map<String, ThrowingCallable> calls) {
    /** Each call must throw the API's IllegalStateException. */
    void assertRefused() {
        SoftAssertions all = new SoftAssertions();
        calls.forEach((name, call) -> all.assertThatThrownBy(call).as(name).isInstanceOf(IllegalStateException.class));
        all.assertAll();
    }

    static ClosedCalls of(Connection closed, Topic topic) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("createSession()", closed::createSession);
        calls.put("createSession(mode)", () -> closed.createSession(Session.AUTO_ACKNOWLEDGE));
        calls.put("createSession(transacted, mode)", () -> closed.createSession(true, 0));
        calls.put("getClientID", closed::getClientID);
        calls.put("setClientID", () -> closed.setClientID("client"));
        calls.put("getMetaData", closed::getMetaData);
        calls.put("getExceptionListener", closed::getExceptionListener);
        calls.put("setExceptionListener", () -> closed.setExceptionListener(e -> {}));
        calls.put("start", closed::start);
        calls.put("stop", closed::stop);
        calls.put("createConnectionConsumer", () -> closed.createConnectionConsumer(topic, null, () -> null, 1));
        calls.put(
                "createSharedConnectionConsumer",
                () -> closed.createSharedConnectionConsumer(topic, "s", null, () -> null, 1));
        calls.put(
                "createDurableConnectionConsumer",
                () -> closed.createDurableConnectionConsumer(topic, "s", null, () -> null, 1));
        calls.put(
                "createSharedDurableConnectionConsumer",
                () -> closed.createSharedDurableConnectionConsumer(topic, "s", null, () -> null, 1));
        return new ClosedCalls(calls);
    }

    static ClosedCalls of(Session closed, Queue queue, Topic topic) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("createBytesMessage", closed::createBytesMessage);
        calls.put("createMapMessage", closed::createMapMessage);
        calls.put("createMessage", closed::createMessage);
        calls.put("createObjectMessage()", closed::createObjectMessage);
        calls.put("createObjectMessage(object)", () -> closed.createObjectMessage("o"));
        calls.put("createStreamMessage", closed::createStreamMessage);
        calls.put("createTextMessage()", closed::createTextMessage);
        calls.put("createTextMessage(text)", () -> closed.createTextMessage("t"));
        calls.put("getTransacted", closed::getTransacted);
        calls.put("getAcknowledgeMode", closed::getAcknowledgeMode);
        calls.put("commit", closed::commit);
        calls.put("rollback", closed::rollback);
        calls.put("recover", closed::recover);
        calls.put("getMessageListener", closed::getMessageListener);
        calls.put("setMessageListener", () -> closed.setMessageListener(message -> {}));
        calls.put("createQueue", () -> closed.createQueue("q"));
        calls.put("createTopic", () -> closed.createTopic("t"));
        calls.put("createTemporaryQueue", closed::createTemporaryQueue);
        calls.put("createTemporaryTopic", closed::createTemporaryTopic);
        calls.put("unsubscribe", () -> closed.unsubscribe("s"));
        addCreations(calls, closed, queue);
        addCreations(calls, closed, topic);
        addSubscriptions(calls, closed, topic);
        calls.put("createBrowser(queue)", () -> closed.createBrowser(queue));
        calls.put("createBrowser(queue, selector)", () -> closed.createBrowser(queue, "n = 1"));
        return new ClosedCalls(calls);
    }

    private static void addCreations(Map<String, ThrowingCallable> calls, Session closed, Destination destination) {
        calls.put("createProducer(" + destination + ")", () -> closed.createProducer(destination));
        calls.put("createConsumer(" + destination + ")", () -> closed.createConsumer(destination));
        calls.put("createConsumer(" + destination + ", selector)", () -> closed.createConsumer(destination, "n = 1"));
        calls.put(
                "createConsumer(" + destination + ", selector, noLocal)",
                () -> closed.createConsumer(destination, "n = 1", true));
    }

    private static void addSubscriptions(Map<String, ThrowingCallable> calls, Session closed, Topic topic) {
        calls.put("createSharedConsumer(topic)", () -> closed.createSharedConsumer(topic, "s"));
        calls.put("createSharedConsumer(topic, selector)", () -> closed.createSharedConsumer(topic, "s", "n = 1"));
        calls.put("createDurableSubscriber(topic)", () -> closed.createDurableSubscriber(topic, "s"));
        calls.put(
                "createDurableSubscriber(topic, selector)",
                () -> closed.createDurableSubscriber(topic, "s", "n = 1", true));
        calls.put("createDurableConsumer(topic)", () -> closed.createDurableConsumer(topic, "s"));
        calls.put(
                "createDurableConsumer(topic, selector)",
                () -> closed.createDurableConsumer(topic, "s", "n = 1", true));
        calls.put("createSharedDurableConsumer(topic)", () -> closed.createSharedDurableConsumer(topic, "s"));
        calls.put(
                "createSharedDurableConsumer(topic, selector)",
                () -> closed.createSharedDurableConsumer(topic, "s", "n = 1"));
    }

    /** The message must be one that could be sent. */
    static ClosedCalls of(MessageProducer closed, Message message) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("send(message)", () -> closed.send(message));
        calls.put("send(message, options)", () -> closed.send(message, 1, 4, 0));
        calls.put("send(message, listener)", () -> closed.send(message, Completions.NONE));
        calls.put("getDeliveryMode", closed::getDeliveryMode);
        calls.put("setDeliveryMode", () -> closed.setDeliveryMode(1));
        calls.put("getPriority", closed::getPriority);
        calls.put("setPriority", () -> closed.setPriority(4));
        calls.put("getTimeToLive", closed::getTimeToLive);
        calls.put("setTimeToLive", () -> closed.setTimeToLive(1));
        calls.put("getDeliveryDelay", closed::getDeliveryDelay);
        calls.put("setDeliveryDelay", () -> closed.setDeliveryDelay(1));
        calls.put("getDestination", closed::getDestination);
        calls.put("getDisableMessageID", closed::getDisableMessageID);
        calls.put("setDisableMessageID", () -> closed.setDisableMessageID(true));
        calls.put("getDisableMessageTimestamp", closed::getDisableMessageTimestamp);
        calls.put("setDisableMessageTimestamp", () -> closed.setDisableMessageTimestamp(true));
        return new ClosedCalls(calls);
    }

    static ClosedCalls of(MessageConsumer closed) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("receive()", closed::receive);
        calls.put("receive(timeout)", () -> closed.receive(1));
        calls.put("receiveNoWait", closed::receiveNoWait);
        calls.put("getMessageSelector", closed::getMessageSelector);
        calls.put("getMessageListener", closed::getMessageListener);
        calls.put("setMessageListener", () -> closed.setMessageListener(message -> {}));
        return new ClosedCalls(calls);
    }

    static ClosedCalls of(QueueBrowser closed) {
        Map<String, ThrowingCallable> calls = new LinkedHashMap<>();
        calls.put("getQueue", closed::getQueue);
        calls.put("getMessageSelector", closed::getMessageSelector);
        calls.put("getEnumeration", closed::getEnumeration);
        return new ClosedCalls(calls);
    }
}
