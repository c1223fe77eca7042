package org.crabro.client.imports;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/**
 * Reads the records of a file or a directory, one after another. Values are {@code String}, {@code
 * Long}, {@code Double}, {@code Boolean}, {@code Instant}, {@code List} and {@code Map}; there are
 * no nulls: a missing value is missing in the map.
 */
public interface RecordReader extends AutoCloseable {
    /**
     * Returns the next record; empty at the end.
     *
     * @throws IOException if it cannot be read; the message says where
     */
    Optional<Map<String, Object>> next() throws IOException;

    @Override
    void close() throws IOException;
}
