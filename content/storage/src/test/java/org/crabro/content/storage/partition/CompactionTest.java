package org.crabro.content.storage.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.Manifest;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.run.Run;
import org.crabro.content.storage.run.RunSection;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.StoredTypes;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class CompactionTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/03";
    private static final long DAY = Duration.ofDays(1).toNanos() / 1_000;
    private static final DocumentId ID = DocumentId.parse("id:a:note:g=g:1");

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED, 500);
    private final RandomRows large = new RandomRows(SEED, 3_000);
    private final Map<DocumentId, Row> model = new HashMap<>();

    private static CompactionSettings settings(int fanOut, long fileBytes, int retentionDays) {
        return new CompactionSettings(
                false,
                fanOut,
                32,
                fileBytes,
                1 << 20,
                Duration.ofDays(retentionDays),
                Duration.ofDays(retentionDays == 0 ? 0 : 30));
    }

    /** Small files make many steps of a merge; views taken in between are checked at the end. */
    @Test
    void showsEveryDocumentOnceWhateverIsMergedWhen() throws IOException {
        var chance = new Random(SEED);
        List<RunView> views = new ArrayList<>();
        List<Map<DocumentId, Row>> moments = new ArrayList<>();
        int steps = 0;
        RunLog log = open();
        for (int i = 0; i < 150; i++) {
            String what = "operation %d, seed %d".formatted(i, SEED);
            if (chance.nextInt(3) == 0) {
                int count = chance.nextInt(4) == 0 ? 300 : 20;
                List<GroupTombstone> removals = random.removals(chance.nextInt(3), model);
                var rows = random.rows(chance.nextInt(6) == 0 ? 0 : count, model);
                log.add(RandomRows.contents(removals, rows), i, i, i);
            } else {
                int retention = chance.nextBoolean() ? 0 : 14;
                var settings =
                        settings(2 + chance.nextInt(3), 1L << chance.nextInt(12, 18), retention);
                steps += log.compact(settings, CompactionPace.UNLIMITED, i).isPresent() ? 1 : 0;
            }
            if (chance.nextInt(20) == 0) {
                log.close();
                log = open();
            }
            if (chance.nextInt(10) == 0) {
                views.add(log.acquire());
                moments.add(Map.copyOf(model));
            }
            try (RunView view = log.acquire()) {
                RunChecks.check(view, model, what);
            }
        }
        log.close();

        for (int i = 0; i < views.size(); i++) {
            RunChecks.check(views.get(i), moments.get(i), "view %d, seed %d".formatted(i, SEED));
            views.get(i).close();
        }
        assertThat(steps).isGreaterThan(50);
        assertThat(files.mappedFiles()).isEmpty();
    }

    /** Not while a thread looks for one, and not because a run is being added. */
    @Test
    void isDueOnlyIfAStepHasWork() throws IOException {
        CompactionSettings settings = settings(2, 20_000, 14);
        List<RunLog> opened = new ArrayList<>();
        List<Boolean> duringLook = new ArrayList<>();
        StoredTypes types =
                new StoredTypes() {
                    @Override
                    public Optional<DocumentType> type(long fingerprint) {
                        return RandomRows.TYPES.type(fingerprint);
                    }

                    @Override
                    public SearchedTexts searchedTexts(DocumentType type) {
                        duringLook.add(opened.getFirst().isBusy());
                        return SearchedTexts.NONE;
                    }
                };
        List<Boolean> duringAdd = new ArrayList<>();
        List<Boolean> duringStep = new ArrayList<>();
        CompactionPace pace = (_, _) -> duringStep.add(opened.getFirst().isMergeDue(settings, 1));
        try (RunLog log = RunLog.open(files, DIRECTORY, types)) {
            opened.add(log);
            log.add(_ -> duringAdd.add(log.isMergeDue(settings, 1)), 1, 1, 1);
            add(log, put("first"), 2);
            duringLook.clear();
            assertThat(log.compact(settings, pace, 3)).isEmpty();
            assertThat(duringLook).isNotEmpty().containsOnly(false);
            add(log, put("second"), 4);
            assertThat(log.isMergeDue(settings, 5)).isTrue();

            assertThat(log.compact(settings, pace, 5)).isPresent();

            assertThat(log.isMergeDue(settings, 6)).isFalse();
        }
        assertThat(duringAdd).containsOnly(false);
        assertThat(duringStep).isNotEmpty().containsOnly(true);
    }

    @Test
    void leavesOneSortedRowOfFilesWithNothingDead() throws IOException {
        CompactionSettings settings = settings(2, 20_000, 0);
        try (RunLog log = open()) {
            for (int i = 0; i < 4; i++) {
                log.add(RandomRows.contents(large.rows(400, model)), i, i, i);
            }
            compactAll(log, settings, Long.MAX_VALUE / 2);

            try (RunView view = log.acquire()) {
                RunChecks.check(view, model, "seed " + SEED);
                assertThat(log.tierCount()).isEqualTo(1);
                assertThat(view.tombstoneCount()).isZero();
                assertThat(view.replacedRowCount()).isZero();
                assertThat(view.runCount()).isGreaterThan(3);
                assertThat(files.list(DIRECTORY)).hasSize(2 + view.runCount());
            }
        }
    }

    @Test
    void cutsFilesWhereAPlaceBegins() throws IOException {
        try (RunLog log = open()) {
            for (int i = 0; i < 2; i++) {
                log.add(RandomRows.contents(large.rows(500, model)), i, i, i);
            }
            compactAll(log, settings(2, 10_000, 14), 1);
        }

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            List<RunEntry> runs = manifest.state().runs();
            assertThat(runs).hasSizeGreaterThan(3);
            for (int i = 1; i < runs.size(); i++) {
                assertThat(
                                Long.compareUnsigned(
                                        runs.get(i - 1).stored().last(),
                                        runs.get(i).stored().first()))
                        .isNegative();
            }
            assertThat(manifest.state().merges()).isEmpty();
        }
    }

    /** Duplicate entries would be correct, but would grow with each step. */
    @Test
    void carriesNamesOfReplacedRowsInTheRangeOfAStepAlone() throws IOException {
        try (RunLog log = open()) {
            // The large tier is not merged; the merged tiers replace some of its rows.
            log.add(RandomRows.contents(large.rows(1_500, model)), 1, 1, 1);
            Map<DocumentType, SortedMap<RowKey, Row>> again = new HashMap<>();
            for (DocumentType type : List.of(RandomRows.MAIL, RandomRows.NOTE)) {
                again.put(type, new TreeMap<>());
            }
            List<DocumentId> ids = model.keySet().stream().sorted(comparing(RowKey::of)).toList();
            for (int i = 0; i < ids.size(); i += 4) {
                DocumentId id = ids.get(i);
                DocumentType type =
                        id.documentType().equals("mail") ? RandomRows.MAIL : RandomRows.NOTE;
                Objects.requireNonNull(again.get(type)).put(RowKey.of(id), large.put(id, type));
            }
            log.add(RandomRows.contents(again), 2, 2, 2);
            log.add(RandomRows.contents(again), 3, 3, 3);

            Optional<CompactionStep> step = compact(log, settings(2, 10_000, 14), 4);

            assertThat(step).isPresent();
        }
        checkNames();
    }

    private void checkNames() throws IOException {
        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            // The step merged the lowest places, and others remain.
            assertThat(manifest.state().merges()).hasSize(1);
            var runs = new HashMap<Long, Run>();
            for (RunEntry entry : manifest.state().runs()) {
                String path = DIRECTORY + "/" + entry.fileName();
                runs.put(
                        entry.number(),
                        Run.open(files, path, entry, RandomRows.TYPES, new DamageRegister()));
            }
            int merged = 0;
            for (RunEntry entry : manifest.state().runs()) {
                SupersededRows rows = Objects.requireNonNull(runs.get(entry.number())).superseded();
                for (int i = 0; i < rows.count(); i++) {
                    Run older = runs.get(rows.run(i));
                    if (older != null && entry.isWhole()) {
                        merged += entry.number() == 4 ? 1 : 0;
                        int block = RunLayout.block(rows.address(i));
                        RunSection section = older.sectionOf(block);
                        KeyColumn keys = section.block(block - section.firstBlock()).keys();
                        assertThat(
                                        entry.valid()
                                                .contains(
                                                        keys.place(RunLayout.row(rows.address(i)))))
                                .as("run %d, seed %d", entry.number(), SEED)
                                .isTrue();
                    }
                }
            }
            assertThat(merged).isPositive();
            runs.values().forEach(Run::release);
        }
    }

    @Test
    void keepsATombstoneThatIsYoungOrHidesAnOlderRow() throws IOException {
        try (RunLog log = open()) {
            add(log, put(randomText(3_000)), 0);
            add(log, remove(2 * DAY), 2 * DAY);
            add(log, other(1), 2 * DAY);
            var shortly =
                    new CompactionSettings(
                            false,
                            2,
                            32,
                            1 << 20,
                            1 << 20,
                            Duration.ofDays(1),
                            Duration.ofDays(365));
            // The oldest run has the document, so the merge of the two newer ones keeps the
            // tombstone.
            assertThat(compact(log, shortly, 5 * DAY).map(CompactionStep::runs)).contains(2);
            assertThat(log.tierCount()).isEqualTo(2);
            assertThat(newest(log).map(Row::tombstone)).contains(true);

            compactAll(log, settings(2, 1 << 20, 14), 10 * DAY);
            assertThat(newest(log).map(Row::tombstone)).contains(true);

            add(log, other(2), 20 * DAY);
            compactAll(log, settings(2, 1 << 20, 14), 20 * DAY);
            assertThat(newest(log)).isEmpty();
        }
    }

    @Test
    void writesARunAnewWhenWhatIsDeadInItGrowsOld() throws IOException {
        CompactionSettings settings = settings(4, 1 << 20, 14);
        long due = settings.rewriteAge().toNanos() / 1_000;
        try (RunLog log = open()) {
            add(log, put("a secret of old"), 0);
            add(log, other(1), 0);
            add(log, remove(DAY), DAY);

            assertThat(compact(log, settings, due - 1)).isEmpty();
            assertThat(stored()).contains("a secret of old");
            assertThat(compact(log, settings, due).map(CompactionStep::rowsDropped)).contains(1L);
            assertThat(stored()).doesNotContain("a secret of old");
            assertThat(newest(log).map(Row::tombstone)).contains(true);

            assertThat(compact(log, settings, DAY + 14 * DAY)).isPresent();
            assertThat(newest(log)).isEmpty();
            assertThat(stored()).doesNotContain(ID.toString());
            assertThat(compact(log, settings, 400 * DAY)).isEmpty();
        }
    }

    @Test
    void keepsAGroupTombstoneThatIsYoungOrHidesAnOlderRow() throws IOException {
        var shortly =
                new CompactionSettings(
                        false, 2, 32, 1 << 20, 1 << 20, Duration.ofDays(1), Duration.ofDays(365));
        try (RunLog log = open()) {
            add(log, put(randomText(3_000)), 0);
            log.add(run -> run.remove(group(2 * DAY)), 2 * DAY, 2 * DAY, 2 * DAY);
            add(log, row(DocumentId.parse("id:a:note:g=h:1"), "x"), 2 * DAY);

            assertThat(compact(log, shortly, 5 * DAY).map(CompactionStep::runs)).contains(2);
            assertThat(log.tierCount()).isEqualTo(2);
            assertThat(newest(log)).map(Row::timestamp).contains(2 * DAY);
            assertThat(tombstones(log)).isEqualTo(1);

            compactAll(log, settings(2, 1 << 20, 14), 10 * DAY);
            assertThat(newest(log)).isEmpty();
            assertThat(log.tierCount()).isEqualTo(1);
            assertThat(tombstones(log)).isEqualTo(1);

            add(log, row(DocumentId.parse("id:a:note:g=h:2"), "x"), 20 * DAY);
            compactAll(log, settings(2, 1 << 20, 14), 20 * DAY);
            assertThat(tombstones(log)).isZero();
        }
    }

    @Test
    void writesARunAnewWhenAGroupThatWasRemovedFromItGrowsOld() throws IOException {
        CompactionSettings settings = settings(4, 1 << 20, 14);
        long due = settings.rewriteAge().toNanos() / 1_000;
        try (RunLog log = open()) {
            add(log, put("a secret of old"), 0);
            add(log, other(1), 0);
            log.add(run -> run.remove(group(DAY)), DAY, DAY, DAY);

            assertThat(compact(log, settings, due - 1)).isEmpty();
            assertThat(stored()).contains("a secret of old");
            compactAll(log, settings, due);
            assertThat(stored()).doesNotContain("a secret of old", ID.toString(), "other1");

            compactAll(log, settings, DAY + 14 * DAY);
            assertThat(files.list(DIRECTORY)).containsExactly("manifest.1", "manifest.2");
        }
    }

    private static GroupTombstone group(long timestamp) {
        return new GroupTombstone("note", ID.key(), timestamp);
    }

    private static long tombstones(RunLog log) {
        try (RunView view = log.acquire()) {
            return view.tombstoneCount();
        }
    }

    @Test
    void leavesNothingOfAStepThatWasStopped() throws IOException {
        try (RunLog log = open()) {
            for (int i = 0; i < 4; i++) {
                log.add(RandomRows.contents(random.rows(50, model)), i, i, i);
            }
            List<String> before = files.list(DIRECTORY);

            assertThatIOException()
                    .isThrownBy(() ->
                            log.compact(
                                    settings(2, 1 << 20, 14),
                                    (_, _) -> {
                                        throw new InterruptedIOException("closing");
                                    },
                                    1))
                    .withMessage("closing");

            assertThat(files.list(DIRECTORY)).isEqualTo(before);
            try (RunView view = log.acquire()) {
                RunChecks.check(view, model, "seed " + SEED);
            }
            assertThat(compact(log, settings(2, 1 << 20, 14), 1)).isPresent();
        }
    }

    @Test
    void deletesFilesAtOnceAndUnmapsThemWithTheLastView() throws IOException {
        try (RunLog log = open()) {
            for (int i = 0; i < 4; i++) {
                add(log, other(i), i);
            }
            RunView view = log.acquire();

            compactAll(log, settings(4, 1 << 20, 14), 5);

            assertThat(files.list(DIRECTORY)).containsExactly("5.run", "manifest.1", "manifest.2");
            assertThat(files.mappedFiles()).hasSize(5);
            assertThat(view.slices("note", new KeyRange.Everything())).hasSize(4);
            view.close();
            assertThat(files.mappedFiles()).containsExactly(DIRECTORY + "/5.run");
        }
    }

    private static void compactAll(RunLog log, CompactionSettings settings, long now)
            throws IOException {
        int steps = 0;
        while (compact(log, settings, now).isPresent()) {
            assertThat(++steps).isLessThan(200);
        }
    }

    private static Optional<CompactionStep> compact(
            RunLog log, CompactionSettings settings, long now) throws IOException {
        return log.compact(settings, CompactionPace.UNLIMITED, now);
    }

    private static Optional<Row> newest(RunLog log) {
        try (RunView view = log.acquire()) {
            return view.newest(ID);
        }
    }

    /** Returns the bytes of all files, as text. */
    private String stored() throws IOException {
        var all = new StringBuilder();
        for (String name : files.list(DIRECTORY)) {
            all.append(new String(files.bytes(DIRECTORY + "/" + name), UTF_8));
        }
        return all.toString();
    }

    private RunLog open() throws IOException {
        return RunLog.open(files, DIRECTORY, RandomRows.TYPES);
    }

    private static void add(RunLog log, Row row, long now) throws IOException {
        Map<DocumentType, SortedMap<RowKey, Row>> rows =
                Map.of(RandomRows.NOTE, new TreeMap<>(Map.of(RowKey.of(row.id()), row)));
        log.add(RandomRows.contents(rows), now, now, now);
    }

    private static Row put(String text) {
        return row(ID, text);
    }

    /** Text that a block cannot compress. */
    private static String randomText(int length) {
        return new Random(SEED)
                .ints(length, '!', '~')
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    private static Row other(int number) {
        return row(DocumentId.parse("id:a:note:g=g:other" + number), "x");
    }

    private static Row row(DocumentId id, String text) {
        return new Row(
                id,
                1,
                RandomRows.NOTE.fingerprint(),
                false,
                Map.of("text", new FieldValue.StringValue(text)));
    }

    private static Row remove(long timestamp) {
        return new Row(ID, timestamp, RandomRows.NOTE.fingerprint(), true, Map.of());
    }
}
