package org.crabro.container.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.IO;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body is read by a blocking thread. The thread stops waiting for the client if the
 * body {@link BodyMemory gives way}. The rest of the body can be read later, as in any request.
 */
public final class ArrivingRequest extends Request.Wrapper {
    private final AtomicReference<@Nullable Runnable> demanded = new AtomicReference<>();
    private final @Nullable UnpackedRequest unpacked;

    /** For the thread that reads. */
    private long arrivedBytes;

    private volatile boolean isGivenUp;

    public ArrivingRequest(Request request) {
        super(request);
        this.unpacked = Request.as(request, UnpackedRequest.class);
    }

    @Override
    public Content.@Nullable Chunk read() {
        // The demand of an aborted wait is still pending, and delivers the content.
        Content.Chunk chunk = demanded.get() == null ? super.read() : null;
        if (chunk != null) {
            arrivedBytes += chunk.remaining();
        }
        return chunk;
    }

    @Override
    public void demand(Runnable then) {
        if (demanded.getAndSet(then) == null) {
            super.demand(Invocable.from(Invocable.getInvocationType(then), this::arrived));
        }
    }

    private void arrived() {
        Runnable then = demanded.getAndSet(null);
        if (then != null) {
            then.run();
        }
    }

    /**
     * Waits until bytes can be read.
     *
     * @param share of the body
     * @throws BodyRefusedException if the body has given way
     * @throws InterruptedIOException if the thread is interrupted
     */
    public void await(BodyMemory.Share share) throws InterruptedIOException {
        var arrival = new Arrival(Thread.currentThread());
        // What a client has sent counts, and not what becomes of it.
        share.beginWaiting(unpacked == null ? arrivedBytes : unpacked.receivedBytes());
        demand(arrival);
        while (!arrival.isThere && !share.hasGivenWay()) {
            LockSupport.park(this);
            if (Thread.interrupted()) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted while a body was received");
            }
        }
        isGivenUp = share.hasGivenWay();
        share.endWaiting();
    }

    /** Returns whether a wait for the client ended because the body gave way. */
    public boolean isGivenUp() {
        return isGivenUp;
    }

    /** Returns the body as a stream; closing the stream does not close the body. */
    public InputStream stream(BodyMemory.Share share) {
        return new Stream(share);
    }

    private static final class Arrival implements Invocable.Task {
        private final Thread waiting;
        private volatile boolean isThere;

        Arrival(Thread waiting) {
            this.waiting = waiting;
        }

        @Override
        public InvocationType getInvocationType() {
            return InvocationType.NON_BLOCKING;
        }

        @Override
        public void run() {
            isThere = true;
            LockSupport.unpark(waiting);
        }
    }

    private final class Stream extends InputStream {
        private final BodyMemory.Share share;
        private Content.@Nullable Chunk chunk;

        Stream(BodyMemory.Share share) {
            this.share = share;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            if (length == 0) {
                return 0;
            }
            while (true) {
                Content.Chunk now = chunk == null ? ArrivingRequest.this.read() : chunk;
                if (now == null) {
                    await(share);
                    continue;
                }
                if (Content.Chunk.isFailure(now)) {
                    chunk = now.isLast() ? now : null;
                    throw IO.rethrow(now.getFailure());
                }
                ByteBuffer bytes = now.getByteBuffer();
                int count = Math.min(length, bytes.remaining());
                bytes.get(into, offset, count);
                chunk = now;
                if (!bytes.hasRemaining()) {
                    chunk = now.isLast() ? Content.Chunk.EOF : null;
                    now.release();
                }
                if (count > 0) {
                    return count;
                }
                if (now.isLast()) {
                    return -1;
                }
            }
        }
    }
}
