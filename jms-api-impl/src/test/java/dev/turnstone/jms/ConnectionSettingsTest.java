package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.jms.JMSException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ConnectionSettingsTest {
    @Test
    void ownParametersAreTakenOutAndTheOthersLeftToTheConnector() throws JMSException {
        ConnectionSettings settings = ConnectionSettings.parse(
                "vm://?data=./data&prefetch=7&wholeBytesMax=9&clientID=shop-1&listen=stomp=127.0.0.1:0&ack.sync=false");
        assertThat(settings.broker()).hasToString("vm:///?data=./data&listen=stomp=127.0.0.1:0");
        assertThat(settings.prefetch()).isEqualTo(7);
        assertThat(settings.durableAcknowledgements()).isFalse();
        assertThat(settings.wholeBytesMax()).isEqualTo(9);
        assertThat(settings.clientId()).isEqualTo("shop-1");
    }

    @Test
    void withoutParametersTheDefaultsHold() throws JMSException {
        ConnectionSettings settings = ConnectionSettings.parse("tcp://host:1234");
        assertThat(settings.broker()).hasToString("tcp://host:1234");
        assertThat(settings.prefetch()).isEqualTo(1_000);
        assertThat(settings.durableAcknowledgements()).isTrue();
        assertThat(settings.objects()).isEqualTo(AllowedClasses.NONE);
        assertThat(settings.wholeBytesMax()).isEqualTo(16 << 20);
        assertThat(settings.clientId()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "vm://?prefetch=0",
                "vm://?prefetch=many",
                "vm://?prefetch",
                "vm://?ack.sync=perhaps",
                "vm://?wholeBytesMax=-1",
                "vm://?wholeBytesMax=2147483640",
                "vm://?prefetch=1&prefetch=2",
                "vm://?clientID=",
                "vm://?data=a b",
                "vm://?object.allow=java.util.*;!java.lang.*",
                "data",
                ""
            })
    void aUrlThatCannotBeUnderstoodIsNamed(String url) {
        assertThatThrownBy(() -> ConnectionSettings.parse(url))
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("broker URL");
    }

    @Test
    void anUnknownSchemeIsAnsweredWithTheKnownOnes() {
        assertThatThrownBy(() -> new TurnstoneConnectionFactory("pigeon://coop").createConnection())
                .isInstanceOf(JMSException.class)
                .hasMessageContaining("pigeon")
                .hasMessageContaining("fake");
    }
}
