package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.crabro.content.storage.integrity.BlockSummary;
import org.crabro.content.storage.integrity.ColumnSummary;
import org.crabro.content.storage.integrity.GroupSummary;
import org.crabro.content.storage.integrity.Inspection;
import org.crabro.content.storage.integrity.InspectionReport;
import org.crabro.content.storage.integrity.PartitionSummary;
import org.crabro.content.storage.integrity.RunSummary;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.SegmentSummary;
import org.crabro.content.storage.store.TypeSummary;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class InspectionTest {
    private static final Inspection.Options EVERYTHING = new Inspection.Options(true, true, 10);

    @TempDir Path directory;

    /** Collects the findings. */
    static final class Inspected implements InspectionReport {
        private final List<SegmentSummary> segments = new ArrayList<>();
        private final List<TypeSummary> types = new ArrayList<>();
        private final List<PartitionSummary> partitions = new ArrayList<>();
        private final List<RunSummary> runs = new ArrayList<>();
        private final List<ColumnSummary> columns = new ArrayList<>();
        private final List<GroupSummary> groups = new ArrayList<>();
        private final List<LostFiles.Total> lost = new ArrayList<>();
        final List<Damage> damage = new ArrayList<>();
        private int partitionCount;

        @Override
        public void data(int format, int partitions) {
            partitionCount = partitions;
        }

        @Override
        public void type(TypeSummary type) {
            types.add(type);
        }

        @Override
        public void lostFiles(LostFiles.Total total) {
            lost.add(total);
        }

        @Override
        public void segment(SegmentSummary segment) {
            segments.add(segment);
        }

        @Override
        public void partition(PartitionSummary partition) {
            partitions.add(partition);
        }

        @Override
        public void run(RunSummary run) {
            runs.add(run);
        }

        @Override
        public void block(BlockSummary block) {}

        @Override
        public void column(ColumnSummary column) {
            columns.add(column);
        }

        @Override
        public void groups(long count) {}

        @Override
        public void group(GroupSummary group) {
            groups.add(group);
        }

        @Override
        public void damage(Damage item) {
            damage.add(item);
        }
    }

    @Test
    void returnsTheContentsOfARunningNode() throws IOException {
        try (NodeFixture node = StoredMails.open(directory)) {
            for (int i = 0; i < 10; i++) {
                StoredMails.put(node, "anna", i, "in a run");
            }
            StoredMails.put(node, "bob", 1, "in a run");
            node.flush();
            StoredMails.put(node, "anna", 1, "in the journal");

            Inspected inspected = inspect();

            assertThat(inspected.damage).isEmpty();
            assertThat(inspected.partitionCount).isEqualTo(NodeFixture.PARTITIONS.count());
            assertThat(inspected.partitions).hasSize(inspected.partitionCount);
            assertThat(inspected.types).extracting(TypeSummary::name).containsExactly("mail");
            assertThat(inspected.segments.getLast().batches().records()).isEqualTo(12);
            assertThat(inspected.runs.stream().mapToLong(run -> run.rows().live()).sum())
                    .isEqualTo(11);
            assertThat(inspected.columns)
                    .filteredOn(column -> column.field().equals("title"))
                    .isNotEmpty();
            assertThat(inspected.groups)
                    .extracting(GroupSummary::group)
                    .containsExactly("g=anna", "g=bob");
            assertThat(inspected.groups)
                    .extracting(GroupSummary::documents)
                    .containsExactly(10L, 1L);
        }
    }

    @Test
    void countsFilesThatAStartDidNotUse() throws IOException {
        StoredMails.open(directory).close();
        assertThat(inspect().lost).isEmpty();
        Files.write(directory.resolve("partitions/00/99.run"), new byte[100]);

        try (NodeFixture node = StoredMails.open(directory)) {
            assertThat(inspect().lost).containsExactly(new LostFiles.Total(1, 100));
            assertThat(node.node().lostFiles()).isEqualTo(new LostFiles.Total(1, 100));
        }
    }

    @Test
    void changesNothing() throws IOException {
        try (NodeFixture node = StoredMails.open(directory)) {
            StoredMails.put(node, "anna", 1, "in a run");
            node.flush();
            StoredMails.put(node, "anna", 2, "in the journal");
        }
        Files.write(directory.resolve("partitions/00/99.run"), new byte[100]);
        Map<String, String> before = contents();

        inspect();

        assertThat(contents()).isEqualTo(before);
    }

    @Test
    void findsNoDamageWhileANodeWritesAndFlushes() throws IOException {
        try (NodeFixture node = StoredMails.open(directory)) {
            var isDone = new AtomicBoolean();
            CompletableFuture<Void> writer =
                    CompletableFuture.runAsync(() -> {
                        for (int i = 0; !isDone.get(); i++) {
                            StoredMails.put(node, "anna", i % 100, "version " + i);
                            if (i % 50 == 0) {
                                flush(node);
                            }
                        }
                    });
            try {
                for (int i = 0; i < 20; i++) {
                    assertThat(inspect().damage).isEmpty();
                }
            } finally {
                isDone.set(true);
                writer.join();
            }
        }
    }

    @Test
    void reportsDamagePerFileAndShowsTheOtherFiles() throws IOException {
        try (NodeFixture node = StoredMails.open(directory)) {
            StoredMails.put(node, "anna", 1, "in a run");
            StoredMails.put(node, "bob", 1, "in a run");
            node.flush();
            for (int i = 0; i < 3; i++) {
                StoredMails.put(node, "anna", i, "in the journal");
            }
        }
        List<Path> runs = files(".run");
        Path run = runs.getFirst();
        flip(run, 64 + 33);
        flip(files(".journal").getFirst(), 512 + 40);

        Inspected inspected = inspect();

        assertThat(inspected.damage)
                .extracting(Damage::file)
                .containsExactlyInAnyOrder(
                        directory.relativize(run).toString(), "journal/0.journal");
        assertThat(inspected.runs).hasSize(runs.size());
        assertThat(inspected.partitions).hasSize(inspected.partitionCount);
    }

    @Test
    void refusesADirectoryWithoutData() {
        assertThatIOException()
                .isThrownBy(this::inspect)
                .withMessage("the directory holds no data: it has no file 'version'");
    }

    private Inspected inspect() throws IOException {
        var inspected = new Inspected();
        Inspection.run(directory, EVERYTHING, inspected);
        return inspected;
    }

    private static void flush(NodeFixture node) {
        try {
            node.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void flip(Path file, int offset) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[offset] ^= 1;
        Files.write(file, bytes);
    }

    private List<Path> files(String suffix) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(path -> path.toString().endsWith(suffix)).sorted().toList();
        }
    }

    private Map<String, String> contents() throws IOException {
        var contents = new TreeMap<String, String>();
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path path : all.toList()) {
                contents.put(
                        path.toString(),
                        Files.isDirectory(path)
                                ? "directory"
                                : Files.getLastModifiedTime(path)
                                        + " "
                                        + Arrays.hashCode(Files.readAllBytes(path)));
            }
        }
        return contents;
    }
}
