package org.crabro.perf.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("all-compilers")
class LuceneRowsTest {
    private static final int CELLS = 384;

    @TempDir private Path folder;

    @Test
    void computesTheDotProductsOfAllRows() throws Exception {
        var random = new Random(Long.getLong("crabro.seed", 2026));
        byte[] query = new byte[CELLS];
        random.nextBytes(query);
        byte[] bytes = new byte[7 * CELLS];
        random.nextBytes(bytes);
        Path file = Files.write(folder.resolve("rows"), bytes);
        long sum = 0;
        for (int i = 0; i < bytes.length; i++) {
            sum += bytes[i] * query[i % CELLS];
        }

        try (var rows = new LuceneRows(file, query)) {
            assertThat(LuceneRows.arrayDots(rows.arrays(), query)).isEqualTo((double) sum);
            // Lucene's scores: a half, and the product over the largest there is, twice.
            assertThat((rows.mappedDots() - 7 * 0.5) * CELLS * (1 << 15))
                    .isCloseTo((double) sum, within(7.0 * CELLS));
        }
    }
}
