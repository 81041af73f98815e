package dev.turnstone.transport.vertx;

import io.netty.util.NetUtil;
import io.vertx.core.net.SocketAddress;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Peers in one form, whoever names them: an IPv6 address has several, and counts as one. Any thread. */
final class PeerAddress {
    private PeerAddress() {}

    /** The address alone, an IPv6 address as RFC 5952 has it; what is none stays as it is. */
    static String host(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return bytes == null ? host : NetUtil.toAddressString(InetAddress.getByAddress(bytes));
        } catch (UnknownHostException e) {
            throw new IllegalStateException("4 or 16 bytes are an address", e);
        }
    }

    /** Address and port, an IPv6 address in brackets. */
    static String text(SocketAddress peer) {
        String host = host(String.valueOf(peer.host()));
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + peer.port();
    }
}
