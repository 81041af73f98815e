package dev.turnstone.xa;

import com.arjuna.ats.arjuna.common.CoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.CoreEnvironmentBeanException;
import com.arjuna.ats.arjuna.common.ObjectStoreEnvironmentBean;
import com.arjuna.ats.arjuna.common.RecoveryEnvironmentBean;
import com.arjuna.ats.arjuna.common.arjPropertyManager;
import com.arjuna.ats.arjuna.common.recoveryPropertyManager;
import com.arjuna.ats.internal.arjuna.recovery.AtomicActionRecoveryModule;
import com.arjuna.ats.internal.arjuna.utils.UuidProcessId;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTAActionStatusServiceXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTANodeNameXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.JTATransactionLogXAResourceOrphanFilter;
import com.arjuna.ats.internal.jta.recovery.arjunacore.XARecoveryModule;
import com.arjuna.ats.jta.common.JTAEnvironmentBean;
import com.arjuna.ats.jta.common.jtaPropertyManager;
import com.arjuna.common.internal.util.propertyservice.BeanPopulator;
import java.util.List;

/** What Narayana is told before its first use: where its log is, and no sockets. */
final class NarayanaBeans {
    private NarayanaBeans() {}

    static void set(StoreFolder folder, NarayanaConfig config) {
        String node = node(folder, config);
        CoreEnvironmentBean core = arjPropertyManager.getCoreEnvironmentBean();
        // Its default finds a number for the process by opening a port.
        core.setProcessImplementationClassName(UuidProcessId.class.getName());
        try {
            core.setNodeIdentifier(node);
        } catch (CoreEnvironmentBeanException e) {
            throw new IllegalArgumentException("the node id '" + node + "' cannot be used", e);
        }
        for (String store : new String[] {null, "communicationStore", "stateStore"}) {
            ObjectStoreEnvironmentBean bean = store == null
                    ? arjPropertyManager.getObjectStoreEnvironmentBean()
                    : BeanPopulator.getNamedInstance(ObjectStoreEnvironmentBean.class, store);
            bean.setObjectStoreDir(folder.log().toAbsolutePath().toString());
        }
        // Others would ask it over a port what becomes of a transaction; here nobody else has this log.
        arjPropertyManager.getCoordinatorEnvironmentBean().setTransactionStatusManagerEnable(false);
        arjPropertyManager.getCoordinatorEnvironmentBean().setDefaultTimeout(config.timeoutSeconds());
        recovery(config);
        jta(node);
    }

    /** Who the manager is. */
    static String node(StoreFolder folder, NarayanaConfig config) {
        return config.nodeId() == null ? folder.nodeId() : config.nodeId();
    }

    private static void recovery(NarayanaConfig config) {
        RecoveryEnvironmentBean bean = recoveryPropertyManager.getRecoveryEnvironmentBean();
        bean.setRecoveryModuleClassNames(
                List.of(AtomicActionRecoveryModule.class.getName(), XARecoveryModule.class.getName()));
        bean.setExpiryScannerClassNames(List.of());
        bean.setRecoveryActivatorClassNames(List.of());
        bean.setRecoveryListener(false);
        bean.setPeriodicRecoveryPeriod(config.recoverySeconds());
        bean.setRecoveryBackoffPeriod(1);
    }

    private static void jta(String node) {
        JTAEnvironmentBean bean = jtaPropertyManager.getJTAEnvironmentBean();
        bean.setXaRecoveryNodes(List.of(node));
        bean.setXaResourceOrphanFilterClassNames(List.of(
                JTATransactionLogXAResourceOrphanFilter.class.getName(),
                JTANodeNameXAResourceOrphanFilter.class.getName(),
                JTAActionStatusServiceXAResourceOrphanFilter.class.getName()));
        bean.setXAResourceRecordWrappingPlugin(new ResourceNames());
    }
}
