package org.crabro.container.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.async.ByteArrayFeeder;
import tools.jackson.core.json.JsonFactory;

/**
 * Converts JSON to CBOR (RFC 8949), token by token: objects and arrays with indefinite length,
 * whole numbers in the fewest bytes, other numbers as doubles. Closing it ends the input and leaves
 * the output open.
 */
public final class CborTranscript extends OutputStream {
    /** The content type. */
    public static final String CONTENT_TYPE = "application/cbor";

    /** The content type of a CBOR sequence (RFC 8742). */
    public static final String SEQUENCE = "application/cbor-seq";

    /** The input was written by this server, so its size is not limited. */
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxNestingDepth(Integer.MAX_VALUE)
                                    .build())
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .build();

    private static final int UNSIGNED = 0x00;
    private static final int NEGATIVE = 0x20;
    private static final int TEXT = 0x60;
    private static final int ARRAY = 0x9f;
    private static final int OBJECT = 0xbf;
    private static final int FALSE = 0xf4;
    private static final int TRUE = 0xf5;
    private static final int NULL = 0xf6;
    private static final int DOUBLE = 0xfb;
    private static final int BREAK = 0xff;

    private static final int BUFFER = 8 << 10;

    /** A byte with type and length, and a number. */
    private static final int HEAD_MAX = 1 + Long.BYTES;

    private final OutputStream out;
    private final ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
    private final JsonParser parser;
    private final ByteArrayFeeder feeder;

    public CborTranscript(OutputStream out) {
        this.out = out;
        var fed = JSON.createNonBlockingByteArrayParser(ObjectReadContext.empty());
        this.parser = fed;
        this.feeder = (ByteArrayFeeder) fed.nonBlockingInputFeeder();
    }

    /** Converts the tokens of {@code json}. */
    public static void write(byte[] json, OutputStream out) throws IOException {
        try (var transcript = new CborTranscript(out)) {
            transcript.write(json);
        }
    }

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b});
    }

    @Override
    public void write(byte[] json, int offset, int count) throws IOException {
        feeder.feedInput(json, offset, offset + count);
        writeTokens();
    }

    @Override
    public void close() throws IOException {
        feeder.endOfInput();
        writeTokens();
        parser.close();
    }

    private void writeTokens() throws IOException {
        JsonToken token = parser.nextToken();
        while (token != null && token != JsonToken.NOT_AVAILABLE) {
            write(token);
            token = parser.nextToken();
        }
        flushBuffer();
    }

    private void flushBuffer() throws IOException {
        out.write(buffer.array(), 0, buffer.position());
        buffer.clear();
    }

    private void write(JsonToken token) throws IOException {
        if (buffer.remaining() < HEAD_MAX) {
            flushBuffer();
        }
        switch (token) {
            case START_OBJECT -> buffer.put((byte) OBJECT);
            case START_ARRAY -> buffer.put((byte) ARRAY);
            case END_OBJECT, END_ARRAY -> buffer.put((byte) BREAK);
            case PROPERTY_NAME -> text(parser.currentName());
            case VALUE_STRING -> text(parser.getString());
            case VALUE_TRUE -> buffer.put((byte) TRUE);
            case VALUE_FALSE -> buffer.put((byte) FALSE);
            case VALUE_NULL -> buffer.put((byte) NULL);
            case VALUE_NUMBER_INT -> {
                if (parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER) {
                    real(parser.getBigIntegerValue().doubleValue());
                } else {
                    whole(parser.getLongValue());
                }
            }
            case VALUE_NUMBER_FLOAT -> real(parser.getDoubleValue());
            case VALUE_EMBEDDED_OBJECT, NOT_AVAILABLE ->
                    throw new IllegalStateException("not in JSON: " + token);
        }
    }

    private void text(String text) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        head(TEXT, utf8.length);
        if (utf8.length > buffer.remaining()) {
            flushBuffer();
        }
        if (utf8.length > buffer.remaining()) {
            out.write(utf8);
        } else {
            buffer.put(utf8);
        }
    }

    private void whole(long value) {
        if (value < 0) {
            head(NEGATIVE, -1 - value);
        } else {
            head(UNSIGNED, value);
        }
    }

    private void real(double value) {
        buffer.put((byte) DOUBLE).putDouble(value);
    }

    private void head(int type, long value) {
        if (value < 24) {
            buffer.put((byte) (type | (int) value));
        } else if (value < 1L << 8) {
            buffer.put((byte) (type | 24)).put((byte) value);
        } else if (value < 1L << 16) {
            buffer.put((byte) (type | 25)).putShort((short) value);
        } else if (value < 1L << 32) {
            buffer.put((byte) (type | 26)).putInt((int) value);
        } else {
            buffer.put((byte) (type | 27)).putLong(value);
        }
    }
}
