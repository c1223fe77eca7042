package org.crabro.content.node.wire;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.crabro.content.node.wire.ReplicaMethods.Opening;
import org.crabro.content.node.wire.ReplicaMethods.Part;
import org.crabro.content.storage.replica.ReplicaFile;
import org.crabro.content.storage.replica.ReplicaList;
import org.crabro.content.storage.replica.ReplicaSource;
import org.crabro.protocol.grpc.NodeTls;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeSecurity;

/** A replica on another node, which lets this one copy it. For one thread at a time. */
public final class RemoteReplica implements ReplicaSource {
    /** The time in which the other node flushes, links and checks its files. */
    private static final Duration OPEN_TIME = Duration.ofMinutes(10);

    private static final Duration READ_TIME = Duration.ofSeconds(30);
    private static final Duration CLOSE_TIME = Duration.ofSeconds(5);

    /** How often a part is asked for, if the other node cannot be reached or is busy. */
    private static final int ATTEMPTS = 5;

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final NodeAddress address;
    private final ManagedChannel channel;
    private final long export;
    private final ReplicaList list;
    private final Map<ReplicaFile, Integer> indexes = new HashMap<>();

    private RemoteReplica(
            NodeAddress address, ManagedChannel channel, long export, ReplicaList list) {
        this.address = address;
        this.channel = channel;
        this.export = export;
        this.list = list;
        list.files().forEach(each -> indexes.put(each, indexes.size()));
    }

    /**
     * The two nodes of a copy.
     *
     * @param address where the other node takes requests
     * @param peer the name of its data directory
     * @param copier the name of the data directory of this node
     */
    public record Ends(NodeAddress address, String peer, String copier) {}

    /**
     * Asks another node for copies of a replica. They are kept until this is closed, for an hour at
     * most.
     *
     * @throws IOException if the node cannot be reached or refuses
     */
    public static RemoteReplica open(Ends ends, NodeSecurity security, int shard)
            throws IOException {
        NodeAddress address = ends.address();
        var builder =
                NettyChannelBuilder.forAddress(address.host(), address.port())
                        .maxInboundMessageSize(ReplicaMethods.MESSAGE_MAX)
                        .directExecutor()
                        .disableServiceConfigLookUp()
                        .proxyDetector(_ -> null);
        security.check(address);
        if (security.tls().isPresent()) {
            builder.sslContext(NodeTls.client(security.tls().get()));
        } else {
            builder.usePlaintext();
        }
        ManagedChannel channel = builder.build();
        boolean isOpen = false;
        try {
            byte[] reply =
                    call(
                            address,
                            channel,
                            ReplicaMethods.OPEN,
                            OPEN_TIME,
                            new Opening(ends.peer(), ends.copier(), shard).encode());
            if (reply.length < Long.BYTES) {
                throw new IOException("node %s: half a reply".formatted(address));
            }
            var opened =
                    new RemoteReplica(
                            address,
                            channel,
                            ByteBuffer.wrap(reply).getLong(),
                            ReplicaList.decode(
                                    Arrays.copyOfRange(reply, Long.BYTES, reply.length)));
            isOpen = true;
            return opened;
        } catch (IllegalArgumentException e) {
            throw new IOException("node %s: %s".formatted(address, e.getMessage()), e);
        } finally {
            if (!isOpen) {
                channel.shutdownNow();
            }
        }
    }

    private static byte[] call(
            NodeAddress address,
            ManagedChannel channel,
            MethodDescriptor<byte[], byte[]> method,
            Duration time,
            byte[] request)
            throws IOException {
        CallOptions options =
                CallOptions.DEFAULT.withDeadlineAfter(time.toMillis(), TimeUnit.MILLISECONDS);
        try {
            return ClientCalls.blockingUnaryCall(channel, method, options, request);
        } catch (StatusRuntimeException e) {
            throw new IOException("node %s: %s".formatted(address, e.getMessage()), e);
        }
    }

    @Override
    public ReplicaList list() {
        return list;
    }

    @Override
    public void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException {
        Integer index = indexes.get(file);
        if (index == null) {
            throw new IllegalArgumentException("no file of the list: " + file);
        }
        long at = offset;
        while (into.hasRemaining() && at < file.bytes()) {
            int length = Math.min(into.remaining(), ReplicaMethods.PART_BYTES);
            byte[] part = read(new Part(export, index, at, length));
            if (part.length == 0 || part.length > length) {
                throw new IOException(
                        "node %s: %d bytes of %s at byte %d, expected %d"
                                .formatted(address, part.length, file.path(), at, length));
            }
            into.put(part);
            at += part.length;
        }
    }

    private byte[] read(Part part) throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                return call(address, channel, ReplicaMethods.READ, READ_TIME, part.encode());
            } catch (IOException e) {
                if (attempt == ATTEMPTS || !isTransient(e)) {
                    throw e;
                }
                pause();
            }
        }
    }

    private static boolean isTransient(IOException failure) {
        return failure.getCause() instanceof StatusRuntimeException cause
                && (cause.getStatus().getCode() == Status.Code.UNAVAILABLE
                        || cause.getStatus().getCode() == Status.Code.RESOURCE_EXHAUSTED);
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(PAUSE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** Lets the other node delete its copies. */
    @Override
    public void close() throws IOException {
        try {
            byte[] _ =
                    call(
                            address,
                            channel,
                            ReplicaMethods.CLOSE,
                            CLOSE_TIME,
                            ByteBuffer.allocate(Long.BYTES).putLong(export).array());
        } finally {
            channel.shutdownNow();
        }
    }
}
