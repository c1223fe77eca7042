package org.crabro.client.imports;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import dev.hardwood.row.PqList;
import dev.hardwood.row.PqMap;
import dev.hardwood.row.PqStruct;
import dev.hardwood.row.StructAccessor;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a Parquet file. Dates and times without a zone are in UTC. Bytes are texts if they
 * are valid UTF-8, as older writers do not mark texts; otherwise Base64. Numbers that are not
 * finite are missing.
 */
final class ParquetRecords implements RecordReader {
    /** The library logs which decompressors it found. */
    private static final Logger OF_LIBRARY = Logger.getLogger("dev.hardwood");

    private final Path file;
    private final ParquetFileReader reader;
    private final RowReader rows;
    private long row;

    private ParquetRecords(Path file, ParquetFileReader reader, RowReader rows) {
        this.file = file;
        this.reader = reader;
        this.rows = rows;
    }

    static ParquetRecords open(Path file) throws IOException {
        OF_LIBRARY.setLevel(Level.WARNING);
        try {
            ParquetBounds.check(file);
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        }
        @Nullable ParquetFileReader reader = null;
        try {
            reader = ParquetFileReader.open(InputFile.of(file));
            return new ParquetRecords(file, reader, reader.rowReader());
        } catch (IOException | RuntimeException e) {
            if (reader != null) {
                reader.close();
            }
            throw unreadable(file, reason(e), e);
        }
    }

    private static IOException unreadable(Path file, String reason, Exception cause) {
        return new IOException(file + " is no Parquet file that can be read: " + reason, cause);
    }

    /** Returns the message of the first cause: the others tell where the library met it. */
    private static String reason(Throwable failure) {
        Throwable first = failure;
        while (first.getCause() != null) {
            first = first.getCause();
        }
        return first.getMessage() == null ? first.toString() : first.getMessage();
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        try {
            if (!rows.hasNext()) {
                return Optional.empty();
            }
            row++;
            rows.next();
            return Optional.of(object(rows));
        } catch (RuntimeException e) {
            // The library reports damage and unknown encodings with various exceptions.
            throw new IOException(
                    "%s, row %,d: cannot be read: %s".formatted(file, row, reason(e)), e);
        }
    }

    private static Map<String, Object> object(StructAccessor struct) {
        if (struct.getFieldCount() > ImportLimits.FIELDS_MAX) {
            throw new IllegalStateException(
                    ImportLimits.tooMany("columns", ImportLimits.FIELDS_MAX));
        }
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < struct.getFieldCount(); i++) {
            @Nullable Object value = struct.isNull(i) ? null : value(struct.getValue(i));
            if (value != null) {
                object.put(struct.getFieldName(i), value);
            }
        }
        return object;
    }

    private static @Nullable Object value(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Boolean truth -> truth;
            case Integer number -> number.longValue();
            case Long number -> number;
            case Float number -> finite(Double.parseDouble(number.toString()));
            case Double number -> finite(number);
            case BigDecimal number -> decimal(number);
            case LocalDate date -> date.atStartOfDay(ZoneOffset.UTC).toInstant();
            case LocalDateTime time -> time.toInstant(ZoneOffset.UTC);
            case Instant time -> time;
            case byte[] bytes -> text(bytes);
            case PqStruct struct -> object(struct);
            case PqList list -> list(list);
            case PqMap map -> map(map);
            default -> value.toString();
        };
    }

    private static @Nullable Object finite(double number) {
        return Double.isFinite(number) ? (Object) number : null;
    }

    private static Object decimal(BigDecimal number) {
        BigDecimal bare = number.stripTrailingZeros();
        return bare.scale() <= 0 && bare.precision() - bare.scale() <= 18
                ? (Object) bare.longValueExact()
                : (Object) number.doubleValue();
    }

    private static String text(byte[] bytes) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
        } catch (CharacterCodingException _) {
            return Base64.getEncoder().encodeToString(bytes);
        }
    }

    private static List<Object> list(PqList list) {
        List<Object> values = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            @Nullable Object value = value(list.get(i));
            if (value != null) {
                values.add(value);
            }
        }
        return values;
    }

    private static Map<String, Object> map(PqMap map) {
        Map<String, Object> values = new LinkedHashMap<>();
        for (PqMap.Entry entry : map.getEntries()) {
            @Nullable Object key = value(entry.getKey());
            @Nullable Object value = value(entry.getValue());
            if (key != null && value != null) {
                values.put(key.toString(), value);
            }
        }
        return values;
    }

    @Override
    public void close() throws IOException {
        rows.close();
        reader.close();
    }
}
