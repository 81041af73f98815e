package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.InvalidDestinationException;
import jakarta.jms.JMSException;
import jakarta.jms.Queue;
import jakarta.jms.Topic;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Collections;
import javax.naming.NamingException;
import javax.naming.Reference;
import javax.naming.Referenceable;
import javax.naming.spi.NamingManager;
import org.junit.jupiter.api.Test;

/** Factories and destinations that were stored in a directory, or serialised. */
final class ReferenceTest {
    private static Object stored(Object object) throws Exception {
        return NamingManager.getObjectInstance(((Referenceable) object).getReference(), null, null, null);
    }

    private static Object copied(Object object) throws IOException, ClassNotFoundException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(object);
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    @Test
    void destinationsComeBackEqual() throws Exception {
        Queue queue = TurnstoneDestination.queue("orders.%2E.new");
        Topic topic = TurnstoneDestination.topic("orders");
        assertThat(stored(queue)).isEqualTo(queue).isInstanceOf(Queue.class).isNotEqualTo(topic);
        assertThat(stored(topic)).isEqualTo(topic).isInstanceOf(Topic.class);
        assertThat(copied(queue)).isEqualTo(queue).isInstanceOf(Queue.class);
        assertThat(copied(topic)).isEqualTo(topic).isInstanceOf(Topic.class);
    }

    @Test
    void whatIsNoNameIsRefused() {
        assertThatThrownBy(() -> TurnstoneDestination.queue("")).isInstanceOf(InvalidDestinationException.class);
        assertThatThrownBy(() -> TurnstoneDestination.queue("a.*")).isInstanceOf(InvalidDestinationException.class);
    }

    @Test
    void aFactoryComesBackWithAllThatWasSet() throws Exception {
        FakeBroker broker = new FakeBroker();
        TurnstoneConnectionFactory factory = broker.factory("?prefetch=4");
        factory.setClientID("me");
        factory.setUserName("user");
        factory.setPassword("secret");
        for (Object again : new Object[] {stored(factory), copied(factory)}) {
            assertThat(references((TurnstoneConnectionFactory) again)).isEqualTo(references(factory));
            try (var connection = ((TurnstoneConnectionFactory) again).createConnection()) {
                assertThat(connection.getClientID()).isEqualTo("me");
                assertThat(broker.connections()).isEqualTo(1);
            }
        }
    }

    @Test
    void aFactoryForGlobalTransactionsComesBackAsOne() throws Exception {
        TurnstoneXAConnectionFactory factory = new TurnstoneXAConnectionFactory("vm://?data=x");
        factory.setUserName("user");
        for (Object again : new Object[] {stored(factory), copied(factory)}) {
            assertThat(again).isInstanceOf(TurnstoneXAConnectionFactory.class);
            assertThat(references((TurnstoneXAConnectionFactory) again)).isEqualTo(references(factory));
        }
    }

    private static java.util.List<javax.naming.RefAddr> references(Referenceable factory)
            throws javax.naming.NamingException {
        return Collections.list(factory.getReference().getAll());
    }

    @Test
    void aFactoryWithoutUserComesBackWithoutUser() throws Exception {
        TurnstoneConnectionFactory again = (TurnstoneConnectionFactory) stored(new FakeBroker().factory(""));
        assertThat(references(again)).hasSize(1);
    }

    @Test
    void anothersReferenceIsLeftToOthersAndADamagedOneIsRefused() throws NamingException, JMSException {
        TurnstoneObjectFactory objects = new TurnstoneObjectFactory();
        assertThat(objects.getObjectInstance(new Reference("com.acme.Other"), null, null, null))
                .isNull();
        assertThat(objects.getObjectInstance("text", null, null, null)).isNull();
        assertThatThrownBy(() -> objects.getObjectInstance(new Reference(Queue.class.getName()), null, null, null))
                .isInstanceOf(NamingException.class)
                .hasMessageContaining("'name'");
    }
}
