package org.crabro.container.http;

import java.nio.ByteBuffer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request whose body, or the begin of it, has been read already. It is read here as any other;
 * who wants the bytes as they lie asks for {@link #whole}.
 */
public final class GatheredRequest extends Request.Wrapper {
    private final byte[] bytes;
    private final int size;
    private final boolean isWhole;
    private Content.@Nullable Chunk failure;
    private boolean isGiven;

    /**
     * @param request has what is not gathered
     * @param bytes from the first on, as many as {@code size} says
     * @param isWhole whether that is the whole body
     * @param failure what was found behind these bytes, if it was one
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

    /** Returns whether {@link #whole} has the whole body. */
    public boolean isWhole() {
        return isWhole;
    }

    /**
     * Returns the whole body, whose bytes are not copied: nobody may change them.
     *
     * @throws IllegalStateException if there may be more of it
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
        Content.Chunk found = failure;
        if (found == null) {
            return isWhole ? Content.Chunk.EOF : super.read();
        }
        // One that is not the last may pass: then the body goes on.
        failure = found.isLast() ? found : null;
        return found;
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
