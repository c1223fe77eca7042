package org.crabro.container.wire;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.LongFunction;
import org.crabro.container.dispatch.DocumentNodes;
import org.crabro.container.dispatch.SearchNodes;
import org.crabro.container.wire.CallOutcome.Failure;
import org.crabro.container.wire.CallOutcome.Lost;
import org.crabro.container.wire.CallOutcome.Message;
import org.crabro.container.wire.CallOutcome.Refused;
import org.crabro.container.wire.CallOutcome.TimedOut;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.OlderWrites;
import org.crabro.protocol.encoding.WireFormatException;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.GetRequest;
import org.crabro.protocol.feed.OperationId;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.feed.WriteRequest;
import org.crabro.protocol.grpc.MessageChunks;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.trace.OutgoingSpan;
import org.crabro.protocol.trace.Spans;
import org.crabro.protocol.transport.ByteBudget;
import org.crabro.protocol.transport.CallHeaders;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.NodeAddress;
import org.crabro.protocol.transport.NodeIdentity;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeRefusal;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.wire.RequestHeader;

/**
 * Sends requests to one content node. Each method blocks its caller until there is a reply, or the
 * deadline has passed, or the request was cancelled. A node that cannot be reached is a case of the
 * reply. Safe for use by many threads.
 */
public final class NodeClient implements DocumentNodes, SearchNodes, AutoCloseable {
    /** The minimum time between two attempts to connect that do not wait for the back-off. */
    private static final long RECONNECT_NANOS = Duration.ofMillis(250).toNanos();

