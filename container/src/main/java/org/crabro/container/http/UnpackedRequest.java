package org.crabro.container.http;

import java.nio.ByteBuffer;
import org.crabro.container.http.gzip.GzipMembers;
import org.crabro.container.http.gzip.NotGzipException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

/**
 * A request whose compressed body is unpacked while it is read. Handlers see neither its encoding
 * nor its length. They count the unpacked bytes, and stop at their own bound: at most a piece of
 * {@value #PIECE_BYTES} bytes is unpacked ahead of them. Reading does not block.
 */
public final class UnpackedRequest extends Request.Wrapper {
    private static final int PIECE_BYTES = 32 << 10;

    private final HttpFields headers;

    /** Guarded by this. */
    private @Nullable GzipMembers members;

    /** A piece of the body as it was sent that is not wholly unpacked; guarded by this. */
    private Content.@Nullable Chunk packed;

    /** Where the next bytes are unpacked; guarded by this. */
    private byte @Nullable [] piece;

    /** The end of the body, or its failure; guarded by this. */
    private Content.@Nullable Chunk end;

    private volatile long receivedBytes;

    UnpackedRequest(Request request) {
        super(request);
        this.headers =
                HttpFields.build(request.getHeaders())
                        .remove(HttpHeader.CONTENT_ENCODING)
                        .remove(HttpHeader.CONTENT_LENGTH)
                        .asImmutable();
    }

    @Override
    public HttpFields getHeaders() {
        return headers;
    }

    /** The length of the unpacked body is not known. */
    @Override
    public long getLength() {
        return -1;
    }

    /** Returns how many bytes of the body as it was sent have arrived. */
    long receivedBytes() {
        return receivedBytes;
    }

    @Override
    public synchronized Content.@Nullable Chunk read() {
        while (end == null) {
            Content.Chunk from = packed;
            if (from == null) {
                from = super.read();
                if (from == null || Content.Chunk.isFailure(from)) {
                    return from;
                }
                receivedBytes += from.remaining();
                packed = from;
            }
            try {
                ByteBuffer unpacked = unpack(from.getByteBuffer());
                if (unpacked != null) {
                    return Content.Chunk.from(unpacked, false);
                }
                boolean isLast = from.isLast();
                release();
                if (isLast) {
                    members().end();
                    finish(Content.Chunk.EOF);
                }
            } catch (NotGzipException e) {
                finish(
                        Content.Chunk.from(
                                UnusableBodyException.notCompressed(String.valueOf(e.getMessage())),
                                true));
            }
        }
        return end;
    }

    private @Nullable ByteBuffer unpack(ByteBuffer from) throws NotGzipException {
        byte[] into = piece == null ? new byte[PIECE_BYTES] : piece;
        int count = members().unpack(from, into);
        piece = count > 0 ? null : into;
        return count > 0 ? ByteBuffer.wrap(into, 0, count) : null;
    }

    private GzipMembers members() {
        GzipMembers open = members;
        if (open == null) {
            open = new GzipMembers();
            members = open;
        }
        return open;
    }

    private void release() {
        if (packed != null) {
            packed.release();
            packed = null;
        }
    }

    private void finish(Content.Chunk last) {
        release();
        piece = null;
        if (members != null) {
            members.close();
        }
        end = last;
    }

    @Override
    public void demand(Runnable then) {
        boolean isThere;
        synchronized (this) {
            isThere = packed != null || end != null;
        }
        if (isThere) {
            then.run();
        } else {
            super.demand(then);
        }
    }

    /**
     * Returns the request with the rest of its body as it is sent. Nothing more is unpacked, and
     * this body has failed unless it was at its end.
     */
    synchronized Request packed() {
        if (end == null) {
            finish(Content.Chunk.from(new EofException("the request is over"), true));
        }
        return getWrapped();
    }
}
