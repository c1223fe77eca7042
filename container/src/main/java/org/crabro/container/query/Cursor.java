package org.crabro.container.query;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.CRC32;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SortKey;

/**
 * The position after a page of hits, as text. A result contains it, and the next request sends it.
 *
 * <pre>
 *   cursor := base64url( version check order relevance count { value } id )
 * </pre>
 *
 * The check is the CRC-32 of everything after it. The order is the CRC-32 of the sort keys, because
 * a cursor is valid for one sort order only.
 */
public final class Cursor {
    private static final int VERSION = 1;

    /** A hit with longer sort values has no cursor. */
    private static final int BYTES_MAX = 8 << 10;

    private static final int HEAD = 1 + Integer.BYTES;

    private static final int NONE = 0;
    private static final int TEXT = 1;
    private static final int BOOL = 2;
    private static final int INT = 3;
    private static final int LONG = 4;
    private static final int FLOAT = 5;
    private static final int DOUBLE = 6;

    private Cursor() {}

    /** Returns the cursor after a hit; empty if it would be too long. */
    public static Optional<String> text(HitPosition position, List<SortKey> sorting) {
        var bytes = new ByteArrayOutputStream();
        try (var out = new DataOutputStream(bytes)) {
            out.writeInt(order(sorting));
            out.writeDouble(position.relevance());
            out.writeByte(position.sortValues().size());
            for (Optional<FieldValue> value : position.sortValues()) {
                write(value, out);
            }
            write(position.id().toString(), out);
        } catch (IOException e) {
            throw new UncheckedIOException("bytes in memory can be written", e);
        }
        byte[] payload = bytes.toByteArray();
        if (payload.length > BYTES_MAX) {
            return Optional.empty();
        }
        var whole = new byte[HEAD + payload.length];
        whole[0] = VERSION;
        int check = checksum(payload);
        for (int i = 0; i < Integer.BYTES; i++) {
            whole[1 + i] = (byte) (check >>> (Byte.SIZE * i));
        }
        System.arraycopy(payload, 0, whole, HEAD, payload.length);
        return Optional.of(Base64.getUrlEncoder().withoutPadding().encodeToString(whole));
    }

    /**
     * Returns the position of a cursor.
     *
     * @throws IllegalQueryException if it is no cursor, or belongs to another order
     */
    static HitPosition parse(String text, List<SortKey> sorting) {
        byte[] whole;
        try {
            whole = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            throw illegal("expected the value of 'after' in a result");
        }
        if (whole.length <= HEAD || whole[0] != VERSION) {
            throw illegal("expected the value of 'after' in a result");
        }
        int check = 0;
        for (int i = 0; i < Integer.BYTES; i++) {
            check |= (whole[1 + i] & 0xff) << (Byte.SIZE * i);
        }
        byte[] payload = Arrays.copyOfRange(whole, HEAD, whole.length);
        if (checksum(payload) != check) {
            throw illegal("expected the value of 'after' in a result, but this one was changed");
        }
        try (var in = new DataInputStream(new ByteArrayInputStream(payload))) {
            if (in.readInt() != order(sorting)) {
                throw illegal("it belongs to a query with another sort order");
            }
            double relevance = in.readDouble();
            if (Double.isNaN(relevance)) {
                throw illegal("expected the value of 'after' in a result");
            }
            int count = in.readUnsignedByte();
            var values = new ArrayList<Optional<FieldValue>>();
            for (int i = 0; i < count; i++) {
                values.add(readValue(in));
            }
            return new HitPosition(relevance, values, DocumentId.parse(readText(in)));
        } catch (IOException | InvalidDocumentException e) {
            throw illegal("expected the value of 'after' in a result");
        }
    }

    private static int checksum(byte[] bytes) {
        var crc = new CRC32();
        crc.update(bytes);
        return (int) crc.getValue();
    }

    private static int order(List<SortKey> sorting) {
        return checksum(sorting.toString().getBytes(StandardCharsets.UTF_8));
    }

    private static void write(Optional<FieldValue> value, DataOutputStream out) throws IOException {
        switch (value.orElse(null)) {
            case null -> out.writeByte(NONE);
            case FieldValue.StringValue(String text) -> {
                out.writeByte(TEXT);
                write(text, out);
            }
            case FieldValue.BoolValue(boolean truth) -> {
                out.writeByte(BOOL);
                out.writeBoolean(truth);
            }
            case FieldValue.IntValue(int number) -> {
                out.writeByte(INT);
                out.writeInt(number);
            }
            case FieldValue.LongValue(long number) -> {
                out.writeByte(LONG);
                out.writeLong(number);
            }
            case FieldValue.FloatValue(float number) -> {
                out.writeByte(FLOAT);
                out.writeFloat(number);
            }
            case FieldValue.DoubleValue(double number) -> {
                out.writeByte(DOUBLE);
                out.writeDouble(number);
            }
            case FieldValue.Composite _, FieldValue.TensorValue _, FieldValue.MixedTensorValue _ ->
                    throw new IllegalStateException("hits are sorted by single values: " + value);
        }
    }

    private static Optional<FieldValue> readValue(DataInputStream in) throws IOException {
        int tag = in.readUnsignedByte();
        return switch (tag) {
            case NONE -> Optional.empty();
            case TEXT -> Optional.of(new FieldValue.StringValue(readText(in)));
            case BOOL -> Optional.of(new FieldValue.BoolValue(in.readBoolean()));
            case INT -> Optional.of(new FieldValue.IntValue(in.readInt()));
            case LONG -> Optional.of(new FieldValue.LongValue(in.readLong()));
            case FLOAT -> Optional.of(new FieldValue.FloatValue(in.readFloat()));
            case DOUBLE -> Optional.of(new FieldValue.DoubleValue(in.readDouble()));
            default -> throw new IOException("no value has the tag " + tag);
        };
    }

    private static void write(String text, DataOutputStream out) throws IOException {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        out.writeInt(utf8.length);
        out.write(utf8);
    }

    private static String readText(DataInputStream in) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > in.available()) {
            throw new IOException("a text of " + length + " bytes");
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(
                ErrorCode.ILLEGAL_QUERY, "Could not set 'after': " + problem);
    }
}
