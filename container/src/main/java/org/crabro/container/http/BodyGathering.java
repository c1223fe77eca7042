package org.crabro.container.http;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Consumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Invocable;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of a request as it comes, by whichever threads it comes with: none waits for it.
 * Ends when it is whole, has failed or is longer than {@link #MAX_BYTES}; whoever has sent only a
 * part of it is waited for as long as its connection may be idle.
 */
final class BodyGathering implements Invocable.Task {
    /** Enough for some vectors of a thousand numbers, as text. */
    static final int MAX_BYTES = 64 * 1024;

    /** What there is room for at first where nobody has said how long the body is. */
    private static final int FIRST_BYTES = 4 * 1024;

    private final Request request;
    private final Consumer<GatheredRequest> then;
    private byte[] bytes = {};
    private int size;

    /**
     * @param then gets the request with what was gathered, on the thread that has found its end
     */
    BodyGathering(Request request, Consumer<GatheredRequest> then) {
        this.request = request;
        this.then = then;
    }

    /** Where it may block it answers by itself, and says so to who calls it. */
    @Override
    public InvocationType getInvocationType() {
        return InvocationType.EITHER;
    }

    /** Takes what is there, and comes again when there is more. */
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
