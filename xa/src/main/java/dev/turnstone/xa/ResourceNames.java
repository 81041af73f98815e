package dev.turnstone.xa;

import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecord;
import com.arjuna.ats.internal.jta.resources.arjunacore.XAResourceRecordWrappingPlugin;
import javax.transaction.xa.XAResource;
import org.jboss.tm.XAResourceWrapper;

/**
 * Has the log hold each resource's name. By it recovery knows that a resource was asked and has no such branch any
 * more, so that its entry may go: without a name it would stay for ever. Any thread.
 */
final class ResourceNames implements XAResourceRecordWrappingPlugin {
    @Override
    public void transcribeWrapperData(XAResourceRecord record) {
        if (record.value() instanceof XAResourceWrapper named) {
            record.setProductName(named.getProductName());
            record.setProductVersion(named.getProductVersion());
            record.setJndiName(named.getJndiName());
        }
    }

    /** Branches' identifiers carry no number of their resource. */
    @Override
    public Integer getEISName(XAResource resource) {
        return 0;
    }

    @Override
    public String getEISName(Integer number) {
        return "unknown";
    }
}
