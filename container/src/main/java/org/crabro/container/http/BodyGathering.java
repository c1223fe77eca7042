package org.crabro.container.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request without a waiting thread, on the threads that receive it. Ends when
 * the body is complete, has failed, or is longer than {@link #MAX_BYTES}. The idle timeout of the
 * connection limits the wait for the rest.
 */
final class BodyGathering implements Invocable.Task {
    /** Enough for several vectors of a thousand numbers as text. */
    static final int MAX_BYTES = 64 * 1024;

    /** The initial capacity if the length of the body is unknown. */
    private static final int FIRST_BYTES = 4 * 1024;

    private final Request request;
    private final Consumer<GatheredRequest> then;
    private byte[] bytes = {};
    private int size;

    /**
     * @param then receives the request with the gathered bytes, on the thread that has read the end
     */
    BodyGathering(Request request, Consumer<GatheredRequest> then) {
        this.request = request;
        this.then = then;
    }

    /** This task handles blocking and non-blocking invocations itself. */
    @Override
    public InvocationType getInvocationType() {
        return InvocationType.EITHER;
    }

    /** Takes the available bytes, and demands more. */
    @Override
    public void run() {
        Content.Chunk chunk = request.read();
        while (chunk != null && !Content.Chunk.isFailure(chunk)) {
            add(chunk.getByteBuffer());
            boolean isLast = chunk.isLast();
            chunk.release();
            if (isLast || size > MAX_BYTES) {
                end(isLast, null);
                return;
            }
            chunk = request.read();
        }
        if (chunk == null) {
            request.demand(this);
        } else {
            end(false, chunk);
        }
    }

    private void end(boolean isWhole, Content.@Nullable Chunk failure) {
        then.accept(new GatheredRequest(request, bytes, size, isWhole, failure));
    }

    private void add(ByteBuffer more) {
        int count = more.remaining();
        if (count > bytes.length - size) {
            int expected =
                    size > 0 ? 2 * size : Math.clamp(request.getLength(), FIRST_BYTES, MAX_BYTES);
            bytes = Arrays.copyOf(bytes, Math.max(expected, size + count));
        }
        more.get(bytes, size, count);
        size += count;
    }
}
