package dev.turnstone.jms.jndi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.turnstone.jms.TurnstoneConnectionFactory;
import dev.turnstone.jms.TurnstoneDestination;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.List;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.ConfigurationException;
import javax.naming.Context;
import javax.naming.InitialContext;
import javax.naming.NameNotFoundException;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.junit.jupiter.api.Test;

@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // its API wants a Hashtable; no look-up goes elsewhere
final class InitialContextTest {
    private static InitialContext directory(String... settings) throws NamingException {
        Hashtable<String, String> environment = new Hashtable<>();
        environment.put(Context.INITIAL_CONTEXT_FACTORY, TurnstoneInitialContextFactory.class.getName());
        for (String setting : settings) {
            int equals = setting.indexOf('=');
            environment.put(setting.substring(0, equals), setting.substring(equals + 1));
        }
        return new InitialContext(environment);
    }

    private static List<String> names(Context context, String name) throws NamingException {
        List<String> names = new ArrayList<>();
        for (Binding binding : Collections.list(context.listBindings(name))) {
            names.add(binding.getName());
        }
        return names;
    }

    @Test
    void factoriesQueuesAndTopicsAreFoundUnderTheirNames() throws Exception {
        InitialContext directory = directory(
                "connectionfactory.jms/local=fake://x?prefetch=7",
                "queue.jms/orders=shop.orders",
                "topic.prices=shop.prices",
                Context.SECURITY_PRINCIPAL + "=shop",
                Context.SECURITY_CREDENTIALS + "=secret");
        TurnstoneConnectionFactory factory = (TurnstoneConnectionFactory) directory.lookup("jms/local");
        assertThat(factory.getReference().get("url").getContent()).isEqualTo("fake://x?prefetch=7");
        assertThat(factory.getReference().get("userName").getContent()).isEqualTo("shop");
        assertThat(factory.getReference().get("password").getContent()).isEqualTo("secret");
        assertThat(directory.lookup("jms/orders")).isEqualTo(TurnstoneDestination.queue("shop.orders"));
        assertThat(directory.lookup(new CompositeName("prices"))).isEqualTo(TurnstoneDestination.topic("shop.prices"));
    }

    @Test
    void levelsOfNamesAreDirectoriesOfTheirOwn() throws NamingException {
        InitialContext directory = directory("queue.jms/a/one=1", "queue.jms/a/two=2", "topic.jms/b=3");
        assertThat(names(directory, "")).containsExactly("jms");
        assertThat(names(directory, "jms")).containsExactly("a", "b");
        assertThat(names((Context) directory.lookup("jms/a"), "")).containsExactly("one", "two");
        assertThat(Collections.list(directory.list("jms/a"))).hasSize(2);
        assertThatThrownBy(() -> directory.list("jms/b")).isInstanceOf(NotContextException.class);
    }

    @Test
    void aNameThatIsNotBoundIsNotFoundAndTheErrorTellsWhatIs() throws NamingException {
        InitialContext directory = directory("queue.orders=shop.orders");
        assertThatThrownBy(() -> directory.lookup("order"))
                .isInstanceOf(NameNotFoundException.class)
                .hasMessageContaining("orders");
    }

    @Test
    void badSettingsAreRefusedWithTheirName() {
        assertThatThrownBy(() -> directory("queue.orders=shop.*"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("queue.orders");
        assertThatThrownBy(() -> directory("queue.=x")).isInstanceOf(ConfigurationException.class);
        assertThatThrownBy(() -> directory("queue.x=x", "topic.x=x"))
                .isInstanceOf(ConfigurationException.class)
                .hasMessageContaining("'x'");
    }

    @Test
    void nothingCanBeBound() throws NamingException {
        InitialContext directory = directory();
        assertThatThrownBy(() -> directory.bind("x", "y")).isInstanceOf(OperationNotSupportedException.class);
        assertThatThrownBy(() -> directory.unbind("x")).isInstanceOf(OperationNotSupportedException.class);
    }
}
