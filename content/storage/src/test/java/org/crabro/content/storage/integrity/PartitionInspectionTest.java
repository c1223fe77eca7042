package org.crabro.content.storage.integrity;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.merge.CompactionPace;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.partition.LeakCheckedFiles;
import org.crabro.content.storage.partition.RandomRows;
import org.crabro.content.storage.partition.RunLog;
import org.crabro.content.storage.run.RunView;
import org.crabro.content.storage.run.RunWriter;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PartitionInspectionTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final String DIRECTORY = "partitions/05";
    private static final String RUN = DIRECTORY + "/2.run";

    /** Small files make many steps of a merge. */
    private static final CompactionSettings MERGES =
            new CompactionSettings(
                    false, 2, 32, 4_096, 1 << 20, Duration.ofDays(14), Duration.ofDays(30));

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    private final RandomRows random = new RandomRows(SEED, 20);

    /** Collects the findings. */
    private static final class Inspected implements RunReport {
        private final List<PartitionSummary> partitions = new ArrayList<>();
        private final List<RunSummary> runs = new ArrayList<>();
        private final List<BlockSummary> blocks = new ArrayList<>();
        private final List<Damage> damage = new ArrayList<>();
        private final ColumnTotals columns = new ColumnTotals();
        private final LargestGroups groups = new LargestGroups(1_000);

        @Override
        public void partition(PartitionSummary partition) {
            partitions.add(partition);
        }

        @Override
        public void run(RunSummary run) {
            runs.add(run);
        }

        @Override
        public void block(BlockSummary block) {
            blocks.add(block);
        }

        @Override
        public void damage(Damage item) {
            damage.add(item);
        }
    }

    @Test
    void countsWhatViewsShow() throws IOException {
        long live;
        long rows = 0;
        try (RunLog log = open()) {
            for (int i = 0; i < 6; i++) {
                rows += add(log, RandomRows.MAIL, random.rows(RandomRows.MAIL, 300));
                rows += add(log, RandomRows.NOTE, random.rows(RandomRows.NOTE, 300));
            }
            try (RunView view = log.acquire()) {
                live = view.documentCount();
            }
        }

        Inspected inspected = inspect(true);

        assertThat(inspected.damage).as("seed %d", SEED).isEmpty();
        assertThat(inspected.runs).hasSize(12);
        assertThat(inspected.runs.stream().mapToLong(run -> run.rows().live()).sum())
                .isEqualTo(live);
        assertThat(inspected.runs.stream().mapToLong(run -> run.rows().all()).sum())
                .isEqualTo(rows);
        assertThat(inspected.runs.getFirst().rows().replaced()).isPositive();
        assertThat(inspected.runs.getFirst().rows().tombstones()).isPositive();
        assertThat(inspected.blocks.stream().mapToLong(BlockSummary::rows).sum()).isEqualTo(rows);
        assertThat(inspected.partitions.getFirst().runs().bytes())
                .isEqualTo(inspected.runs.stream().mapToLong(run -> run.file().bytes()).sum());
        assertThat(inspected.columns.columns().stream().mapToLong(ColumnSummary::bytes).sum())
                .isEqualTo(
                        inspected.blocks.stream()
                                .flatMap(block -> block.chunks().stream())
                                .mapToLong(BlockSummary.Chunk::bytes)
                                .sum())
                .isPositive();
    }

    @Test
    void countsWhatViewsShowWhateverIsMergedHowFar() throws IOException {
        Map<DocumentId, Row> model = new HashMap<>();
        var small = new RandomRows(SEED, 300);
        int merges = 0;
        int removed = 0;
        long seenRemoved = 0;
        for (int i = 0; i < 40; i++) {
            long live;
            try (RunLog log = open()) {
                if (i % 3 == 0) {
                    List<GroupTombstone> removals = small.removals(2, model);
                    removed += removals.size();
                    log.add(RandomRows.contents(removals, small.rows(100, model)), i, i, i);
                } else {
                    log.compact(MERGES, CompactionPace.UNLIMITED, i);
                }
                try (RunView view = log.acquire()) {
                    live = view.documentCount();
                }
            }

            Inspected inspected = inspect(true);

            assertThat(inspected.damage).as("operation %d, seed %d", i, SEED).isEmpty();
            assertThat(inspected.runs.stream().mapToLong(run -> run.rows().live()).sum())
                    .isEqualTo(live);
            assertThat(inspected.groups.groups().stream().mapToLong(GroupSummary::documents).sum())
                    .isEqualTo(
                            model.values().stream()
                                    .filter(row -> !row.tombstone())
                                    .filter(row -> !row.id().key().text().isEmpty())
                                    .count());
            merges += inspected.partitions.getFirst().runs().merges();
            seenRemoved +=
                    inspected.runs.stream().mapToLong(run -> run.older().groupTombstones()).sum();
        }
        assertThat(merges).isPositive();
        assertThat(removed).isPositive();
        assertThat(seenRemoved).isPositive();
    }

    @Test
    void addsUpGroupsOverRunsAndTypes() throws IOException {
        Map<String, Long> rows = new HashMap<>();
        Map<DocumentId, Boolean> newest = new HashMap<>();
        try (RunLog log = open()) {
            for (int i = 0; i < 5; i++) {
                for (DocumentType type : List.of(RandomRows.MAIL, RandomRows.NOTE)) {
                    List<Row> added = random.rows(type, 3_000);
                    for (Row row : added) {
                        newest.put(row.id(), !row.tombstone());
                        rows.merge(row.id().key().text(), 1L, Long::sum);
                    }
                    add(log, type, added);
                }
            }
        }
        rows.remove(new LocationKey.Plain().text());
        Map<String, Long> documents = new HashMap<>();
        newest.forEach((id, isLive) -> {
            if (isLive) {
                documents.merge(id.key().text(), 1L, Long::sum);
            }
        });

        Inspected inspected = inspect(false);

        List<GroupSummary> groups = inspected.groups.groups();
        assertThat(groups).hasSize(rows.size());
        assertThat(inspected.groups.count()).isEqualTo(rows.size());
        for (GroupSummary group : groups) {
            assertThat(group.rows()).isEqualTo(rows.get(group.group()));
            assertThat(group.documents()).isEqualTo(documents.getOrDefault(group.group(), 0L));
        }
        assertThat(groups)
                .isSortedAccordingTo((one, other) -> Long.compare(other.bytes(), one.bytes()));
    }

    @Test
    void detectsAChangeOfEachByte() throws IOException {
        writeTwoRuns();
        byte[] whole = files.bytes(RUN);

        for (int offset = 0; offset < whole.length; offset++) {
            files.flip(RUN, offset, 1 << (offset % 8));
            Inspected inspected = inspect(true);
            files.flip(RUN, offset, 1 << (offset % 8));

            if (inspected.damage.isEmpty()) {
                assertThat(whole[offset]).as("byte %d is padding", offset).isZero();
            } else {
                assertThat(inspected.damage)
                        .as("byte %d", offset)
                        .allSatisfy(each -> {
                            assertThat(each.file()).isEqualTo(RUN);
                            assertThat(each.offset()).isBetween(0L, (long) whole.length);
                        });
            }
            assertThat(inspected.runs.getFirst().origin().run()).isEqualTo(1);
        }
    }

    @Test
    void namesTheContentsOfAPageAndCountsTheOthers() throws IOException {
        writeTwoRuns();
        BlockSummary block =
                inspect(true).blocks.stream()
                        .filter(each -> each.origin().run() == 2)
                        .toList()
                        .getFirst();
        Inspected before = inspect(true);
        int last = files.bytes(RUN).length;
        long damaged = -1;
        for (long offset = block.offset() + block.bytes() - 1;
                offset > 0 && damaged < 0;
                offset--) {
            if (files.bytes(RUN)[(int) offset] != 0) {
                damaged = offset;
            }
        }
        files.flip(RUN, damaged, 1);

        Inspected inspected = inspect(true);

        assertThat(inspected.damage).hasSize(1);
        Damage damage = inspected.damage.getFirst();
        assertThat(damage.offset()).isBetween(block.offset(), damaged).isLessThan(last);
        assertThat(damage.expected())
                .matches("\\d+ bytes with .*column '\\w+' as [a-z ]+.* of crc [0-9a-f]{8}");
        assertThat(damage.actual()).matches("crc [0-9a-f]{8}");
        assertThat(inspected.runs).isEqualTo(before.runs);
        assertThat(inspected.blocks).isEqualTo(before.blocks);
    }

    @Test
    void reportsAMissingRunAndShowsTheOther() throws IOException {
        writeTwoRuns();
        files.delete(RUN);

        Inspected inspected = inspect(true);

        assertThat(inspected.damage)
                .containsExactly(new Damage(RUN, 0, "the file that the manifest lists", "none"));
        assertThat(inspected.runs).extracting(run -> run.origin().run()).containsExactly(1L);
    }

    @Test
    void reportsDamageToEitherManifestAndShowsEverything() throws IOException {
        writeTwoRuns();
        List<RunSummary> runs = inspect(true).runs;

        for (String name : List.of("manifest.1", "manifest.2")) {
            String path = DIRECTORY + "/" + name;
            int length = files.bytes(path).length;
            for (int offset = 0; offset < length; offset++) {
                files.flip(path, offset, 1 << (offset % 8));
                Inspected inspected = inspect(false);
                files.flip(path, offset, 1 << (offset % 8));

                assertThat(inspected.damage)
                        .as("%s byte %d", name, offset)
                        .extracting(Damage::file)
                        .containsExactly(path);
                assertThat(inspected.runs).isEqualTo(runs);
            }
        }
    }

    @Test
    void countsFilesThatAreNotNamedAndLeavesThem() throws IOException {
        writeTwoRuns();
        files.put(DIRECTORY + "/7.run", new byte[100]);

        Inspected inspected = inspect(true);

        assertThat(inspected.damage).isEmpty();
        assertThat(inspected.partitions.getFirst().unnamed()).isEqualTo(1);
        assertThat(files.list(DIRECTORY)).contains("7.run");
    }

    @Test
    void findsNothingInAPartitionThatWasNeverWritten() throws IOException {
        Inspected inspected = inspect(true);

        assertThat(inspected.damage).isEmpty();
        assertThat(inspected.partitions)
                .containsExactly(
                        new PartitionSummary(
                                5,
                                new PartitionSummary.Runs(0, 0, 0, 0),
                                0,
                                new PartitionSummary.Covered(0, 0),
                                0));
        assertThat(files.list("")).isEmpty();
    }

    private Inspected inspect(boolean verifies) throws IOException {
        var inspected = new Inspected();
        new PartitionInspection(
                        files,
                        5,
                        DIRECTORY,
                        RandomRows.TYPES,
                        new PartitionInspection.Options(verifies, true),
                        inspected)
                .run(inspected.columns, inspected.groups);
        return inspected;
    }

    private void writeTwoRuns() throws IOException {
        try (RunLog log = open()) {
            var rows = new TreeMap<RowKey, Row>();
            for (int i = 0; i < 3; i++) {
                DocumentId id = DocumentId.parse("id:a:mail:g=g:" + i);
                rows.put(RowKey.of(id), random.put(id, RandomRows.MAIL));
            }
            DocumentId ofGroup = DocumentId.parse("id:a:mail:g=h:1");
            rows.put(RowKey.of(ofGroup), random.put(ofGroup, RandomRows.MAIL));
            add(log, RandomRows.MAIL, List.copyOf(rows.values()));
            DocumentId removed = DocumentId.parse("id:a:mail:g=g:2");
            rows.put(RowKey.of(removed), random.remove(removed, RandomRows.MAIL));
            rows.remove(RowKey.of(ofGroup));
            log.add(
                    run -> {
                        run.remove(new GroupTombstone("mail", ofGroup.key(), 1));
                        write(RandomRows.MAIL, List.copyOf(rows.values()), run);
                    },
                    1,
                    1,
                    1);
        }
    }

    private RunLog open() throws IOException {
        return RunLog.open(files, DIRECTORY, RandomRows.TYPES);
    }

    private static int add(RunLog log, DocumentType type, List<Row> rows) throws IOException {
        log.add(run -> write(type, rows, run), 1, 1, 1);
        return rows.size();
    }

    private static void write(DocumentType type, List<Row> rows, RunWriter run) throws IOException {
        run.begin(type);
        for (Row row : rows) {
            run.add(RowKey.of(row.id()), RandomRows.encoded(row));
        }
    }
}
