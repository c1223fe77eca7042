package org.crabro.client.imports;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the records of a file or a directory, one after another. Values are {@code String}, {@code
 * Long}, {@code Double}, {@code Float}, {@code Boolean}, {@code Instant}, {@code LocalDate}, {@code
 * List} and {@code Map}. Numbers that are no double are {@code BigDecimal}, bytes that are no text
 * {@link Base64Value}. {@link GivenValue} has one of these, or a {@link SeparatedNumber}, with its
 * text. There are no nulls: a missing value is missing in the map; null elements of lists are
 * {@link NullElement}.
 */
public interface RecordReader extends AutoCloseable {
    /**
     * Returns the next record; empty at the end.
     *
     * @throws IOException if it cannot be read; the message says where
     */
    Optional<Map<String, Object>> next() throws IOException;

    /** Returns where the record is that {@link #next} has returned last, such as "line 5". */
    String place();

    /**
     * Returns the name that the source has for the record that {@link #next} has returned last,
     * such as the path of a file. Names differ, and the next import of an unchanged source has the
     * same. Empty if the source has no names.
     */
    default Optional<String> name() {
        return Optional.empty();
    }

    @Override
    void close() throws IOException;
}
