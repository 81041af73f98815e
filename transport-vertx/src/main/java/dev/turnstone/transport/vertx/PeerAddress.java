package dev.turnstone.transport.vertx;

import io.netty.util.NetUtil;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Arrays;

/** Peers in one form, whoever names them: an IPv6 address has several, and counts as one. Any thread. */
public final class PeerAddress {
    private static final int IPV6_BYTES = 16;
    private static final int NETWORK_BYTES = 8;

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

    /** The same of an address that is known. */
    static String network(InetAddress address) {
        String host = address.getHostAddress();
        return address instanceof Inet4Address ? host : network(host);
    }

    /**
     * Who counts as one for limits by address: an IPv4 address; of an IPv6 address its network of 64 bits, for that is
     * the least that anybody is given, and each of its addresses is theirs to take.
     */
    public static String network(String host) {
        byte[] bytes = NetUtil.createByteArrayFromIpAddressString(host);
        String address = host(host);
        if (bytes == null || bytes.length != IPV6_BYTES || address.indexOf(':') < 0) {
            return address;
        }
        Arrays.fill(bytes, NETWORK_BYTES, IPV6_BYTES, (byte) 0);
        try {
            return NetUtil.toAddressString(InetAddress.getByAddress(bytes)) + "/64";
        } catch (UnknownHostException e) {
            throw new IllegalStateException("16 bytes are an address", e);
        }
    }

    /**
     * The client that a proxy has announced. A proxy's own client on its machine (AF_UNIX) has no address: then it is
     * the proxy, as when it speaks for itself.
     */
    static SocketAddress client(SocketAddress announced, SocketAddress peer) {
        return announced.host() == null ? peer : announced;
    }

    /** The client of a request. */
    public static SocketAddress of(HttpServerRequest request) {
        return client(request.remoteAddress(), request.connection().remoteAddress(true));
    }

    /** Address and port, an IPv6 address in brackets. */
    public static String text(SocketAddress peer) {
        String host = host(String.valueOf(peer.host()));
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + peer.port();
    }
}
