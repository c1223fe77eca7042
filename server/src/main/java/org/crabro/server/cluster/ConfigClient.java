package org.crabro.server.cluster;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.TlsFiles;
import tools.jackson.core.JacksonException;

/** Calls a config server over the network. */
final class ConfigClient implements ConfigAccess, AutoCloseable {
    /** The time for an answer to a report. */
    private static final Duration REPORT_TIME = Duration.ofSeconds(2);

    /** The time for a package. */
    private static final Duration PACKAGE_TIME = Duration.ofMinutes(30);

    private final NodeAddress address;
    private final ManagedChannel channel;

    private ConfigClient(NodeAddress address, ManagedChannel channel) {
        this.address = address;
        this.channel = channel;
    }

    /**
     * Returns a client, which connects when it is used.
     *
     * @param tls empty to talk without TLS, which needs a loopback address
     */
    static ConfigClient connect(NodeAddress address, Optional<TlsFiles> tls) {
        var builder =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        .maxInboundMessageSize(ConfigMethods.MESSAGE_MAX)
                        .disableServiceConfigLookUp()
                        .proxyDetector(_ -> null);
        if (tls.isPresent()) {
            builder.sslContext(NodeTls.client(tls.get()));
        } else {
            address.requireLoopback();
            builder.usePlaintext();
        }
        return new ConfigClient(address, builder.build());
    }

    @Override
    public ConfigReply report(HostReport report) throws IOException {
        byte[] request = ClusterJson.write(report);
        try {
            return ClusterJson.read(
                    ClientCalls.blockingUnaryCall(
                            channel, ConfigMethods.REPORT, within(REPORT_TIME), request),
                    ConfigReply.class);
        } catch (StatusRuntimeException | JacksonException e) {
            throw failure(e);
        }
    }

    @Override
    public void copyPackage(OutputStream to) throws IOException {
        try {
            Iterator<byte[]> parts =
                    ClientCalls.blockingServerStreamingCall(
                            channel, ConfigMethods.PACKAGE, within(PACKAGE_TIME), new byte[0]);
            while (parts.hasNext()) {
                to.write(parts.next());
            }
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    private IOException failure(RuntimeException e) {
        return new IOException("config server %s: %s".formatted(address, e.getMessage()), e);
    }

    private static CallOptions within(Duration time) {
        return CallOptions.DEFAULT.withDeadlineAfter(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
