package org.crabro.container.bulk;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** A body as it was sent. */
final class PlainBody implements BodySource {
    private final Content.Source source;
    private final Semaphore arrived = new Semaphore(0);
    private Content.@Nullable Chunk chunk;
    private boolean isAtEnd;

    PlainBody(Content.Source source) {
        this.source = source;
    }

    @Override
    public int read(byte[] into, int offset, int length, boolean waits) throws IOException {
        while (!isAtEnd) {
            Content.Chunk now = chunk == null ? source.read() : chunk;
            if (now == null) {
                if (!waits) {
                    return 0;
                }
                await();
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

    private void await() throws IOException {
        source.demand(arrived::release);
        try {
            arrived.acquire();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted while a body came in");
            interrupted.initCause(e);
            throw interrupted;
        }
    }
}
