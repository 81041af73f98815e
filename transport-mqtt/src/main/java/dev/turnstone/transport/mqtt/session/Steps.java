package dev.turnstone.transport.mqtt.session;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import dev.turnstone.transport.vertx.StateSession;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;

/**
 * What happens to MQTT's clients: for one client a step after the other, for all on one thread. {@link #run} and the
 * first {@link #add} may be called by any thread, the rest on that one.
 */
final class Steps {
    private final Executor thread;
    private final CompletableFuture<StateSession> state;
    /** The last step of each client for which something is going on. */
    private final Map<String, CompletionStage<?>> steps = new HashMap<>();

    /** None, before this session is there. */
    Steps(Executor thread, CompletableFuture<StateSession> state) {
        this.thread = thread;
        this.state = state;
    }

    /** True if a step for this client would be the first of all. */
    boolean none(String clientId) {
        return state.isDone() && !state.isCompletedExceptionally() && !steps.containsKey(clientId);
    }

    /** Runs something on the thread; if that has ended, this is the result. */
    void run(Runnable work, CompletableFuture<?> result) {
        try {
            thread.execute(work);
        } catch (RejectedExecutionException e) {
            result.completeExceptionally(new BrokerException(ErrorCode.STOPPED, "the broker has stopped", e));
        }
    }

    /** One step of what happens to a client, behind those before it. */
    <T> CompletableFuture<T> add(String clientId, Function<StateSession, CompletableFuture<T>> step) {
        CompletableFuture<T> result = new CompletableFuture<>();
        run(() -> add(clientId, step, result), result);
        return result;
    }

    /** One step of what happens to a client, behind those before it. */
    <T> void add(String clientId, Function<StateSession, CompletableFuture<T>> step, CompletableFuture<T> result) {
        CompletionStage<?> before = steps.getOrDefault(clientId, MqttSessions.done());
        CompletionStage<T> now = before.handleAsync((any, fault) -> null, thread)
                .thenCombine(state, (ignored, open) -> open)
                .thenComposeAsync(step, thread);
        steps.put(clientId, now);
        now.whenCompleteAsync(
                (value, fault) -> {
                    steps.remove(clientId, now);
                    if (fault == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(cause(fault));
                    }
                },
                thread);
    }

    /** What a stage has failed for. */
    static Throwable cause(Throwable fault) {
        return fault instanceof CompletionException && fault.getCause() != null ? fault.getCause() : fault;
    }
}
