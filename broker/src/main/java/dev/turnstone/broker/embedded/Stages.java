package dev.turnstone.broker.embedded;

import dev.turnstone.port.BrokerException;
import dev.turnstone.port.ErrorCode;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;

/** Waits for stages where waiting is allowed: never on a broker thread. */
final class Stages {
    private Stages() {}

    static <T> T await(CompletionStage<T> stage) {
        try {
            return stage.toCompletableFuture().get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof BrokerException refusal) {
                throw refusal;
            }
            throw new BrokerException(ErrorCode.STOPPED, "starting or stopping failed: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokerException(ErrorCode.STOPPED, "interrupted while starting or stopping", e);
        }
    }
}
