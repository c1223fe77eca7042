package org.crabro.client.imports;

import dev.hardwood.InputFile;
import dev.hardwood.reader.ParquetFileReader;
import dev.hardwood.reader.RowReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The rows of a Parquet file. */
final class ParquetRecords implements RecordReader {
    /** The library logs which decompressors it found. */
    private static final Logger OF_LIBRARY = Logger.getLogger("dev.hardwood");

    private final Path file;
    private final ParquetFileReader reader;
    private final RowReader rows;
    private final ParquetValues values;
    private long row;

    private ParquetRecords(
            Path file, ParquetFileReader reader, RowReader rows, ImportLosses losses) {
        this.file = file;
        this.reader = reader;
        this.rows = rows;
        this.values = new ParquetValues(reader.getFileSchema().getRootNode(), losses);
    }

    static ParquetRecords open(Path file, ImportLosses losses) throws IOException {
        OF_LIBRARY.setLevel(Level.WARNING);
        try {
            ParquetBounds.check(file);
        } catch (IOException e) {
            throw unreadable(file, String.valueOf(e.getMessage()), e);
        }
        @Nullable ParquetFileReader reader = null;
        try {
            reader = ParquetFileReader.open(InputFile.of(file));
            return new ParquetRecords(file, reader, reader.rowReader(), losses);
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
            return Optional.of(values.row(rows, place()));
        } catch (RuntimeException e) {
            // The library reports damage and unknown encodings with various exceptions.
            throw new IOException(
                    "%s, row %,d: cannot be read: %s".formatted(file, row, reason(e)), e);
        }
    }

    @Override
    public String place() {
        return String.format(Locale.ROOT, "row %,d", row);
    }

    @Override
    public void close() throws IOException {
        rows.close();
        reader.close();
    }
}