    private static final Metadata.Key<String> ENCODING =
            Metadata.Key.of(CallHeaders.ENCODING, Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<byte[]> CLUSTER = binary(CallHeaders.CLUSTER);
    private static final Metadata.Key<byte[]> NODE = binary(CallHeaders.NODE);
    private static final Metadata.Key<byte[]> CLIENT = binary(CallHeaders.CLIENT);

    private static final Map<NodeMethod, MethodDescriptor<ByteBuffer, byte[]>> METHODS = methods();

    private final ManagedChannel channel;
    private final NodeAddress address;
    private final NodeIdentity expected;
    private final Shared shared;
    private final Set<OutgoingCall> calls = ConcurrentHashMap.newKeySet();
    private final AtomicLong lastReconnect = new AtomicLong(System.nanoTime() - RECONNECT_NANOS);

    /**
     * What all clients share.
     *
     * @param messages in bytes
     * @param requests one for each request in progress
     * @param olderWrites whether writes are sent as {@link OlderWrites}
     */
    record Shared(ByteBudget messages, ByteBudget requests, AtomicBoolean olderWrites) {}

    NodeClient(ManagedChannel channel, NodeAddress address, NodeIdentity expected, Shared shared) {
        this.channel = channel;
        this.address = address;
        this.expected = expected;
        this.shared = shared;
    }

    private static Map<NodeMethod, MethodDescriptor<ByteBuffer, byte[]>> methods() {
        var methods =
                new EnumMap<NodeMethod, MethodDescriptor<ByteBuffer, byte[]>>(NodeMethod.class);
        for (NodeMethod method : NodeMethod.values()) {
            methods.put(method, MessageChunks.ofClient(method));
        }
        return methods;
    }

    private static Metadata.Key<byte[]> binary(String name) {
        return Metadata.Key.of(name, Metadata.BINARY_BYTE_MARSHALLER);
    }

    /**
     * The encoding of one kind of request, and the replies to it.
     *
     * @param <T> the reply
     * @param encoding of the request, from the current time
     * @param decoding of a reply
     * @param failing the reply for a failure
     * @param rejecting the reply for a request that cannot be encoded, with the reason
     */
    private record Form<T>(
            LongFunction<byte[]> encoding,
            Function<byte[], T> decoding,
            Function<Failure, T> failing,
            Function<String, T> rejecting) {}

    @Override
    public WriteReply write(RequestHeader header, Write write, Optional<OperationId> id) {
        return write(new WriteRequest(header, write, id)).getFirst();
    }

    @Override
    public List<WriteReply> write(WriteRequest request) {
        return shared.olderWrites().get()
                ? writeOlder(request)
                : write(
                        NodeMethod.WRITE,
                        request,
                        now -> MessageEncoding.encode(request, now),
                        MessageEncoding::writeReplies);
    }

    /** Sends the rows without conditions together, and then each of the other writes. */
    private List<WriteReply> writeOlder(WriteRequest request) {
        List<Write> writes = request.writes();
        var replies = new WriteReply[writes.size()];
        var batch = new ArrayList<Integer>();
        for (int i = 0; i < replies.length; i++) {
            if (OlderWrites.Kind.of(writes.get(i)) == OlderWrites.Kind.FEED_BATCH) {
                batch.add(i);
            }
        }
        writeOlder(request, batch, replies);
        for (int i = 0; i < replies.length; i++) {
            if (replies[i] == null) {
                writeOlder(request, List.of(i), replies);
            }
        }
        return List.of(replies);
    }

    /** Sends the writes with some indexes, and sets their replies. */
    private void writeOlder(WriteRequest request, List<Integer> indexes, WriteReply[] replies) {
        if (indexes.isEmpty()) {
            return;
        }
        var part =
                new WriteRequest(
                        request.header(),
                        indexes.stream().map(request.writes()::get).toList(),
                        request.ids().isEmpty()
                                ? List.of()
                                : indexes.stream().map(request.ids()::get).toList());
        OlderWrites.Kind kind = OlderWrites.Kind.of(part.writes().getFirst());
        List<WriteReply> written =
                write(
                        NodeMethod.of(kind),
                        part,
                        now -> OlderWrites.encode(part, now),
                        message -> OlderWrites.replies(kind, message));
        for (int i = 0; i < written.size(); i++) {
            replies[indexes.get(i)] = written.get(i);
        }
    }

    private List<WriteReply> write(
            NodeMethod method,
            WriteRequest request,
            LongFunction<byte[]> encoding,
            Function<byte[], List<WriteReply>> decoding) {
        int count = request.writes().size();
        try (var hold = new ReadHold()) {
            return call(
                    method,
                    request.header(),
                    new Form<>(
                            encoding,
                            message -> checked(decoding.apply(message), count),
                            failure -> Collections.nCopies(count, FailureReplies.write(failure)),
                            reason -> Collections.nCopies(count, new WriteReply.Rejected(reason))),
                    hold);
        }
    }

    /**
     * @throws WireFormatException if there is not one reply for each write
     */
    private static List<WriteReply> checked(List<WriteReply> replies, int count) {
        if (replies.size() != count) {
            throw new WireFormatException(
                    0, "replies to %d writes".formatted(count), Integer.toString(replies.size()));
        }
        return replies;
    }

    /** The memory of a large reply counts until {@code hold} is closed. */
    @Override
    public GetReply get(GetRequest request, ReadHold hold) {
        return call(
                NodeMethod.GET,
                request.header(),
                new Form<>(
                        now -> MessageEncoding.encode(request, now),
                        MessageEncoding::getReply,
                        FailureReplies::get,
                        GetReply.Failed::new),
                hold);
    }

    @Override
    public SearchReply search(SearchRequest request) {
        try (var hold = new ReadHold()) {
            return call(
                    NodeMethod.SEARCH,
                    request.header(),
                    new Form<>(
                            now -> MessageEncoding.encode(request, now),
                            MessageEncoding::searchReply,
                            FailureReplies::search,
                            SearchReply.Rejected::new),
                    hold);
        }
    }

    @Override
    public VisitReply visit(VisitRequest request) {
        try (var hold = new ReadHold()) {
            return call(
                    NodeMethod.VISIT,
                    request.header(),
                    new Form<>(
                            now -> MessageEncoding.encode(request, now),
                            MessageEncoding::visitReply,
                            FailureReplies::visit,
                            VisitReply.Rejected::new),
                    hold);
        }
    }

    private <T> T call(NodeMethod method, RequestHeader header, Form<T> form, ReadHold hold) {
        if (header.deadline().hasPassed()) {
            return form.failing.apply(new TimedOut());
        }
        if (!shared.requests.tryTake(1)) {
            return form.failing.apply(
                    new Refused(
                            NodeRefusal.OVERLOADED,
                            "overload: too many requests to content nodes are in progress"));
        }
        try {
            byte[] message;
            try {
                message = form.encoding.apply(System.nanoTime());
            } catch (IllegalArgumentException e) {
                return form.rejecting.apply(
                        "the request cannot be sent to a content node: " + e.getMessage());
            }
            try (var span = Spans.outgoing("content node " + method.shown())) {
                return send(method, header, message, form, hold, span);
            }
        } finally {
            shared.requests.release(1);
        }
    }

    private <T> T send(
            NodeMethod method,
            RequestHeader header,
            byte[] message,
            Form<T> form,
            ReadHold hold,
            OutgoingSpan span) {
        var sent = new OutgoingCall.SentTracer();
        CallOptions options =
                CallOptions.DEFAULT
                        .withDeadlineAfter(
                                header.deadline().remaining().plus(CallLimits.REPLY_TIME).toNanos(),
                                TimeUnit.NANOSECONDS)
                        .withStreamTracerFactory(sent);
        var call =
                new OutgoingCall(
                        method,
                        message,
                        channel.newCall(METHODS.get(method), options),
                        shared.messages,
                        sent);
        CallOutcome outcome;
        calls.add(call);
        try {
            outcome = call.run(headers(header), header.deadline());
        } finally {
            calls.remove(call);
            long replyBytes = call.finish();
            if (replyBytes > 0) {
                hold.add(() -> shared.messages.release(replyBytes));
            }
        }
        try {
            return switch (outcome) {
                case Message reply -> form.decoding.apply(reply.bytes());
                case Lost lost -> {
                    span.failed("lost");
                    reconnect(lost);
                    yield form.failing.apply(new Lost(named(lost.reason()), lost.wasSent()));
                }
                case Refused(var refusal, var reason) -> {
                    span.failed("refused");
                    yield form.failing.apply(new Refused(refusal, named(reason)));
                }
                case TimedOut timedOut -> {
                    span.failed("timed out");
                    yield form.failing.apply(timedOut);
                }
            };
        } catch (WireFormatException e) {
            return form.failing.apply(
                    new Lost(named("the reply is malformed: " + e.getMessage()), true));
        }
    }

    private String named(String reason) {
        return "content node '%s' at %s: %s".formatted(expected.node(), address, reason);
    }

    /** After a failure the channel waits longer and longer before it connects again. */
    private void reconnect(Lost lost) {
        long now = System.nanoTime();
        long last = lastReconnect.get();
        if (!lost.wasSent()
                && now - last >= RECONNECT_NANOS
                && lastReconnect.compareAndSet(last, now)) {
            channel.resetConnectBackoff();
        }
    }

    private Metadata headers(RequestHeader header) {
        var headers = new Metadata();
        headers.put(ENCODING, Integer.toString(MessageEncoding.VERSION));
        headers.put(CLUSTER, expected.cluster().getBytes(StandardCharsets.UTF_8));
        headers.put(NODE, expected.node().getBytes(StandardCharsets.UTF_8));
        if (!header.client().equals(header.principal().name())) {
            byte[] client = header.client().getBytes(StandardCharsets.UTF_8);
            headers.put(
                    CLIENT,
                    client.length > CallHeaders.CLIENT_MAX
                            ? Arrays.copyOf(client, CallHeaders.CLIENT_MAX)
                            : client);
        }
        Spans.writeHeaders((name, value) -> headers.put(text(name), value));
        return headers;
    }

    private static Metadata.Key<String> text(String name) {
        return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
    }

    /**
     * Ends all requests in progress: the node is not expected to reply to them. Later requests are
     * sent.
     */
    public void abandonCalls(String reason) {
        calls.forEach(call -> call.abandon(reason));
    }

    /** Closes the connection. Requests in progress get no reply. */
    @Override
    public void close() {
        channel.shutdownNow();
    }
}
