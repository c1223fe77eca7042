package org.crabro.server.cluster;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.crabro.protocol.grpc.CallerGuard;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeAddress;

/** The port of a config server for other servers, and the clock of its decisions. */
final class ConfigListener implements AutoCloseable {
    private static final long STOP_SECONDS = 5;

    private final Server server;
    private final ExecutorService threads;
    private final ScheduledExecutorService clock;

    private ConfigListener(Server server, ExecutorService threads, ScheduledExecutorService clock) {
        this.server = server;
        this.threads = threads;
        this.clock = clock;
    }

    /**
     * Opens the port.
     *
     * @param members returns the hosts of the cluster
     * @param look is called regularly, because time has passed
     * @throws IOException if it is in use
     */
    static ConfigListener start(
            ClusterSettings cluster,
            ConfigService service,
            Supplier<? extends Set<String>> members,
            Runnable look)
            throws IOException {
        NodeAddress own =
                cluster.configServers().stream()
                        .filter(each -> each.name().equals(cluster.host()))
                        .findFirst()
                        .orElseThrow()
                        .address();
        ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("config-request").factory());
        var builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(own.host(), own.port()))
                        .executor(threads)
                        .maxInboundMessageSize(ConfigMethods.REQUEST_MAX);
        cluster.security().check(own);
        var hosts = new ClusterHosts(() -> Optional.of(members.get()), cluster.configHosts());
        Server server =
                CallerGuard.guard(builder, cluster.security(), hosts, List.of(service.methods()))
                        .start();
        ScheduledExecutorService clock =
                Executors.newSingleThreadScheduledExecutor(
                        Thread.ofPlatform().name("cluster-clock").daemon().factory());
        long millis = ClusterMember.INTERVAL.toMillis();
        var _ = clock.scheduleWithFixedDelay(look, millis, millis, TimeUnit.MILLISECONDS);
        return new ConfigListener(server, threads, clock);
    }

    @Override
    public void close() {
        clock.shutdownNow();
        server.shutdown();
        try {
            if (!server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            server.shutdownNow();
        }
        threads.shutdown();
    }
}
