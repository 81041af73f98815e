package dev.turnstone.jms;

import jakarta.jms.ConnectionMetaData;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;

/** Names and versions (Jakarta Messaging 3.1 §6.1.8). Immutable. */
final class ClientMetaData implements ConnectionMetaData {
    private static final int MAJOR = 0;
    private static final int MINOR = 1;

    @Override
    public String getJMSVersion() {
        return "3.1";
    }

    @Override
    public int getJMSMajorVersion() {
        return 3;
    }

    @Override
    public int getJMSMinorVersion() {
        return 1;
    }

    @Override
    public String getJMSProviderName() {
        return "Turnstone";
    }

    @Override
    public String getProviderVersion() {
        return MAJOR + "." + MINOR;
    }

    @Override
    public int getProviderMajorVersion() {
        return MAJOR;
    }

    @Override
    public int getProviderMinorVersion() {
        return MINOR;
    }

    @Override
    public Enumeration<String> getJMSXPropertyNames() {
        return Collections.enumeration(List.of(
                Properties.GROUP_ID, Properties.GROUP_SEQUENCE, Properties.GROUP_FIRST, Properties.DELIVERY_COUNT));
    }
}
