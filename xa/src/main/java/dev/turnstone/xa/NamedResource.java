package dev.turnstone.xa;

import javax.transaction.xa.XAException;
import javax.transaction.xa.XAResource;
import javax.transaction.xa.Xid;
import org.jboss.tm.XAResourceWrapper;
import org.jspecify.annotations.Nullable;

/** A resource with a name that stays the same over restarts, which notes whether it has failed. Any thread. */
final class NamedResource implements XAResourceWrapper {
    private final String name;
    private final XAResource resource;
    private volatile boolean failed;

    NamedResource(String name, XAResource resource) {
        this.name = name;
        this.resource = resource;
    }

    /** Whether a verb has failed in a way that leaves the resource in doubt. */
    boolean failed() {
        return failed;
    }

    @FunctionalInterface
    private interface Verb<T extends @Nullable Object> {
        T call() throws XAException;
    }

    private <T extends @Nullable Object> T noted(Verb<T> verb) throws XAException {
        try {
            return verb.call();
        } catch (XAException e) {
            // That a branch has rolled back, or is not known any more, is an answer.
            failed |= e.errorCode < 0 && e.errorCode != XAException.XAER_NOTA;
            throw e;
        }
    }

    private void noted(VoidVerb verb) throws XAException {
        noted(() -> {
            verb.call();
            return null;
        });
    }

    @FunctionalInterface
    private interface VoidVerb {
        void call() throws XAException;
    }

    @Override
    public void start(Xid xid, int flags) throws XAException {
        noted(() -> resource.start(xid, flags));
    }

    @Override
    public void end(Xid xid, int flags) throws XAException {
        noted(() -> resource.end(xid, flags));
    }

    @Override
    public int prepare(Xid xid) throws XAException {
        return noted(() -> resource.prepare(xid));
    }

    @Override
    public void commit(Xid xid, boolean onePhase) throws XAException {
        noted(() -> resource.commit(xid, onePhase));
    }

    @Override
    public void rollback(Xid xid) throws XAException {
        noted(() -> resource.rollback(xid));
    }

    @Override
    public void forget(Xid xid) throws XAException {
        noted(() -> resource.forget(xid));
    }

    @Override
    public Xid[] recover(int flags) throws XAException {
        return noted(() -> resource.recover(flags));
    }

    @Override
    public boolean isSameRM(XAResource other) throws XAException {
        return resource.isSameRM(other instanceof NamedResource named ? named.resource : other);
    }

    @Override
    public int getTransactionTimeout() throws XAException {
        return resource.getTransactionTimeout();
    }

    @Override
    public boolean setTransactionTimeout(int seconds) throws XAException {
        return resource.setTransactionTimeout(seconds);
    }

    @Override
    public XAResource getResource() {
        return resource;
    }

    @Override
    public String getProductName() {
        return name;
    }

    @Override
    public String getProductVersion() {
        return "";
    }

    @Override
    public String getJndiName() {
        return name;
    }

    @Override
    public String toString() {
        return "XAResource[" + name + "]";
    }
}
