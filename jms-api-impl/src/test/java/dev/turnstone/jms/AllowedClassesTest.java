package dev.turnstone.jms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import jakarta.jms.JMSException;
import jakarta.jms.MessageFormatException;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.time.DayOfWeek;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class AllowedClassesTest {
    private static final AtomicInteger DESERIALISED = new AtomicInteger();

    private static final class Harmful implements Serializable {
        private void readObject(ObjectInputStream input) throws IOException, ClassNotFoundException {
            input.defaultReadObject();
            DESERIALISED.incrementAndGet();
        }
    }

    private static Serializable throughWire(Serializable object, AllowedClasses allowed) throws JMSException {
        return allowed.deserialise(ByteBuffer.wrap(allowed.serialise(object)));
    }

    private static void assertRefused(Serializable object, AllowedClasses allowed) {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> throughWire(object, allowed))
                .withMessageContaining("is not allowed by the setting object.allow");
    }

    @Test
    void withoutTheSettingOnlyStringsComeIn() throws JMSException {
        assertThat(throughWire("text", AllowedClasses.NONE)).isEqualTo("text");
        assertRefused(1, AllowedClasses.NONE);
        assertRefused(new ArrayList<>(), AllowedClasses.NONE);
        assertRefused(DayOfWeek.MONDAY, AllowedClasses.NONE);
    }

    @Test
    void aRefusedClassRunsNoCode() {
        assertRefused(new Harmful(), AllowedClasses.NONE);
        assertRefused(new ArrayList<>(List.of(new Harmful())), AllowedClasses.matching("java.util.*"));
        assertThat(DESERIALISED).hasValue(0);
    }

    @Test
    void classesAndPackagesAreAllowedByTheirPatterns() throws JMSException {
        ArrayList<String> list = new ArrayList<>(List.of("a"));
        assertThat(throughWire(list, AllowedClasses.matching("java.util.ArrayList")))
                .isEqualTo(list);
        assertThat(throughWire(list, AllowedClasses.matching("java.time.**, java.util.*")))
                .isEqualTo(list);
        assertThat(throughWire(DayOfWeek.MONDAY, AllowedClasses.matching("java.time.**")))
                .isEqualTo(DayOfWeek.MONDAY);
        assertThat(throughWire(1L, AllowedClasses.matching("java.lang.Long"))).isEqualTo(1L);
        assertRefused(new HashMap<>(), AllowedClasses.matching("java.util.ArrayList"));
    }

    @Test
    void bytesThatAreNoObjectAreAMessageFormatException() {
        assertThatExceptionOfType(MessageFormatException.class)
                .isThrownBy(() -> AllowedClasses.NONE.deserialise(ByteBuffer.wrap(new byte[] {1, 2, 3})));
    }
}
