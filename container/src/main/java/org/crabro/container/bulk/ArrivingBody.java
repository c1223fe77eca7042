package org.crabro.container.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A body as it arrives. */
final class ArrivingBody implements BodySource {
    private final ArrivingRequest request;
    private final BodyMemory.Share place;
    private Content.@Nullable Chunk chunk;
    private boolean isAtEnd;

    /**
     * @param place may be given to another request while this one waits for its client
     */
    ArrivingBody(ArrivingRequest request, BodyMemory.Share place) {
        this.request = request;
        this.place = place;
    }

    @Override
    public int read(byte[] into, int offset, int length, boolean waits) throws IOException {
        while (!isAtEnd) {
            Content.Chunk now = chunk == null ? request.read() : chunk;
            if (now == null) {
                if (!waits) {
                    return 0;
                }
                request.await(place);
                continue;
            }
            if (Content.Chunk.isFailure(now)) {
                throw now.getFailure() instanceof IOException e
                        ? e
                        : new IOException(now.getFailure());
            }
            ByteBuffer bytes = now.getByteBuffer();
            int count = Math.min(length, bytes.remaining());
            bytes.get(into, offset, count);
            chunk = now;
            if (!bytes.hasRemaining()) {
                isAtEnd = now.isLast();
                chunk = null;
                now.release();
            }
            if (count > 0) {
                return count;
            }
        }
        return -1;
    }
}
