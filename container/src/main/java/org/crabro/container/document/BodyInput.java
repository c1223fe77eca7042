package org.crabro.container.document;

import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.util.Arrays;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.CborTranscript;
import org.crabro.document.InvalidDocumentException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.exc.JacksonIOException;

/**
 * The body of a request, unpacked as {@code UnpackedBodies} does, up to a bound. Reads block until
 * the client has sent more.
 */
public final class BodyInput extends FilterInputStream {
    private static final int FIRST_BUFFER = 2 << 10;
    private static final int READ_AT_ONCE = 64 << 10;

    /**
     * JSON from a CBOR body is buffered up to this size, and up to a multiple of the size of the
     * CBOR.
     */
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
     * Opens a body. Its unpacked bytes and its {@linkplain #countLeftOut omitted cells} are
     * counted.
     *
     * @param max unpacked bytes at most; more throw {@link InvalidRequestException}
     * @param share of the body
     * @throws InvalidRequestException if the announced length is too large
     */
    public static BodyInput open(ArrivingRequest request, long max, BodyMemory.Share share) {
        return open(request, max, request.stream(share), bytes -> Admission.grow(share, bytes));
    }

    private static BodyInput open(Request request, long max, InputStream in, LongConsumer grown) {
        long announced = request.getLength();
        if (announced > max) {
            throw tooLarge(announced, max);
        }
        return new BodyInput(in, max, announced, isCbor(request), grown);
    }

    private static boolean isCbor(Request request) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase(CborTranscript.CONTENT_TYPE);
    }

    /**
     * Returns the result of {@code reading}, which gets the body as JSON, also if it is CBOR.
     *
     * @throws InvalidDocumentException from {@code reading}; with a position only if the client
     *     sent JSON
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
            // The JSON was generated here, so it can only be malformed in parts that were copied
            // from the CBOR: texts and nesting.
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

    /** Does not read the rest of the body; the end of the request does. */
    @Override
    public void close() {
        // Nothing to release.
    }

    /**
     * Returns a short body as JSON, also if it is CBOR. Later reads start at its first byte again.
     * Call this before other reads.
     *
     * @param most bytes of a short body
     * @return null if the body is longer, may exceed its bound, or is malformed
     */
    byte @Nullable [] ahead(int most) throws IOException {
        if (announced > most) {
            return null;
        }
        int limit = (int) Math.min(most, max);
        int end = announced < 0 ? limit : (int) announced;
        // Announced bytes that are not received take no memory.
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
            // The second read reports the error.
            return null;
        }
    }

    /** Returns the count of unpacked bytes that were read ahead. */
    int aheadCount() {
        return aheadCount;
    }

    /** Returns the count of unpacked bytes that were read. */
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
     * Adds tensor cells that the body omits. They count like bytes of the body, with their size in
     * memory.
     *
     * @throws InvalidRequestException if the body exceeds its bound with them
     */
    public void countLeftOut(int cells) {
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
}
