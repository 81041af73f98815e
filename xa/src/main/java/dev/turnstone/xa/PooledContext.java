package dev.turnstone.xa;

import jakarta.jms.ExceptionListener;
import jakarta.jms.JMSRuntimeException;
import jakarta.jms.XAJMSContext;
import org.jspecify.annotations.Nullable;

/** A context that may be used again. Any thread. */
final class PooledContext implements Pool.Pooled {
    private final Pool.Owner owner;
    private final XAJMSContext context;
    private final NamedResource resource;
    private volatile boolean broken;
    private volatile @Nullable ExceptionListener listener;

    PooledContext(Pool.Owner owner, String name, XAJMSContext context) {
        this.owner = owner;
        this.context = context;
        this.resource = new NamedResource(name, context.getXAResource());
        context.setExceptionListener(failure -> {
            broken = true;
            ExceptionListener told = listener;
            if (told != null) {
                told.onException(failure);
            }
        });
    }

    XAJMSContext context() {
        return context;
    }

    NamedResource resource() {
        return resource;
    }

    /** Who is told of failures while the context is in use. */
    void listener(@Nullable ExceptionListener told) {
        listener = told;
    }

    @Nullable
    ExceptionListener listener() {
        return listener;
    }

    @Override
    public Pool.Owner owner() {
        return owner;
    }

    @Override
    public boolean renew() {
        listener = null;
        broken |= resource.failed();
        if (!broken) {
            try {
                context.stop();
                context.setAutoStart(true);
            } catch (JMSRuntimeException e) {
                broken = true;
            }
        }
        return !broken;
    }

    @Override
    public void end() {
        Quietly.close(context::close);
    }
}
