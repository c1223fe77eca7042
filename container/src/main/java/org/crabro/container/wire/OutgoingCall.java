package org.crabro.container.wire;

import io.grpc.ClientCall;
import io.grpc.ClientStreamTracer;
import io.grpc.Metadata;
import io.grpc.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.crabro.container.wire.CallOutcome.Lost;
import org.crabro.container.wire.CallOutcome.Message;
import org.crabro.container.wire.CallOutcome.Refused;
import org.crabro.container.wire.CallOutcome.TimedOut;
import org.crabro.protocol.encoding.MessageEncoding;
import org.crabro.protocol.encoding.WireFormatException;
import org.crabro.protocol.transport.ByteBudget;
import org.crabro.protocol.transport.CallHeaders;
import org.crabro.protocol.transport.CallLimits;
import org.crabro.protocol.transport.MessageAssembly;
import org.crabro.protocol.transport.NodeMethod;
import org.crabro.protocol.transport.NodeRefusal;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * One request and its reply. The caller waits; the event loop of the connection calls the methods
 * of the listener, which do not block. A chunk of the request is sent when the node has received
 * those before it.
 */
final class OutgoingCall extends ClientCall.Listener<byte[]> {
    static final Metadata.Key<String> REFUSAL =
            Metadata.Key.of(CallHeaders.REFUSAL, Metadata.ASCII_STRING_MARSHALLER);
    private static final Metadata.Key<String> EXACT_REFUSAL =
            Metadata.Key.of(CallHeaders.EXACT_REFUSAL, Metadata.ASCII_STRING_MARSHALLER);

    /** How often the caller checks whether its request was cancelled. */
    private static final long CHECK_NANOS = Duration.ofMillis(20).toNanos();

    /** Shorter messages do not count: their memory is bounded by the number of requests. */
    private static final int COUNTED_BYTES = 64 << 10;

    private final NodeMethod method;
    private final byte[] request;
    private final ClientCall<ByteBuffer, byte[]> call;
    private final ByteBudget budget;
    private final SentTracer sent;
    private final Thread caller = Thread.currentThread();
    private final AtomicReference<@Nullable CallOutcome> outcome = new AtomicReference<>();
    private final MessageAssembly assembly = new MessageAssembly();
    private long requestBytes;

    /** Why no reply is expected any more; empty while one is. */
    private volatile String abandoned = "";

    // Guarded by this.
    private int sentBytes;
    private long replyBytes;
    private boolean isFinished;

    /** Records whether the headers of a call were written to a connection. */
    static final class SentTracer extends ClientStreamTracer.Factory {
        private volatile boolean wasSent;

        @Override
        public ClientStreamTracer newClientStreamTracer(
                ClientStreamTracer.StreamInfo info, Metadata headers) {
            return new ClientStreamTracer() {
                @Override
                public void outboundHeaders() {
                    wasSent = true;
                }
            };
        }
    }

    /**
     * @param request an encoded message, which is not changed
     * @param sent traces {@code call}
     */
    OutgoingCall(
            NodeMethod method,
            byte[] request,
            ClientCall<ByteBuffer, byte[]> call,
            ByteBudget budget,
            SentTracer sent) {
        this.method = method;
        this.request = request;
        this.call = call;
        this.budget = budget;
        this.sent = sent;
    }

    /**
     * Sends the request and waits for the outcome, at most until {@link CallLimits#REPLY_TIME}
     * after the deadline. Then the caller closes this.
     */
    CallOutcome run(Metadata headers, Deadline deadline) {
        if (request.length > COUNTED_BYTES) {
            if (!budget.tryTake(request.length)) {
                return new Refused(
                        NodeRefusal.OVERLOADED,
                        "overload: requests to content nodes leave no memory for another");
            }
            requestBytes = request.length;
        }
        call.start(this, headers);
        call.request(1);
        sendChunks();
        return await(deadline);
    }

