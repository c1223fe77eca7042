package org.crabro.server.cluster;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.net.ssl.SSLException;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;
import tools.jackson.core.JacksonException;

/** Calls a config server over the network. */
final class ConfigClient implements ConfigAccess, AutoCloseable {
    /** The time for an answer. */
    private static final Duration ANSWER_TIME = Duration.ofSeconds(2);

    /** The time for a package. */
    private static final Duration PACKAGE_TIME = Duration.ofMinutes(30);

    private final String name;
    private final NodeAddress address;
    private final ManagedChannel channel;

    /** The last reply to a report. Most replies have the same bytes as the one before. */
    private volatile Optional<Reply> last = Optional.empty();

    private record Reply(ByteBuffer bytes, ConfigReply decoded) {}

    private ConfigClient(String name, NodeAddress address, ManagedChannel channel) {
        this.name = name;
        this.address = address;
        this.channel = channel;
    }

    /**
     * Returns a client, which connects when it is used.
     *
     * @param security without TLS, the address must be one of this machine
     */
    static ConfigClient connect(ClusterSettings.Named server, NodeSecurity security) {
        NodeAddress address = server.address();
        var builder =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        .maxInboundMessageSize(ConfigMethods.MESSAGE_MAX)
                        .disableServiceConfigLookUp()
                        .proxyDetector(_ -> null);
        security.check(address);
        if (security.tls().isPresent()) {
            builder.sslContext(NodeTls.client(security.tls().get()));
        } else {
            builder.usePlaintext();
        }
        return new ConfigClient(server.name(), address, builder.build());
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public boolean confirms(String leader) throws IOException {
        try {
            return ask(
                    ConfigMethods.CONFIRM,
                    leader.getBytes(StandardCharsets.UTF_8),
                    bytes -> bytes.length > 0 && bytes[0] == 1);
        } catch (IOException e) {
            if (e.getCause() instanceof StatusRuntimeException refused
                    && refused.getStatus().getCode() == Status.Code.UNIMPLEMENTED) {
                return true;
            }
            throw e;
        }
    }

    @Override
    public ConfigReply report(HostReport report) throws IOException {
        return ask(ConfigMethods.REPORT, ClusterJson.write(report), this::reply);
    }

    private ConfigReply reply(byte[] bytes) {
        ByteBuffer encoded = ByteBuffer.wrap(bytes);
        Optional<Reply> reply = last.filter(each -> each.bytes.equals(encoded));
        if (reply.isPresent()) {
            return reply.get().decoded;
        }
        ConfigReply decoded = ClusterJson.read(bytes, ConfigReply.class);
        last = Optional.of(new Reply(encoded, decoded));
        return decoded;
    }

    @Override
    public void copyPackage(OutputStream to) throws IOException {
        copy(ConfigMethods.PACKAGE, new byte[0], to);
    }

    private void copy(MethodDescriptor<byte[], byte[]> method, byte[] request, OutputStream to)
            throws IOException {
        try {
            Iterator<byte[]> parts =
                    ClientCalls.blockingServerStreamingCall(
                            channel, method, within(PACKAGE_TIME), request);
            while (parts.hasNext()) {
                to.write(parts.next());
            }
        } catch (StatusRuntimeException e) {
            throw failure(e);
        }
    }

    /** Says hello to another config server. */
    PeerHello.Answer hello(PeerHello own) throws IOException {
        return ask(
                ConfigMethods.HELLO,
                ClusterJson.write(own),
                bytes -> ClusterJson.read(bytes, PeerHello.Answer.class));
    }

    /** Sends an archive to another config server, which has it durably when this returns. */
    void keep(String name, Path file) throws IOException {
        try (var from = FileChannel.open(file, StandardOpenOption.READ)) {
            long length = from.size();
            ByteBuffer bytes = ByteBuffer.allocate(ConfigMethods.PART_BYTES).limit(0);
            long offset = 0;
            while (!keep(new ArchivePart(name, offset, length, bytes))) {
                offset += bytes.remaining();
                bytes.clear();
                if (from.read(bytes, offset) < 0) {
                    throw new IOException(
                            "config server %s did not keep archive %s".formatted(address, name));
                }
                bytes.flip();
            }
        }
    }

    private boolean keep(ArchivePart part) throws IOException {
        return ask(ConfigMethods.KEEP, part.encode(), bytes -> bytes.length > 0 && bytes[0] == 1);
    }

    /** Copies an archive from another config server. */
    void copyArchive(String name, OutputStream to) throws IOException {
        copy(ConfigMethods.ARCHIVE, name.getBytes(StandardCharsets.US_ASCII), to);
    }

    /**
     * Returns what another config server has in place of the entries that its log has forgotten.
     */
    Optional<LogSnapshot> record() throws IOException {
        return ask(
                ConfigMethods.RECORD,
                new byte[0],
                bytes ->
                        bytes.length == 0
                                ? Optional.empty()
                                : Optional.of(LogSnapshot.decode(bytes)));
    }

    private <T> T ask(
            MethodDescriptor<byte[], byte[]> method, byte[] request, Function<byte[], T> read)
            throws IOException {
        try {
            return read.apply(
                    ClientCalls.blockingUnaryCall(channel, method, within(ANSWER_TIME), request));
        } catch (StatusRuntimeException | JacksonException | IllegalArgumentException e) {
            throw failure(e);
        }
    }

    private IOException failure(RuntimeException e) {
        // Calls are repeated all the time, so the next one should try to connect.
        channel.resetConnectBackoff();
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return new IOException(
                        "config server %s: it or this host has no certificate of the same authority: %s"
                                .formatted(address, cause.getMessage()),
                        e);
            }
        }
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
