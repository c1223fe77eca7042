package org.crabro.content.node.wire;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.opentelemetry.context.Scope;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.crabro.content.node.wire.NodeRequests.Arrival;
import org.crabro.content.node.wire.NodeRequests.UnencodableException;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.RequestMemory;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.WireFormatException;
import org.crabro.protocol.trace.Spans;
import org.crabro.protocol.transport.ByteBudget;
import org.crabro.protocol.transport.CallHeaders;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.MessageAssembly;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeRefusal;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request and its reply. The event loop of the connection calls the methods of the listener,
 * which do not block. A chunk of the reply is sent when the sender of the request has received
 * those before it.
 */
final class NodeCall extends ServerCall.Listener<byte[]> {
    private static final Logger LOG = LoggerFactory.getLogger(NodeCall.class);
    static final Metadata.Key<String> REFUSAL =
            Metadata.Key.of(CallHeaders.REFUSAL, Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> EXACT_REFUSAL =
            Metadata.Key.of(CallHeaders.EXACT_REFUSAL, Metadata.ASCII_STRING_MARSHALLER);

    /** Shorter replies do not count: their memory is bounded by the number of requests. */
    private static final int COUNTED_BYTES = 64 << 10;

    /** The parts of the server that all calls use. */
    record Shared(
            NodeRequests requests, NodeThreads threads, ByteBudget budget, RequestMemory memory) {}

    private final NodeMethod method;
    private final ServerCall<byte[], ByteBuffer> call;
    private final Shared shared;
    private final Arrival arrival;
    private final Optional<Spans.Arrival> trace;
    private final MessageAssembly assembly = new MessageAssembly();

    /** The connection, and the thread that executes the request. The last one frees memory. */
    private final AtomicInteger users = new AtomicInteger(1);

    private volatile boolean isCancelled;
    private volatile long requestBytes;

    // Guarded by this.
    private byte[] reply = new byte[0];
    private int sent;
    private long replyBytes;
    private boolean isAnswered;
    private boolean isClosed;

    /**
     * Creates a call that {@link NodeThreads#tryBegin} has counted.
     *
     * @param client see {@link Arrival}
     * @param trace empty if the sender has none
     */
    NodeCall(
            NodeMethod method,
            ServerCall<byte[], ByteBuffer> call,
            Shared shared,
            Optional<String> client,
            Optional<Spans.Arrival> trace) {
        this.method = method;
        this.call = call;
        this.shared = shared;
        this.trace = trace;
        this.arrival = new Arrival(System.nanoTime(), client, () -> isCancelled);
    }

    @Override
    public void onMessage(byte[] chunk) {
        try {
            if (requestBytes == 0) {
                int length = MessageEncoding.length(chunk);
                if (!shared.budget.tryTake(length)) {
                    refuse(
                            NodeRefusal.OVERLOADED,
                            "the requests and replies of a content node leave no memory for another");
                    return;
                }
                requestBytes = length;
            }
            assembly.add(chunk);
        } catch (WireFormatException e) {
            refuse(NodeRefusal.MALFORMED, String.valueOf(e.getMessage()));
            return;
        }
        call.request(1);
    }

    @Override
    public void onHalfClose() {
        byte[] message;
        synchronized (this) {
            if (isClosed) {
                return;
            }
        }
        try {
            message = assembly.message();
        } catch (WireFormatException e) {
            refuse(NodeRefusal.MALFORMED, String.valueOf(e.getMessage()));
            return;
        }
        users.incrementAndGet();
        shared.threads.run(
                method,
                () -> {
                    try {
                        answerTraced(message);
                    } finally {
                        release();
                    }
                });
    }

    private void answerTraced(byte[] message) {
        if (trace.isEmpty()) {
            answer(message);
            return;
        }
        try (Scope _ = trace.get().context().makeCurrent()) {
            answer(message);
        } finally {
            trace.get().span().end();
        }
    }

    private void answer(byte[] message) {
        try {
            send(answered(message));
        } catch (MemoryRefusedException e) {
            refuse(
                    e.isTooLarge() ? NodeRefusal.TOO_LARGE : NodeRefusal.OVERLOADED,
                    String.valueOf(e.getMessage()));
        } catch (WireFormatException e) {
            refuse(NodeRefusal.MALFORMED, String.valueOf(e.getMessage()));
        } catch (UnencodableException e) {
            refuse(NodeRefusal.UNENCODABLE, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("a request '{}' failed", method.shown(), e);
            refuse(NodeRefusal.FAILED, "the content node failed: " + e);
        } catch (Error e) {
            // The handler of uncaught errors reports it.
            refuse(NodeRefusal.FAILED, "the content node failed: " + e);
            throw e;
        }
    }

    private byte[] answered(byte[] message) throws UnencodableException {
        try (MemoryShare memory = shared.memory.open()) {
            return memory.call(() -> shared.requests.answer(method, message, arrival));
        }
    }

    private void send(byte[] message) {
        // The reply to a write is short, and says what was written.
        boolean counts = message.length > COUNTED_BYTES && !method.isWrite();
        if (counts && !shared.budget.tryTake(message.length)) {
            refuse(
                    NodeRefusal.OVERLOADED,
                    "the requests and replies of a content node leave no memory for another");
            return;
        }
        synchronized (this) {
            replyBytes = counts ? message.length : 0;
            if (isClosed || isCancelled) {
                return;
            }
            reply = message;
            isAnswered = true;
            call.sendHeaders(new Metadata());
            sendChunks();
        }
    }

    @Override
    public synchronized void onReady() {
        if (isAnswered) {
            sendChunks();
        }
    }

    private void sendChunks() {
        while (!isClosed && (sent == 0 || call.isReady())) {
            int length = Math.min(CallLimits.CHUNK_BYTES, reply.length - sent);
            call.sendMessage(ByteBuffer.wrap(reply, sent, length));
            sent += length;
            if (sent == reply.length) {
                isClosed = true;
                call.close(Status.OK, new Metadata());
            }
        }
    }

    private synchronized void refuse(NodeRefusal refusal, String reason) {
        if (!isClosed && !isCancelled) {
            isClosed = true;
            refuse(call, refusal, reason);
        }
    }

    /** Ends a call without a message. */
    static void refuse(ServerCall<?, ?> call, NodeRefusal refusal, String reason) {
        var trailers = new Metadata();
        trailers.put(REFUSAL, refusal.ofAllReleases().name());
        trailers.put(EXACT_REFUSAL, refusal.name());
        call.close(Status.ABORTED.withDescription(reason), trailers);
    }

    @Override
    public void onCancel() {
        isCancelled = true;
        release();
    }

    @Override
    public void onComplete() {
        release();
    }

    private void release() {
        if (users.decrementAndGet() == 0) {
            synchronized (this) {
                shared.budget.release(requestBytes + replyBytes);
                reply = new byte[0];
                isAnswered = false;
            }
            shared.threads.end();
        }
    }
}
