package dev.turnstone.benchmarks.security;

import dev.turnstone.broker.security.Access;
import dev.turnstone.broker.security.Guard;
import dev.turnstone.broker.security.Security;
import dev.turnstone.port.Address;
import dev.turnstone.port.Login;
import dev.turnstone.server.security.Permission;
import dev.turnstone.server.security.Permissions;
import dev.turnstone.spi.Action;
import dev.turnstone.spi.Principal;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One check of a message's address: remembered, remembered among many, and asked anew of 100 permissions. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class AccessSpeed {
    private static final int ADDRESSES = 64;

    private final Principal principal = new Principal("alice", Set.of("clerks"), Principal.NEVER, "benchmark");
    private final Permissions permissions = permissions();
    private final Access access = new Guard(
                    new Security(Security.OPEN.authenticator(), permissions, Security.OPEN.audit()), 256)
            .admit(principal, new Login("alice", null, null, "benchmark", Login.SAME_JVM), "c1");
    /** Each an object of its own, as each frame of a socket makes one. */
    private final List<Address> same = addresses(1);

    private final List<Address> many = addresses(ADDRESSES);
    private int turn;

    private static Permissions permissions() {
        List<Permission> permissions = new ArrayList<>();
        for (int i = 0; i < 99; i++) {
            permissions.add(Permission.of(List.of("role" + i), "other" + i + ".>", List.of("all")));
        }
        permissions.add(Permission.of(List.of("clerks"), "shop.orders.*", List.of("send", "consume")));
        return new Permissions(permissions);
    }

    private static List<Address> addresses(int different) {
        List<Address> addresses = new ArrayList<>();
        for (int i = 0; i < ADDRESSES; i++) {
            addresses.add(Address.queue("shop.orders.q" + i % different));
        }
        return addresses;
    }

    /** A producer with one address. */
    @Benchmark
    public void sendToOneAddress() {
        access.checkSend(same.get(++turn % ADDRESSES));
    }

    /** A producer that goes round 64 addresses. */
    @Benchmark
    public void sendToManyAddresses() {
        access.checkSend(many.get(++turn % ADDRESSES));
    }

    /** What a delivery of a wildcard subscription asks. */
    @Benchmark
    public boolean deliveryFromManyAddresses() {
        return access.permits(Action.CONSUME, many.get(++turn % ADDRESSES));
    }

    /** What remembering spares. */
    @Benchmark
    public boolean undecided() {
        return permissions.allows(principal, null, Action.SEND, many.get(++turn % ADDRESSES));
    }
}
