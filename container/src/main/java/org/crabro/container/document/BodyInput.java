package org.crabro.container.document;

import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.CborTranscript;
import org.crabro.document.InvalidDocumentException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.EofException;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.JacksonIOException;

/**
 * The body of a request, decompressed, up to a bound. Reading blocks until the client has sent
 * more.
 */
public final class BodyInput extends FilterInputStream {
    private static final int FIRST_BUFFER = 2 << 10;
    private static final int READ_AT_ONCE = 64 << 10;

    /** What comes of CBOR is held where it is no longer, and not many times as long. */
    private static final int CBOR_MAX = 16 << 20;

    private static final int CBOR_GROWTH = 4;
    private static final Pattern PLACE_IN_JSON = Pattern.compile(" at line \\d+, column \\d+$");

    private final InputStream body;
    private final long max;
    private final long announced;
    private final boolean isCbor;
    private final LongConsumer grown;
    private long read;
    private long leftOut;
    private int aheadCount;

    private BodyInput(
            InputStream in, long max, long announced, boolean isCbor, LongConsumer grown) {
        super(in);
        this.body = in;
        this.isCbor = isCbor;
        this.max = max;
        this.announced = announced;
        this.grown = grown;
    }

    /**
     * Opens a body that counts for what has been received of it, decompressed, and for {@linkplain
     * #leaveOut cells left out}.
     *
     * @param max the most bytes, decompressed; more throw {@link InvalidRequestException}
     * @param share of the body
     * @throws InvalidRequestException if the body is announced as too large, or compressed in a way
     *     that is not known
     */
    public static BodyInput open(ArrivingRequest request, long max, BodyMemory.Share share) {
        return open(request, max, request.stream(share), bytes -> Admission.grow(share, bytes));
    }

    private static BodyInput open(Request request, long max, InputStream in, LongConsumer grown) {
        long announced = request.getLength();
        if (announced > max) {
            throw tooLarge(announced, max);
        }
        String encoding = request.getHeaders().get(HttpHeader.CONTENT_ENCODING);
        if (encoding == null || encoding.equalsIgnoreCase("identity")) {
            return new BodyInput(in, max, announced, isCbor(request), grown);
        }
        if (encoding.equalsIgnoreCase("gzip")) {
            return new BodyInput(new CheckedGzip(in), max, -1, isCbor(request), grown);
        }
        throw DocumentParameters.invalid(
                "the content encoding '" + encoding + "' is not known, only gzip");
    }

    private static boolean isCbor(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase(CborTranscript.CONTENT_TYPE);
    }

    /**
     * Returns what {@code reading} makes of the body, which it gets as JSON whatever it is.
     *
     * @throws InvalidDocumentException as {@code reading} does; with a place only where the client
     *     can find it
     * @throws IOException if the body cannot be read
     */
    public <T> T read(Function<InputStream, T> reading) throws IOException {
        if (!isCbor) {
            return applied(reading, this);
        }
        try {
            return applied(reading, new CborBody(this));
        } catch (InvalidDocumentException e) {
            String message = PLACE_IN_JSON.matcher(String.valueOf(e.getMessage())).replaceFirst("");
            // Of what was made here that can be only what was taken over: texts and nesting.
            throw new InvalidDocumentException(
                    message.replace(" no well-formed JSON", " no well-formed CBOR"), e);
        }
    }

