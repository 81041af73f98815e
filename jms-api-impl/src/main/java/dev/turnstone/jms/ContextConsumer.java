package dev.turnstone.jms;

import jakarta.jms.JMSConsumer;
import jakarta.jms.Message;
import jakarta.jms.MessageListener;
import org.jspecify.annotations.Nullable;

/** A consumer of the simplified API over one of the classic. One thread, but for close. */
final class ContextConsumer implements JMSConsumer {
    private final ClientConsumer consumer;

    ContextConsumer(ClientConsumer consumer) {
        this.consumer = consumer;
    }

    @Override
    public @Nullable String getMessageSelector() {
        return Unchecked.get(consumer::getMessageSelector);
    }

    @Override
    public @Nullable MessageListener getMessageListener() {
        return Unchecked.get(consumer::getMessageListener);
    }

    @Override
    public void setMessageListener(@Nullable MessageListener listener) {
        Unchecked.run(() -> consumer.setMessageListener(listener));
    }

    @Override
    public @Nullable Message receive() {
        return Unchecked.get(() -> consumer.receive());
    }

    @Override
    public @Nullable Message receive(long timeoutMs) {
        return Unchecked.get(() -> consumer.receive(timeoutMs));
    }

    @Override
    public @Nullable Message receiveNoWait() {
        return Unchecked.get(consumer::receiveNoWait);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type) {
        return receiveBody(type, 0);
    }

    @Override
    public <T> @Nullable T receiveBody(Class<T> type, long timeoutMs) {
        return Unchecked.get(() -> bodyOf(consumer.expecting(type).receive(timeoutMs), type));
    }

    @Override
    public <T> @Nullable T receiveBodyNoWait(Class<T> type) {
        return Unchecked.get(() -> bodyOf(consumer.expecting(type).receiveNoWait(), type));
    }

    private static <T> @Nullable T bodyOf(@Nullable Message message, Class<T> type) throws jakarta.jms.JMSException {
        if (message == null) {
            return null;
        }
        Messages.checkBody((ClientMessage) message, type);
        return message.getBody(type);
    }

    @Override
    public void close() {
        Unchecked.run(consumer::close);
    }
}
