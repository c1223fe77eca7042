package org.crabro.container.http;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.container.http.HttpSettings.ConnectionLimits;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The open connections of a port, and which of them are closed early:
 *
 * <ul>
 *   <li>one whose client does not finish the headers of a request in time; the time begins when the
 *       connection is accepted, and for later requests with their first byte
 *   <li>those idle for longest, when the port has few connections left
 *   <li>new ones of an address that has too many already
 * </ul>
 *
 * <p>A connection is idle while no request is under way on it.
 */
final class OpenConnections implements Connection.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(OpenConnections.class);

    /** The share of connections that may be open before idle ones are closed: 1 - 1/10. */
    private static final int RESERVED_DIVISOR = 10;

    /** The share of connections that is closed at a time, so that this is rare. */
    private static final int EVICTED_DIVISOR = 20;

    /** The interval of checks, as a part of the deadline. */
    private static final int LOOKS = 20;

    private static final long LOG_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final int PREFIX_BYTES = 8;

    private final ConnectionLimits limits;
    private final Set<Tracked> open = ConcurrentHashMap.newKeySet();
    private final Map<InetAddress, Integer> byAddress = new ConcurrentHashMap<>();
    private final AtomicLong slow = new AtomicLong();
    private final AtomicLong evicted = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private long loggedAt = System.nanoTime() - LOG_NANOS;

    OpenConnections(ConnectionLimits limits) {
        this.limits = limits;
    }

    /** One connection; its end point reports here. */
    static final class Tracked {
        private final EndPoint endPoint;
        private final AtomicInteger requests = new AtomicInteger();

        /** Time at which the last request ended, by {@link System#nanoTime}. */
        private volatile long idleSince = System.nanoTime();

        /** Time at which the client began to send a request, 0 while it sends none. */
        private volatile long headersSince = System.nanoTime() | 1;

        private volatile boolean isMultiplexed;

        /** Bytes of the bodies of its requests. */
        private final AtomicLong bodyBytes = new AtomicLong();

        /** The address under which it is counted; the end point loses it when it closes. */
        private final InetAddress group;

        Tracked(EndPoint endPoint) {
            this.endPoint = endPoint;
            this.group = group(endPoint.getRemoteSocketAddress());
        }

        /** Reports that bytes have arrived. */
        void received() {
            if (headersSince == 0 && !isMultiplexed && requests.get() == 0) {
                headersSince = System.nanoTime() | 1;
            }
        }

        private void begin() {
            requests.incrementAndGet();
            headersSince = 0;
        }

        private void end() {
            idleSince = System.nanoTime();
            requests.decrementAndGet();
        }

        private boolean isSlow(long now, long limit) {
            long since = headersSince;
            return since != 0 && now - since > limit;
        }
    }

    /** An end point that is tracked. */
    interface TrackedEndPoint {
        Tracked tracked();
    }

    /** Starts to check deadlines, until {@code scheduler} stops. */
    void watch(Scheduler scheduler) {
        Duration pause = limits.headerTimeout().dividedBy(LOOKS);
        scheduler.schedule(
                () -> {
                    closeSlow();
                    log();
                    watch(scheduler);
                },
                Math.clamp(pause.toMillis(), 1, 1000),
                TimeUnit.MILLISECONDS);
    }

    /** Returns whether an address may have another connection. */
    boolean admits(SocketAddress remote) {
        if (byAddress.getOrDefault(group(remote), 0) < limits.maxPerAddress()) {
            return true;
        }
        refused.incrementAndGet();
        return false;
    }

    /** Counts a connection, and closes idle ones if few are left. */
    void opened(Tracked connection) {
        byAddress.merge(connection.group, 1, Integer::sum);
        open.add(connection);
        if (open.size() >= limits.max() - limits.max() / RESERVED_DIVISOR) {
            evict();
        }
    }

    void closed(Tracked connection) {
        if (open.remove(connection)) {
            byAddress.computeIfPresent(
                    connection.group, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    private synchronized void evict() {
        List<Tracked> idle =
                open.stream()
                        .filter(each -> each.requests.get() == 0)
                        .sorted(Comparator.comparingLong(each -> each.idleSince))
                        .limit(limits.max() / EVICTED_DIVISOR + 1)
                        .toList();
        evicted.addAndGet(idle.size());
        idle.forEach(each -> each.endPoint.close());
    }

    private void closeSlow() {
        long now = System.nanoTime();
        long limit = limits.headerTimeout().toNanos();
        for (Tracked each : open) {
            if (each.isSlow(now, limit)) {
                slow.incrementAndGet();
                each.endPoint.close();
            }
        }
    }

    private void log() {
        long now = System.nanoTime();
        if (now - loggedAt > LOG_NANOS && slow.get() + evicted.get() + refused.get() > 0) {
            loggedAt = now;
            LOG.warn(
                    "connections closed: {} without the headers of a request after {},"
                            + " {} idle ones to make room, {} beyond {} of their address",
                    slow.getAndSet(0),
                    limits.headerTimeout(),
                    evicted.getAndSet(0),
                    refused.getAndSet(0),
                    limits.maxPerAddress());
        }
    }

    /** Connections of HTTP/2 send other bytes than requests: they have no deadline for headers. */
    @Override
    public void onOpened(Connection connection) {
        if (raw(connection.getEndPoint()) instanceof TrackedEndPoint tracked) {
            tracked.tracked().isMultiplexed = true;
            tracked.tracked().headersSince = 0;
        }
    }

    /** Returns a handler that records which connections are idle. */
    Handler counting(Handler handler) {
        return new Handler.Wrapper(handler) {
            @Override
            public boolean handle(Request request, Response response, Callback callback)
                    throws Exception {
                EndPoint endPoint =
                        raw(request.getConnectionMetaData().getConnection().getEndPoint());
                if (endPoint instanceof TrackedEndPoint trackedEndPoint) {
                    Tracked tracked = trackedEndPoint.tracked();
                    tracked.begin();
                    Request.addCompletionListener(request, _ -> tracked.end());
                }
                return super.handle(request, response, callback);
            }
        };
    }

    /** Returns the count of the bytes of all bodies of the connection of a request. */
    static AtomicLong bodyBytes(Request request) {
        return raw(request.getConnectionMetaData().getConnection().getEndPoint())
                        instanceof TrackedEndPoint tracked
                ? tracked.tracked().bodyBytes
                : new AtomicLong();
    }

    private static EndPoint raw(EndPoint endPoint) {
        EndPoint raw = endPoint;
        while (raw instanceof EndPoint.Wrapper wrapper) {
            raw = wrapper.unwrap();
        }
        return raw;
    }

    /**
     * Returns the address, or the network of 64 bits of an IPv6 address: hosts own such networks.
     */
    private static InetAddress group(SocketAddress remote) {
        InetAddress address =
                remote instanceof InetSocketAddress internet && internet.getAddress() != null
                        ? internet.getAddress()
                        : InetAddress.getLoopbackAddress();
        if (!(address instanceof Inet6Address)) {
            return address;
        }
        byte[] network = address.getAddress();
        Arrays.fill(network, PREFIX_BYTES, network.length, (byte) 0);
        try {
            return InetAddress.getByAddress(network);
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of 16 bytes is one", e);
        }
    }
}
