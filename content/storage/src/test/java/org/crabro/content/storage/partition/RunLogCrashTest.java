package org.crabro.content.storage.partition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.run.RunView;
import org.crabro.document.DocumentId;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Stops the process, or the device, at every step of adding runs. */
class RunLogCrashTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/00";
    private static final int RUNS = 3;
    private static final CompactionSettings MERGING =
            new CompactionSettings(false, 2, 8, 1_500, 1 << 20, Duration.ZERO, Duration.ofDays(1));

    private final RandomRows random = new RandomRows(SEED, 20);
    private final DocumentId id = DocumentId.parse("id:a:note:g=g:1");

    @ParameterizedTest
    @EnumSource(FaultyLogFiles.Loss.class)
    void keepsEveryRunThatWasAddedWhereverItStops(FaultyLogFiles.Loss loss) throws IOException {
        int stops = effectsOfAllRuns();

        for (int stop = 1; stop <= stops; stop++) {
            var faulty = new FaultyLogFiles(new Random(SEED + stop));
            faulty.stopAfter(stop);
            var files = new LeakCheckedFiles(faulty);
            int added = addRuns(files);
            var recovered = new LeakCheckedFiles(faulty.afterCrash(loss));

            try (RunLog log = RunLog.open(recovered, DIRECTORY, RandomRows.TYPES);
                    RunView view = log.acquire()) {
                String what = "stop %d, %d added, seed %d".formatted(stop, added, SEED);
                assertThat(log.covered()).as(what).isIn((long) added, added + 1L);
                assertThat(view.runCount()).as(what).isEqualTo((int) log.covered());
                assertThat(view.newest(id).map(Row::timestamp).orElse(0L))
                        .as(what)
                        .isEqualTo(log.covered());
                assertThat(view.slices("note", new KeyRange.Everything()))
                        .as(what)
                        .hasSize(log.covered() == 0 ? 0 : 1);
                assertThat(recovered.list(DIRECTORY)).as(what).hasSize(2 + view.runCount());
            }
            recovered.checkNothingIsLeft();
            files.checkNothingIsLeft();
        }
    }

    /** Runs are merged in several steps each; a step whose files are not deleted is still done. */
    @ParameterizedTest
    @EnumSource(FaultyLogFiles.Loss.class)
    void showsEveryDocumentOnceWhereverMergingStops(FaultyLogFiles.Loss loss) throws IOException {
        List<Map<DocumentId, Row>> models = new ArrayList<>();
        models.add(Map.of());
        var whole = new FaultyLogFiles(new Random(SEED));
        addAndMerge(whole, models);
        assertThat(whole.effects()).isGreaterThan(100);

        for (int stop = 1; stop <= whole.effects(); stop++) {
            var faulty = new FaultyLogFiles(new Random(SEED + stop));
            faulty.stopAfter(stop);
            try {
                addAndMerge(faulty, new ArrayList<>());
            } catch (FaultyLogFiles.StoppedException _) {
                assertThat(faulty.hasStopped()).isTrue();
            }
            FaultyLogFiles recovered = faulty.afterCrash(loss);

            try (RunLog log = RunLog.open(recovered, DIRECTORY, RandomRows.TYPES)) {
                String what = "stop %d, %s, seed %d".formatted(stop, loss, SEED);
                Map<DocumentId, Row> model = models.get((int) log.covered());
                check(log, model, what);
                while (log.compact(MERGING, CompactionPace.UNLIMITED, 9).isPresent()) {
                    check(log, model, what);
                }
                assertThat(log.tierCount()).as(what).isLessThan(2);
            }
            recovered.checkNothingIsLeft();
            faulty.checkNothingIsLeft();
        }
    }

    private static void check(RunLog log, Map<DocumentId, Row> model, String what) {
        try (RunView view = log.acquire()) {
            RunChecks.check(view, model, what);
        }
    }

    private static void addAndMerge(LogFiles files, List<Map<DocumentId, Row>> models)
            throws IOException {
        var rows = new RandomRows(SEED, 250);
        Map<DocumentId, Row> model = new HashMap<>();
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            for (int i = 1; i <= 6; i++) {
                var added = rows.rows(i == 1 ? 150 : 30, model);
                models.add(Map.copyOf(model));
                log.add(RandomRows.contents(added), i, i, i);
                log.compact(MERGING, CompactionPace.UNLIMITED, i);
            }
            while (log.compact(MERGING, CompactionPace.UNLIMITED, 7).isPresent()) {
                // Until no merge is due.
            }
        }
    }

    @Test
    void goesOnAfterADiskThatWasFull() throws IOException {
        var faulty = new FaultyLogFiles(new Random(SEED));
        try (RunLog log = RunLog.open(faulty, DIRECTORY, RandomRows.TYPES)) {
            add(log, 1);
            faulty.limitCapacity(faulty.names().values().stream().mapToInt(size -> size).sum());

            assertThatIOException().isThrownBy(() -> add(log, 2));

            assertThat(faulty.list(DIRECTORY)).containsExactly("1.run", "manifest.1", "manifest.2");
            faulty.limitCapacity(Long.MAX_VALUE);
            add(log, 3);
            try (RunView view = log.acquire()) {
                assertThat(view.newest(id).map(Row::timestamp)).contains(3L);
            }
        }
    }

    /** The outcome of the edit is unknown: no further file is written that it may not list. */
    @Test
    void writesNothingMoreAfterAnEditThatCouldNotBeForced() throws IOException {
        int broken = 0;
        for (int force = 1; force <= 3; force++) {
            var faulty = new FaultyLogFiles(new Random(SEED));
            try (RunLog log = RunLog.open(faulty, DIRECTORY, RandomRows.TYPES)) {
                add(log, 1);
                add(log, 2);
                faulty.failForceAfter(force);
                assertThatIOException().isThrownBy(() -> add(log, 3));
                List<String> names = faulty.list(DIRECTORY);
                if (names.contains("3.run")) {
                    broken++;
                    assertThatIOException()
                            .isThrownBy(() -> add(log, 4))
                            .withMessageContaining("could not be forced earlier");
                    assertThatIOException()
                            .isThrownBy(() -> log.compact(MERGING, CompactionPace.UNLIMITED, 4))
                            .withMessageContaining("could not be forced earlier");
                    assertThat(faulty.list(DIRECTORY)).isEqualTo(names);
                }
                try (RunView view = log.acquire()) {
                    assertThat(view.newest(id).map(Row::timestamp)).contains(2L);
                }
            }
        }
        assertThat(broken).isEqualTo(2);
    }

    @Test
    void forcesTheRunAndBothCopiesOfTheManifestOnce() throws IOException {
        var faulty = new FaultyLogFiles(new Random(SEED));
        try (RunLog log = RunLog.open(faulty, DIRECTORY, RandomRows.TYPES)) {
            int before = faulty.forces();

            add(log, 1);

            assertThat(faulty.forces() - before).isEqualTo(3);
        }
    }

    private int effectsOfAllRuns() throws IOException {
        var faulty = new FaultyLogFiles(new Random(SEED));
        assertThat(addRuns(faulty)).isEqualTo(RUNS);
        return faulty.effects();
    }

    /**
     * A force fails. The next process reads bytes that are not on the device, adds a run, and stops
     * during that when the power fails.
     */
    @Test
    void reliesOnNothingThatIsSeenAndNotOnTheDevice() throws IOException {
        for (int force = 1; force <= 12; force++) {
            for (int stop = 1; stop <= 14; stop++) {
                var failing = new FaultyLogFiles(new Random(SEED * force + stop));
                failing.failForceAfter(force);
                addRuns(failing);
                failing.failNothing();
                failing.stopAfter(stop);
                long covered = addRun(failing);

                FaultyLogFiles recovered = failing.afterCrash(FaultyLogFiles.Loss.EVERYTHING);

                String what = "force %d, stop %d, seed %d".formatted(force, stop, SEED);
                try (RunLog log = RunLog.open(recovered, DIRECTORY, RandomRows.TYPES);
                        RunView view = log.acquire()) {
                    assertThat(log.covered()).as(what).isGreaterThanOrEqualTo(covered);
                    assertThat(view.newest(id).map(Row::timestamp).orElse(0L))
                            .as(what)
                            .isEqualTo(log.covered());
                }
            }
        }
    }

    /** Returns the covered position in a new process, with one more run if it could be added. */
    private long addRun(LogFiles files) {
        long covered = 0;
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            covered = log.covered();
            add(log, covered + 1);
            return covered + 1;
        } catch (IOException _) {
            return covered;
        }
    }

    /** Returns the number of runs that were added before the files stopped. */
    private int addRuns(LogFiles files) {
        int added = 0;
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            for (int i = 1; i <= RUNS; i++) {
                add(log, i);
                added = i;
            }
        } catch (IOException _) {
            return added;
        }
        return added;
    }

    private void add(RunLog log, long timestamp) throws IOException {
        Row any = random.put(id, RandomRows.NOTE);
        Row row = new Row(id, timestamp, any.fingerprint(), false, any.fields());
        log.add(
                run -> {
                    run.begin(RandomRows.NOTE);
                    run.add(RowKey.of(id), RandomRows.encoded(row));
                },
                timestamp,
                timestamp,
                timestamp);
    }
}
