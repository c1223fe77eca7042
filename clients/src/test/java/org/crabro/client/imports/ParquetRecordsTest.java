package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads files that pyarrow wrote, with a column of each kind, in each compression. */
class ParquetRecordsTest {
    @TempDir Path directory;

    private Path file(String name) throws IOException {
        Path file = directory.resolve(name);
        try (InputStream in = ParquetRecordsTest.class.getResourceAsStream(name)) {
            Files.write(file, in.readAllBytes());
        }
        return file;
    }

    private static List<Map<String, Object>> records(Path path) throws IOException {
        List<Map<String, Object>> records = new ArrayList<>();
        try (RecordReader reader = ImportSource.of(path).open()) {
            for (Optional<Map<String, Object>> next = reader.next();
                    next.isPresent();
                    next = reader.next()) {
                records.add(next.get());
            }
        }
        return records;
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "snappy", "zstd", "gzip", "lz4"})
    void readsValuesOfEachKind(String compression) throws IOException {
        Instant noon = Instant.parse("2026-11-25T12:00:00Z");

        List<Map<String, Object>> records = records(file("kinds-" + compression + ".parquet"));

        assertThat(records)
                .containsExactly(
                        Map.ofEntries(
                                Map.entry("name", "Anna"),
                                Map.entry("count", 1L),
                                Map.entry("big", 1L << 40),
                                Map.entry("weight", 0.1f),
                                Map.entry("score", 0.25),
                                Map.entry("done", true),
                                Map.entry("day", LocalDate.of(2026, 11, 25)),
                                Map.entry("at", noon.plusMillis(123)),
                                Map.entry("local", new GivenValue("2026-11-25T12:00", noon)),
                                Map.entry("price", new GivenValue("12.50", 12.5)),
                                Map.entry("raw", "text"),
                                Map.entry("tags", List.of("a", "b")),
                                Map.entry("vector", List.of(0.5f, 1.0f)),
                                Map.entry("place.city", "Oslo"),
                                Map.entry("place.zip", 150L),
                                Map.entry("counts.x", 1L),
                                Map.entry("counts.y", 2L)),
                        Map.ofEntries(
                                Map.entry("name", "Bert"),
                                Map.entry("count", 2L),
                                Map.entry("weight", 1.5f),
                                Map.entry("score", Double.POSITIVE_INFINITY),
                                Map.entry("done", false),
                                Map.entry("price", new GivenValue("7.00", 7L)),
                                Map.entry("raw", new Base64Value("/wA=")),
                                Map.entry("tags", List.of()),
                                Map.entry("vector", List.of(2.0f, -1.0f))),
                        Map.ofEntries(
                                Map.entry("count", 3L),
                                Map.entry("big", -1L),
                                Map.entry("weight", Float.NaN),
                                Map.entry("score", -2.0),
                                Map.entry("day", LocalDate.of(1969, 12, 31)),
                                Map.entry("vector", List.of(0.0f, 0.0f)),
                                Map.entry("place.zip", 7L)));
    }

    @Test
    void saysThatAFileIsDamaged() throws IOException {
        byte[] whole = Files.readAllBytes(file("kinds-none.parquet"));
        Path torn = directory.resolve("torn.parquet");
        for (int length : new int[] {0, 1, 12, whole.length / 2, whole.length - 1}) {
            Files.write(torn, Arrays.copyOf(whole, length));

            assertThatThrownBy(() -> records(torn))
                    .as("%d bytes", length)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(torn + " is no Parquet file that can be read: ");
        }
    }
}
