package org.crabro.content.node.wire;

import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.netty.NettyServerBuilder;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.crabro.content.node.ContentService;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.grpc.CallerGuard;
import org.crabro.protocol.grpc.GuardedService;
import org.crabro.protocol.grpc.MessageChunks;
import org.crabro.protocol.trace.Spans;
import org.crabro.protocol.transport.AllowedCallers;
import org.crabro.protocol.transport.ByteBudget;
import org.crabro.protocol.transport.CallHeaders;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.ClusterHosts;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeRefusal;
import org.crabro.protocol.transport.NodeSecurity;
import org.crabro.protocol.transport.TlsFiles;
import org.jspecify.annotations.Nullable;

/**
 * A content node that listens for requests of containers.
 *
 * {@snippet :
 * try (var server = ContentServer.start(address, Optional.of(tls), identity, limits, node)) {
 *     System.out.println(server.address());
 * }
 * }
 */
public final class ContentServer implements AutoCloseable {
    private static final long KEEP_ALIVE_SECONDS = 5;
    private static final long STOP_SECONDS = 5;

    private static final Metadata.Key<String> ENCODING =
            Metadata.Key.of(CallHeaders.ENCODING, Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<byte[]> CLUSTER = binary(CallHeaders.CLUSTER);
    private static final Metadata.Key<byte[]> NODE = binary(CallHeaders.NODE);
    private static final Metadata.Key<byte[]> CLIENT = binary(CallHeaders.CLIENT);

    private final NodeIdentity identity;
    private final NodeCall.Shared shared;
    private final Server server;
    private final String host;
    private final Tracer tracer;

    private ContentServer(
            NodeAddress address,
            NodeSecurity security,
            NodeIdentity identity,
            NodeCall.Shared shared,
            Served served) {
        this.identity = identity;
        this.tracer = served.tracer();
        this.shared = shared;
        this.host = address.host();
        var builder =
                NettyServerBuilder.forAddress(new InetSocketAddress(address.host(), address.port()))
                        // The listeners of calls do not block.
                        .directExecutor()
                        .maxInboundMessageSize(CallLimits.CHUNK_BYTES)
                        .permitKeepAliveTime(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .permitKeepAliveWithoutCalls(true)
                        .keepAliveTime(2 * KEEP_ALIVE_SECONDS, TimeUnit.SECONDS)
                        .keepAliveTimeout(KEEP_ALIVE_SECONDS, TimeUnit.SECONDS);
        security.check(address);
        List<GuardedService> services = new ArrayList<>();
        services.add(service());
        served.exports().map(ReplicaExports::service).ifPresent(services::add);
        this.server = CallerGuard.guard(builder, security, served.hosts(), services);
    }

    /**
     * What a server answers.
     *
     * @param node answers containers; not closed with the server
     * @param exports lets other nodes copy replicas; not closed with the server
     * @param tracer makes the spans of requests that have a trace
     * @param hosts which may send requests, if they show certificates
     * @param memory for the values of requests
     */
    public record Served(
            ContentService node,
            Optional<ReplicaExports> exports,
            Tracer tracer,
            ClusterHosts hosts,
            RequestMemory memory) {
        /**
         * A node without copies and without spans, for all hosts with a certificate of its
         * authority, with the default memory.
         */
        public static Served of(ContentService node) {
            return new Served(
                    node,
                    Optional.empty(),
                    TracerProvider.noop().get("org.crabro"),
                    ClusterHosts.ANY,
                    RequestMemory.ofHeap(Runtime.getRuntime().maxMemory()));
        }

        /** Returns this for the hosts of a cluster. */
        public Served with(ClusterHosts only) {
            return new Served(node, exports, tracer, only, memory);
        }

        /** Returns this with copies for other nodes. */
        public Served with(ReplicaExports copies) {
            return new Served(node, Optional.of(copies), tracer, hosts, memory);
        }

        /** Returns this with spans. */
        public Served with(Tracer spans) {
            return new Served(node, exports, spans, hosts, memory);
        }

        /** Returns this with memory that it shares with other nodes of the process. */
        public Served with(RequestMemory shared) {
            return new Served(node, exports, tracer, hosts, shared);
        }
    }

    /** Starts to listen for containers, without spans. */
    public static ContentServer start(
            NodeAddress address,
            Optional<TlsFiles> tls,
            NodeIdentity identity,
            CallLimits limits,
            ContentService node)
            throws IOException {
        return start(address, NodeSecurity.of(tls), identity, limits, Served.of(node));
    }

    /**
     * Starts to listen.
     *
     * @param address port 0 for any free port
     * @param identity requests for another node are refused
     * @throws IllegalArgumentException if a file of {@code security} is invalid, or the address
     *     needs certificates; the message contains the reason
     * @throws IOException if the address cannot be used
     */
    public static ContentServer start(
            NodeAddress address,
            NodeSecurity security,
            NodeIdentity identity,
            CallLimits limits,
            Served served)
            throws IOException {
        var threads =
                new NodeThreads(limits.requests(), Runtime.getRuntime().availableProcessors());
        try {
            var started =
                    new ContentServer(
                            address,
                            security,
                            identity,
                            new NodeCall.Shared(
                                    new NodeRequests(served.node()),
                                    threads,
                                    new ByteBudget(limits.messageBytes()),
                                    served.memory()),
                            served);
            started.server.start();
            return started;
        } catch (IOException | RuntimeException e) {
            threads.close();
            throw e;
        }
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    private GuardedService service() {
        GuardedService.Builder service = GuardedService.of(NodeMethod.SERVICE);
        for (NodeMethod method : NodeMethod.values()) {
            service.add(
                    MessageChunks.ofServer(method),
                    AllowedCallers.MEMBERS,
                    (call, headers) -> begin(method, call, headers));
        }
        return service.build();
    }

    private ServerCall.Listener<byte[]> begin(
            NodeMethod method, ServerCall<byte[], ByteBuffer> call, Metadata headers) {
        String encoding = String.valueOf(headers.get(ENCODING));
        if (!encoding.equals(Integer.toString(MessageEncoding.VERSION))) {
            return refused(
                    call,
                    NodeRefusal.WRONG_ENCODING,
                    "it uses version %d of the encoding of messages, the sender uses version %s"
                            .formatted(MessageEncoding.VERSION, encoding));
        }
        var expected = new NodeIdentity(text(headers.get(CLUSTER)), text(headers.get(NODE)));
        if (!expected.equals(identity)) {
            return refused(
                    call,
                    NodeRefusal.WRONG_NODE,
                    "the sender expects node %s, this is %s".formatted(expected, identity));
        }
        if (Context.current().getDeadline() == null) {
            return refused(call, NodeRefusal.MALFORMED, "the call has no timeout");
        }
        if (!shared.threads().tryBegin()) {
            return refused(
                    call,
                    NodeRefusal.OVERLOADED,
                    "overload: the content node has too many requests in progress");
        }
        byte @Nullable [] client = headers.get(CLIENT);
        var begun =
                new NodeCall(
                        method,
                        call,
                        shared,
                        client == null ? Optional.empty() : Optional.of(text(client)),
                        arrival(method, headers));
        call.request(1);
        return begun;
    }

    /** Begins a span, if the sender has a trace. */
    private Optional<Spans.Arrival> arrival(NodeMethod method, Metadata headers) {
        return headers.containsKey(header(Spans.PARENT))
                ? Optional.of(
                        Spans.arrival(tracer, method.shown(), name -> headers.get(header(name))))
                : Optional.empty();
    }

    private static Metadata.Key<String> header(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    private static ServerCall.Listener<byte[]> refused(
            ServerCall<byte[], ByteBuffer> call, NodeRefusal refusal, String reason) {
        NodeCall.refuse(call, refusal, reason);
        return new ServerCall.Listener<>() {};
    }

    private static String text(byte @Nullable [] utf8) {
        return utf8 == null ? "" : new String(utf8, StandardCharsets.UTF_8);
    }

    /** Returns the address with the port at which this listens. */
    public NodeAddress address() {
        return new NodeAddress(host, server.getPort());
    }

    /** Returns the number of requests in progress. */
    public int requestsInProgress() {
        return shared.threads().inProgress();
    }

    /** Returns the bytes of messages in memory. */
    public long messageBytes() {
        return shared.budget().taken();
    }

    /** Refuses new requests, waits some seconds for those in progress, then cancels them. */
    @Override
    public void close() {
        server.shutdown();
        boolean wasInterrupted = false;
        try {
            server.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException _) {
            wasInterrupted = true;
        }
        server.shutdownNow();
        shared.threads().close();
        if (wasInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
