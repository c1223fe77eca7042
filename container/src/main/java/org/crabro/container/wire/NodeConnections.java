package org.crabro.container.wire;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContext;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.crabro.protocol.encoding.OlderWrites;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.ByteBudget;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.jspecify.annotations.Nullable;

/**
 * Connects to content nodes. All clients share the certificates and the memory for messages. Safe
 * for use by many threads.
 */
public final class NodeConnections {
    private static final Duration CONNECTING = Duration.ofSeconds(2);
    private static final long KEEP_ALIVE_SECONDS = 10;

    private final NodeSecurity security;
    private final @Nullable SslContext context;
    private final NodeClient.Shared shared;

    /**
     * @param tls empty for connections without TLS, which need loopback addresses
     * @throws IllegalArgumentException if a file of {@code tls} is invalid; the message names it
     */
    public NodeConnections(Optional<TlsFiles> tls, CallLimits limits) {
        this(NodeSecurity.of(tls), limits);
    }

    /**
     * @throws IllegalArgumentException if a file of {@code security} is invalid; the message names
     *     it
     */
    public NodeConnections(NodeSecurity security, CallLimits limits) {
        this.security = security;
        this.context = security.tls().map(NodeTls::client).orElse(null);
        this.shared =
                new NodeClient.Shared(
                        new ByteBudget(limits.messageBytes()),
                        new ByteBudget(limits.requests()),
                        new AtomicBoolean());
    }

    /**
     * Sends writes as {@link OlderWrites} or as they are, from the next write of each client on.
     * Nodes accept both.
     */
    public void writeOlder(boolean isOlder) {
        shared.olderWrites().set(isOlder);
    }

    /**
     * Returns a client of a node, which connects when it is used. The caller closes it.
     *
     * @param expected the node refuses requests of a client that expects another one
     * @throws IllegalArgumentException if the address needs certificates
     */
    public NodeClient connect(NodeAddress address, NodeIdentity expected) {
        NettyChannelBuilder builder =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        // The listeners of calls do not block.
                        .directExecutor()
                        .disableRetry()
                        .disableServiceConfigLookUp()
                        // The settings for the proxies of a machine are not for its cluster.
                        .proxyDetector(_ -> null)
                        .maxInboundMessageSize(CallLimits.CHUNK_BYTES)
                        .withOption(
                                ChannelOption.CONNECT_TIMEOUT_MILLIS,
                                Math.toIntExact(CONNECTING.toMillis()))
                        .keepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEP_ALIVE_SECONDS / 2, TimeUnit.SECONDS)
                        .keepAliveWithoutCalls(true);
        security.check(address);
        if (context == null) {
            builder.usePlaintext();
        } else {
            builder.sslContext(context);
        }
        ManagedChannel channel = builder.build();
        return new NodeClient(channel, address, expected, shared);
    }
}
