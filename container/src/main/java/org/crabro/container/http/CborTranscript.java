package org.crabro.container.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.async.ByteArrayFeeder;
import tools.jackson.core.json.JsonFactory;

/**
 * Takes JSON and writes it as CBOR (RFC 8949), token by token as it comes: objects and arrays of
 * indefinite length, whole numbers in as few bytes as they need, others as doubles. Closing it says
 * that all has come, and leaves what it writes to open.
 */
public final class CborTranscript extends OutputStream {
    /** The content type. */
    public static final String CONTENT_TYPE = "application/cbor";

    /** The content type of several behind each other (RFC 8742). */
    public static final String SEQUENCE = "application/cbor-seq";

    /** What is taken is what was written here, whatever its size. */
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .maxNameLength(Integer.MAX_VALUE)
                                    .maxNumberLength(Integer.MAX_VALUE)
                                    .maxNestingDepth(Integer.MAX_VALUE)
                                    .build())
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

    private final OutputStream out;
    private final JsonParser parser;
    private final ByteArrayFeeder feeder;

    public CborTranscript(OutputStream out) {
        this.out = out;
        var fed = JSON.createNonBlockingByteArrayParser(ObjectReadContext.empty());
        this.parser = fed;
        this.feeder = (ByteArrayFeeder) fed.nonBlockingInputFeeder();
    }

    /** Writes what {@code json} holds. */
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
    }

    private void write(JsonToken token) throws IOException {
        switch (token) {
            case START_OBJECT -> out.write(OBJECT);
            case START_ARRAY -> out.write(ARRAY);
            case END_OBJECT, END_ARRAY -> out.write(BREAK);
            case PROPERTY_NAME -> text(parser.currentName());
            case VALUE_STRING -> text(parser.getString());
            case VALUE_TRUE -> out.write(TRUE);
            case VALUE_FALSE -> out.write(FALSE);
            case VALUE_NULL -> out.write(NULL);
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
        out.write(utf8);
    }

    private void whole(long value) throws IOException {
        if (value < 0) {
            head(NEGATIVE, -1 - value);
        } else {
            head(UNSIGNED, value);
        }
    }

    private void real(double value) throws IOException {
        out.write(DOUBLE);
        bytes(Double.doubleToLongBits(value), Double.BYTES);
    }

    private void head(int type, long value) throws IOException {
        if (value < 24) {
            out.write(type | (int) value);
        } else if (value < 1L << 8) {
            out.write(type | 24);
            bytes(value, Byte.BYTES);
        } else if (value < 1L << 16) {
            out.write(type | 25);
            bytes(value, Short.BYTES);
        } else if (value < 1L << 32) {
            out.write(type | 26);
            bytes(value, Integer.BYTES);
        } else {
            out.write(type | 27);
            bytes(value, Long.BYTES);
        }
    }

    private void bytes(long value, int count) throws IOException {
        for (int i = count - 1; i >= 0; i--) {
            out.write((int) (value >>> (Byte.SIZE * i)));
        }
    }
}
