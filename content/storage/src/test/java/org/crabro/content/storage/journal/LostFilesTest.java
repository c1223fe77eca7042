package org.crabro.content.storage.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class LostFilesTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final Instant NOW = Instant.parse("2026-01-31T12:00:00Z");

    @Test
    void neverGivesTwoFilesOneName() throws IOException {
        var files = new MemoryLogFiles();
        for (int i = 0; i < 3; i++) {
            put(files, "partitions/03/17.run", 10 + i);
            at(files, NOW).keep("partitions/03/17.run", "a test");
        }

        assertThat(files.list("lost+found/kept"))
                .containsExactly(
                        "20260131T120000Z-partitions-03-17.run",
                        "20260131T120000Z-partitions-03-17.run.2",
                        "20260131T120000Z-partitions-03-17.run.3");
        assertThat(files.list("partitions/03")).isEmpty();
        assertThat(LostFiles.total(files)).isEqualTo(new LostFiles.Total(3, 33));
    }

    @Test
    void deletesLeftoversThatAreOldAndNothingElse() throws IOException {
        var files = new MemoryLogFiles();
        put(files, "1.run", 1);
        put(files, "2.run", 1);
        put(files, "3.run", 1);
        at(files, NOW).keepLeftover("1.run", "a test");
        at(files, NOW).keep("2.run", "a test");
        at(files, NOW.plus(Duration.ofDays(1))).keepLeftover("3.run", "a test");

        at(files, NOW.plus(LostFiles.LEFTOVER_AGE_MAX)).trim();
        assertThat(LostFiles.total(files).files()).isEqualTo(3);

        at(files, NOW.plus(LostFiles.LEFTOVER_AGE_MAX).plusSeconds(1)).trim();
        assertThat(files.list("lost+found/leftovers")).containsExactly("20260201T120000Z-3.run");
        assertThat(files.list("lost+found/kept")).hasSize(1);
    }

    @Test
    void deletesTheOldestLeftoversAboveTheBound() throws IOException {
        var files = new FaultyLogFiles(new Random(SEED));
        var bounded = new LostFiles(files, InstantSource.fixed(NOW), 3 * 1_000 - 1);
        for (int i = 0; i < 3; i++) {
            put(files, i + ".run", 1_000);
            new LostFiles(files, InstantSource.fixed(NOW.plusSeconds(i)))
                    .keepLeftover(i + ".run", "a test");
        }

        bounded.trim();

        assertThat(files.list("lost+found/leftovers"))
                .containsExactly("20260131T120001Z-1.run", "20260131T120002Z-2.run");
    }

    @ParameterizedTest
    @EnumSource(FaultyLogFiles.Loss.class)
    void losesNoFileWhereverMovingStops(FaultyLogFiles.Loss loss) throws IOException {
        for (int stop = 1; stop <= 4; stop++) {
            for (int chance = 0; chance < 20; chance++) {
                var files = new FaultyLogFiles(new Random(SEED + chance));
                put(files, "partitions/03/17.run", 10);
                files.stopAfter(stop);
                try {
                    at(files, NOW).keep("partitions/03/17.run", "a test");
                } catch (FaultyLogFiles.StoppedException _) {
                    assertThat(files.hasStopped()).isTrue();
                }

                assertThat(files.afterCrash(loss).names().values())
                        .as("stop %d, chance %d, %s, seed %d", stop, chance, loss, SEED)
                        .contains(10);
            }
        }
    }

    private static LostFiles at(LogFiles files, Instant time) {
        return new LostFiles(files, InstantSource.fixed(time));
    }

    private static void put(LogFiles files, String path, int bytes) throws IOException {
        try (LogFiles.LogFile file = files.create(path)) {
            file.write(ByteBuffer.allocate(bytes), 0);
            file.force();
        }
        int slash = path.lastIndexOf('/');
        files.forceDirectory(slash < 0 ? "" : path.substring(0, slash));
    }
}
