package dev.turnstone.jms;

import jakarta.jms.IllegalStateException;
import jakarta.jms.IllegalStateRuntimeException;
import jakarta.jms.InvalidClientIDException;
import jakarta.jms.InvalidClientIDRuntimeException;
import jakarta.jms.InvalidDestinationException;
import jakarta.jms.InvalidDestinationRuntimeException;
import jakarta.jms.InvalidSelectorException;
import jakarta.jms.InvalidSelectorRuntimeException;
import jakarta.jms.JMSException;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.JMSSecurityException;
import jakarta.jms.JMSSecurityRuntimeException;
import jakarta.jms.MessageFormatException;
import jakarta.jms.MessageFormatRuntimeException;
import jakarta.jms.MessageNotWriteableException;
import jakarta.jms.MessageNotWriteableRuntimeException;
import jakarta.jms.ResourceAllocationException;
import jakarta.jms.ResourceAllocationRuntimeException;
import jakarta.jms.TransactionInProgressException;
import jakarta.jms.TransactionInProgressRuntimeException;
import jakarta.jms.TransactionRolledBackException;
import jakarta.jms.TransactionRolledBackRuntimeException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Calls the classic API for the simplified one, whose exceptions are unchecked (Jakarta Messaging 3.1 §10.5). */
final class Unchecked {
    private static final Map<Class<? extends JMSException>, Maker> MAKERS = new LinkedHashMap<>();

    static {
        MAKERS.put(IllegalStateException.class, IllegalStateRuntimeException::new);
        MAKERS.put(InvalidClientIDException.class, InvalidClientIDRuntimeException::new);
        MAKERS.put(InvalidDestinationException.class, InvalidDestinationRuntimeException::new);
        MAKERS.put(InvalidSelectorException.class, InvalidSelectorRuntimeException::new);
        MAKERS.put(JMSSecurityException.class, JMSSecurityRuntimeException::new);
        MAKERS.put(MessageFormatException.class, MessageFormatRuntimeException::new);
        MAKERS.put(MessageNotWriteableException.class, MessageNotWriteableRuntimeException::new);
        MAKERS.put(ResourceAllocationException.class, ResourceAllocationRuntimeException::new);
        MAKERS.put(TransactionInProgressException.class, TransactionInProgressRuntimeException::new);
        MAKERS.put(TransactionRolledBackException.class, TransactionRolledBackRuntimeException::new);
    }

    private interface Maker {
        JMSRuntimeException make(String text, @Nullable String code, Throwable cause);
    }

    /** Something of the classic API that gives a result. */
    @FunctionalInterface
    interface Call<T extends @Nullable Object> {
        T get() throws JMSException;
    }

    /** Something of the classic API that gives none. */
    @FunctionalInterface
    interface Action {
        void run() throws JMSException;
    }

    private Unchecked() {}

    static <T extends @Nullable Object> T get(Call<T> call) {
        try {
            return call.get();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    static void run(Action action) {
        try {
            action.run();
        } catch (JMSException e) {
            throw of(e);
        }
    }

    static JMSRuntimeException of(JMSException checked) {
        Maker maker = MAKERS.getOrDefault(checked.getClass(), JMSRuntimeException::new);
        return maker.make(checked.getMessage(), checked.getErrorCode(), checked);
    }
}
