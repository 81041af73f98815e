package dev.turnstone.xa;

import com.arjuna.ats.arjuna.common.Uid;
import com.arjuna.ats.arjuna.exceptions.ObjectStoreException;
import com.arjuna.ats.arjuna.objectstore.StateStatus;
import com.arjuna.ats.arjuna.objectstore.StoreManager;
import com.arjuna.ats.arjuna.recovery.RecoveryManager;
import com.arjuna.ats.arjuna.recovery.RecoveryModule;
import com.arjuna.ats.arjuna.state.InputObjectState;
import com.arjuna.ats.internal.arjuna.common.UidHelper;
import com.arjuna.ats.internal.jta.recovery.arjunacore.RecoveryXids;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.internal.jta.transaction.arjunacore.AtomicAction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Narayana's recovery: at the start, and then in the background. Any thread. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    /** A second scan removes the entries of what the first has completed. */
    private static final int FIRST_SCANS = 2;
    /** How long a branch without an entry in the log must have been seen before it is rolled back. */
    private static final int ORPHAN_MS = (int) TimeUnit.SECONDS.toMillis(10);

    private final RecoveryManager manager;
    private final XARecoveryModule xa;
    private final List<RecoverySource> sources = new ArrayList<>();

    Recovery() {
        RecoveryManager.delayRecoveryManagerThread();
        manager = RecoveryManager.manager(RecoveryManager.INDIRECT_MANAGEMENT);
        manager.initialize();
        xa = manager.getModules().stream()
                .filter(XARecoveryModule.class::isInstance)
                .map(XARecoveryModule.class::cast)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("Narayana has no recovery of XA resources"));
    }

    void add(RecoverySource source) {
        sources.add(source);
        xa.addXAResourceRecoveryHelper(source);
    }

    /** Completes what is left, then goes on in the background. */
    void start() {
        // No transaction of this process can be meant yet: there is none.
        RecoveryXids.setSafetyIntervalMillis(0);
        for (int i = 0; i < FIRST_SCANS; i++) {
            scan();
        }
        RecoveryXids.setSafetyIntervalMillis(ORPHAN_MS);
        int left = logged();
        if (left > 0) {
            LOG.warn("{} transactions could not be completed yet; recovery goes on trying", left);
        }
        manager.startRecoveryManagerThread();
    }

    /** Both passes over all modules; Narayana's own way rests for seconds between them. */
    synchronized void scan() {
        List<RecoveryModule> modules = List.copyOf(manager.getModules());
        modules.forEach(RecoveryModule::periodicWorkFirstPass);
        modules.forEach(RecoveryModule::periodicWorkSecondPass);
    }

    /** How many transactions the log holds. */
    int logged() {
        InputObjectState found = new InputObjectState();
        try {
            int count = 0;
            String type = new AtomicAction().type();
            if (StoreManager.getRecoveryStore().allObjUids(type, found, StateStatus.OS_UNKNOWN)) {
                while (UidHelper.unpackFrom(found).notEquals(Uid.nullUid())) {
                    count++;
                }
            }
            return count;
        } catch (ObjectStoreException | IOException e) {
            throw new IllegalStateException("the transaction log cannot be read", e);
        }
    }

    void stop() {
        manager.terminate(false);
        // A scan may have ended between its passes, where the module lets nobody take a helper away.
        xa.periodicWorkSecondPass();
        sources.forEach(xa::removeXAResourceRecoveryHelper);
        sources.forEach(RecoverySource::close);
    }
}
