package org.crabro.container.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Locale;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Compresses answers for clients that ask for it. What a handler writes leaves when it is written,
 * compressed as far as it goes: a stream stays one. Nothing is kept of it but what the compression
 * needs, 256 KiB an answer.
 */
final class GzipAnswers extends Handler.Wrapper {
    /** What is shorter than this, as a whole, stays as it is. */
    private static final int LENGTH_MIN = 256;

    private static final HttpField VARY =
            new HttpField(HttpHeader.VARY, HttpHeader.ACCEPT_ENCODING.asString());

    /** The beginning of every file that gzip makes, without a name or a time. */
    private static final byte[] BEGIN = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, (byte) 0xff};

    private static final int END_BYTES = 8;
    private static final int PIECE = 64 << 10;

    GzipAnswers(Handler handler) {
        super(handler);
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        response.getHeaders().put(VARY);
        if (!isAsked(request.getHeaders())) {
            return super.handle(request, response, callback);
        }
        var compressed = new Compressed(request, response);
        return super.handle(request, compressed, Callback.from(callback, compressed::letGo));
    }

    /** Returns whether {@code Accept-Encoding} names gzip, and not with a quality of 0. */
    static boolean isAsked(HttpFields headers) {
        List<String> accepted = headers.getValuesList(HttpHeader.ACCEPT_ENCODING);
        for (String header : accepted) {
            for (String each : header.split(",", -1)) {
                String[] parts = each.strip().toLowerCase(Locale.ROOT).split("\\s*;\\s*", 2);
                if (parts[0].equals("gzip")) {
                    return parts.length == 1 || !parts[1].matches("q\\s*=\\s*0(\\.0*)?");
                }
            }
        }
        return false;
    }

    /** An answer whose body is compressed, unless it is short or compressed already. */
    private static final class Compressed extends Response.Wrapper {
        private final CRC32 crc = new CRC32();
        private long length;
        private boolean isBegun;
        private boolean isPlain;
        private boolean isGone;
        private final Deflater deflater = new Deflater(Deflater.BEST_SPEED, true);

        Compressed(Request request, Response response) {
            super(request, response);
        }

        @Override
        public void write(boolean last, ByteBuffer content, Callback callback) {
            ByteBuffer written = content == null ? BufferUtil.EMPTY_BUFFER : content;
            var out = new ByteArrayOutputStream(Math.min(PIECE, written.remaining() / 2 + 64));
            if (!isBegun) {
                isBegun = true;
                isPlain =
                        (last && written.remaining() < LENGTH_MIN)
                                || getHeaders().contains(HttpHeader.CONTENT_ENCODING);
                if (!isPlain) {
                    getHeaders().remove(HttpHeader.CONTENT_LENGTH);
                    getHeaders().put(HttpHeader.CONTENT_ENCODING, "gzip");
                    out.writeBytes(BEGIN);
                }
            }
            if (isPlain) {
                super.write(last, content, callback);
                return;
            }
            compress(last, written, out);
            super.write(last, ByteBuffer.wrap(out.toByteArray()), callback);
        }

        private synchronized void compress(
                boolean last, ByteBuffer content, ByteArrayOutputStream out) {
            if (isGone) {
                throw new IllegalStateException("an answer that is over is written to");
            }
            length += content.remaining();
            crc.update(content.duplicate());
            deflater.setInput(content);
            if (last) {
                deflater.finish();
            }
            var piece = new byte[PIECE];
            int count;
            do {
                count =
                        deflater.deflate(
                                piece,
                                0,
                                piece.length,
                                last ? Deflater.NO_FLUSH : Deflater.SYNC_FLUSH);
                out.write(piece, 0, count);
            } while (last ? !deflater.finished() : count == piece.length);
            if (last) {
                out.writeBytes(
                        ByteBuffer.allocate(END_BYTES)
                                .order(ByteOrder.LITTLE_ENDIAN)
                                .putInt((int) crc.getValue())
                                .putInt((int) length)
                                .array());
            }
        }

        /** Lets go of memory that is not the heap's. */
        synchronized void letGo() {
            isGone = true;
            deflater.end();
        }
    }
}
