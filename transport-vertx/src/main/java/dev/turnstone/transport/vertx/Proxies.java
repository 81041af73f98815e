package dev.turnstone.transport.vertx;

import dev.turnstone.spi.ListenSetting;
import io.netty.handler.ipfilter.IpFilterRuleType;
import io.netty.handler.ipfilter.IpSubnetFilterRule;
import io.netty.util.NetUtil;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/**
 * The addresses from which proxies connect to a listener. If there are any, nobody else may connect, and each
 * connection begins with a header of the PROXY protocol, version 1 or 2, that says who the client is: its address then
 * counts for limits, logins and the audit log, as if it had come by itself. Immutable.
 */
final class Proxies {
    static final ListenSetting SETTING = new ListenSetting(
            "proxies", "", "addresses and networks of [proxies](security.md#behind-a-proxy); nobody else may connect");

    private final List<IpSubnetFilterRule> allowed;

    private Proxies(List<IpSubnetFilterRule> allowed) {
        this.allowed = List.copyOf(allowed);
    }

    /** Reads addresses such as {@code 10.0.0.7}, and networks such as {@code 10.0.0.0/24} and {@code fd00::/8}. */
    static Proxies read(ListenSettings settings) {
        List<IpSubnetFilterRule> allowed = new ArrayList<>();
        for (String text : settings.texts(SETTING)) {
            if (text.isEmpty()) {
                continue;
            }
            int slash = text.indexOf('/');
            String address = slash < 0 ? text : text.substring(0, slash);
            byte[] bytes = NetUtil.createByteArrayFromIpAddressString(address);
            int bitsMax = bytes == null ? -1 : bytes.length * 8;
            int bits = slash < 0 ? bitsMax : bits(text.substring(slash + 1));
            if (bytes == null || bits < 0 || bits > bitsMax) {
                throw settings.refused(SETTING.name()
                        + " must be addresses as 10.0.0.7 or networks as 10.0.0.0/24, not '" + text + "'");
            }
            allowed.add(new IpSubnetFilterRule(address, bits, IpFilterRuleType.ACCEPT));
        }
        return new Proxies(allowed);
    }

    private static int bits(String text) {
        return text.matches("\\d{1,3}") ? Integer.parseInt(text) : -1;
    }

    /** Whether clients come through proxies. */
    boolean expected() {
        return !allowed.isEmpty();
    }

    boolean allow(InetSocketAddress peer) {
        return allowed.stream().anyMatch(rule -> rule.matches(peer));
    }
}