    private CallOutcome await(Deadline deadline) {
        long end = deadline.nanos() + CallLimits.REPLY_TIME.toNanos();
        boolean wasInterrupted = false;
        CallOutcome done = outcome.get();
        while (done == null) {
            long left = end - System.nanoTime();
            if (left <= 0 || deadline.cancellation().isCancelled()) {
                stop(new TimedOut());
            } else if (!abandoned.isEmpty()) {
                stop(new Lost(abandoned, sent.wasSent));
            } else {
                LockSupport.parkNanos(this, Math.min(left, CHECK_NANOS));
                // As in one process, an interrupt ends no request.
                wasInterrupted |= Thread.interrupted();
            }
            done = outcome.get();
        }
        if (wasInterrupted) {
            caller.interrupt();
        }
        return done;
    }

    /**
     * Frees the memory of the request, and returns how many bytes of the budget the reply uses. The
     * caller releases these. No later chunk takes more.
     */
    synchronized long finish() {
        isFinished = true;
        budget.release(requestBytes);
        requestBytes = 0;
        return replyBytes;
    }

    private synchronized void sendChunks() {
        while (sentBytes < request.length
                && outcome.get() == null
                && (sentBytes == 0 || call.isReady())) {
            int length = Math.min(CallLimits.CHUNK_BYTES, request.length - sentBytes);
            call.sendMessage(ByteBuffer.wrap(request, sentBytes, length));
            sentBytes += length;
            if (sentBytes == request.length) {
                call.halfClose();
            }
        }
    }

    @Override
    public void onReady() {
        sendChunks();
    }

    @Override
    public void onMessage(byte[] chunk) {
        try {
            if (assembly.length() == 0 && !reserve(MessageEncoding.length(chunk))) {
                stop(
                        new Refused(
                                NodeRefusal.OVERLOADED,
                                "overload: replies of content nodes leave no memory for another"));
                return;
            }
            assembly.add(chunk);
        } catch (WireFormatException e) {
            stop(new Lost("the reply is malformed: " + e.getMessage(), true));
            return;
        }
        call.request(1);
    }

    private synchronized boolean reserve(int length) {
        // The reply to a write is short, and says what was written.
        if (length <= COUNTED_BYTES || method.isWrite()) {
            return true;
        }
        if (isFinished || !budget.tryTake(length)) {
            return false;
        }
        replyBytes = length;
        return true;
    }

    /** Lets the caller cancel the call, because no reply is expected from the node any more. */
    void abandon(String reason) {
        abandoned = reason;
        LockSupport.unpark(caller);
    }

    /** Cancels the call. No chunk is sent afterwards. */
    private synchronized void stop(CallOutcome failure) {
        end(failure);
        call.cancel("no reply is awaited any more", null);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
        end(closed(status, trailers));
    }

    private CallOutcome closed(Status status, Metadata trailers) {
        if (status.isOk()) {
            try {
                return new Message(assembly.message());
            } catch (WireFormatException e) {
                return new Lost("the reply is malformed: " + e.getMessage(), true);
            }
        }
        Optional<NodeRefusal> refusal =
                NodeRefusal.named(trailers.get(EXACT_REFUSAL))
                        .or(() -> NodeRefusal.named(trailers.get(REFUSAL)));
        if (refusal.isPresent()) {
            return new Refused(refusal.get(), String.valueOf(status.getDescription()));
        }
        return status.getCode() == Status.Code.DEADLINE_EXCEEDED
                ? new TimedOut()
                : new Lost(reason(status), sent.wasSent);
    }

    /** Returns the first cause, which names the address. */
    private static String reason(Status status) {
        Throwable cause = status.getCause();
        if (cause == null) {
            return status.getDescription() == null
                    ? status.getCode().name()
                    : status.getDescription();
        }
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause.getMessage() == null ? cause.toString() : cause.getMessage();
    }

    private void end(CallOutcome result) {
        if (outcome.compareAndSet(null, result)) {
            LockSupport.unpark(caller);
        }
    }
}