    private static <T> T applied(Function<InputStream, T> reading, InputStream json)
            throws IOException {
        try {
            return reading.apply(json);
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
    }

    /** Leaves the body as it is: the rest is read where the request is answered. */
    @Override
    public void close() throws IOException {
        if (body instanceof CheckedGzip) {
            body.close();
        }
    }

    /**
     * Reads a body that is short, whole, as JSON whatever it is. Whatever comes of that, reading
     * goes on at its first byte; call it before that begins.
     *
     * @param most bytes of what is short
     * @return null where the body is longer, or may be longer than is allowed, or is not what it
     *     says it is
     */
    byte @Nullable [] ahead(int most) throws IOException {
        if (announced > most) {
            return null;
        }
        int limit = (int) Math.min(most, max);
        int end = announced < 0 ? limit : (int) announced;
        // What is announced and not received takes no memory.
        byte[] bytes = new byte[Math.min(announced < 0 ? FIRST_BUFFER : READ_AT_ONCE, end)];
        int count = readNBytes(bytes, 0, bytes.length);
        while (count == bytes.length && count < end) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(2L * count, end));
            count += readNBytes(bytes, count, bytes.length - count);
        }
        boolean isWhole = announced < 0 ? count < limit : count == announced;
        read -= count;
        aheadCount = count;
        in = new SequenceInputStream(new ByteArrayInputStream(bytes, 0, count), body);
        if (!isWhole) {
            return null;
        }
        if (isCbor) {
            return transcript(new ByteArrayInputStream(bytes, 0, count), count);
        }
        return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
    }

    private static byte @Nullable [] transcript(InputStream cbor, int length) throws IOException {
        int most = (int) Math.min(CBOR_MAX, (long) CBOR_GROWTH * length + FIRST_BUFFER);
        try (var json = new CborBody(cbor)) {
            byte[] text = json.readNBytes(most);
            return text.length < most ? text : null;
        } catch (InvalidRequestException _) {
            // Read once more, by who says what is wrong.
            return null;
        }
    }

    /** Returns how many bytes were read ahead, decompressed. */
    int aheadCount() {
        return aheadCount;
    }

    /** Returns how many bytes were read, decompressed. */
    long count() {
        return read;
    }

    @Override
    public int read() throws IOException {
        int next = super.read();
        if (next >= 0) {
            count(1);
        }
        return next;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int count = super.read(into, offset, length);
        if (count > 0) {
            count(count);
        }
        return count;
    }

    private void count(int more) {
        read += more;
        if (read > max) {
            throw tooLarge(Math.max(read, announced), max);
        }
        grown.accept(read + leftOut);
    }

    /**
     * Says that so many cells of tensors are made that the body leaves out: they count as if they
     * were in it, with the bytes that they take in memory.
     *
     * @throws InvalidRequestException if the body is too large with them
     */
    public void leaveOut(int cells) {
        leftOut += (long) Double.BYTES * cells;
        if (read + leftOut > max) {
            throw new InvalidRequestException(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "the body leaves out cells of tensors that take %d bytes or more, at most %d are"
                                    .formatted(leftOut, max)
                            + " allowed with those that it has");
        }
        grown.accept(read + leftOut);
    }

    private static InvalidRequestException tooLarge(long size, long max) {
        return new InvalidRequestException(
                HttpStatus.PAYLOAD_TOO_LARGE_413,
                "the body has %d bytes or more, at most %d are allowed".formatted(size, max));
    }

    /** Tells bad compressed data, the client's fault, from a connection that broke. */
    private static final class CheckedGzip extends InputStream {
        private static final int BUFFER_SIZE = 8192;

        private final InputStream compressed;
        private @Nullable GZIPInputStream in;

        CheckedGzip(InputStream compressed) {
            this.compressed = compressed;
        }

        /** What compresses lets go of its memory when it is closed, and not of the body. */
        private static InputStream unclosed(InputStream body) {
            return new FilterInputStream(body) {
                @Override
                public void close() {
                    // The rest is read where the request is answered.
                }
            };
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int length) throws IOException {
            try {
                GZIPInputStream open = in;
                if (open == null) {
                    open = new GZIPInputStream(unclosed(compressed), BUFFER_SIZE);
                    in = open;
                }
                return open.read(into, offset, length);
            } catch (EofException e) {
                throw e;
            } catch (ZipException | EOFException e) {
                throw new InvalidRequestException(
                        HttpStatus.BAD_REQUEST_400,
                        "the body is not compressed with gzip, as its content encoding declares: "
                                + e.getMessage(),
                        e);
            }
        }

        @Override
        public void close() throws IOException {
            GZIPInputStream open = in;
            if (open != null) {
                open.close();
            }
        }
    }
}
