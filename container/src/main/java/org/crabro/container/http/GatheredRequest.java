package org.crabro.container.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body, or its beginning, is already read. The body is read like any other; {@link
 * #whole} returns its bytes without a copy.
 */
public final class GatheredRequest extends Request.Wrapper {
    private final byte[] bytes;
    private final int size;
    private final boolean isWhole;
    private Content.@Nullable Chunk failure;
    private boolean isGiven;

    /**
     * @param request contains the rest of the body
     * @param bytes the first {@code size} bytes of the body
     * @param isWhole whether they are the whole body
     * @param failure the error after these bytes, if there was one
     */
    GatheredRequest(
            Request request,
            byte[] bytes,
            int size,
            boolean isWhole,
            Content.@Nullable Chunk failure) {
        super(request);
        this.bytes = bytes;
        this.size = size;
        this.isWhole = isWhole;
        this.failure = failure;
    }

    /** Returns whether {@link #whole} can be called. */
    public boolean isWhole() {
        return isWhole;
    }

    /**
     * Returns the whole body. The bytes are not copied and must not be changed.
     *
     * @throws IllegalStateException if the body may be longer
     */
    public ByteBuffer whole() {
        if (!isWhole) {
            throw new IllegalStateException("a part of the body is still to come");
        }
        return ByteBuffer.wrap(bytes, 0, size);
    }

    @Override
    public Content.@Nullable Chunk read() {
        if (!isGiven) {
            isGiven = true;
            return Content.Chunk.from(ByteBuffer.wrap(bytes, 0, size), isWhole);
        }
        Content.Chunk chunk = failure;
        if (chunk == null) {
            return isWhole ? Content.Chunk.EOF : super.read();
        }
        // A failure that is not the last one is transient: the body continues.
        failure = chunk.isLast() ? chunk : null;
        return chunk;
    }

    @Override
    public void demand(Runnable then) {
        if (!isGiven || isWhole || failure != null) {
            then.run();
        } else {
            super.demand(then);
        }
    }
}
