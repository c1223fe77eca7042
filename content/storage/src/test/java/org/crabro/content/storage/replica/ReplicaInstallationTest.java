package org.crabro.content.storage.replica;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.commit.Journal;
import org.crabro.content.storage.commit.Proposal;
import org.crabro.content.storage.commit.Proposal.Outcome;
import org.crabro.content.storage.commit.RowProposal;
import org.crabro.content.storage.commit.ShardJournals;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.run.OrderedView;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.Freshness;
import org.crabro.content.storage.store.MemoryJournal;
import org.crabro.content.storage.store.Notes;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ReplicaInstallationTest {
    private static final long SEED = Long.getLong("crabro.seed", 20_26);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int SHARDS = 2;
    private static final int SHARD = 1;
    private static final int DOCUMENTS = 12;
    private static final String NAME = "shard-1";
    private static final ShardRecord.Content RECORD =
            ShardRecord.Content.of(3, 77, "sessions".getBytes(UTF_8));

    @Test
    void aReplicaHasTheFilesOfTheOtherOneAndKeepsItsOtherShards() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        write(target, "old");

        install(source, target);

        assertThat(texts(target)).isEqualTo(expected(true));
        assertThat(record(target)).contains("sessions");
        assertThat(target.names().keySet()).noneMatch(each -> each.startsWith("installing"));
        source.checkNothingIsLeft();
        target.checkNothingIsLeft();
    }

    @Test
    void anEmptyDirectoryGetsTheFiles() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");

        install(source, target);

        Map<Integer, String> texts = texts(target);
        expected(true)
                .forEach((document, text) ->
                        assertThat(texts.get(document)).isEqualTo(text.equals("new") ? "new" : ""));
    }

    /** Stops the installation everywhere, and starts again. */
    @ParameterizedTest
    @EnumSource
    void afterACrashAllFilesAreOldOrAllAreNew(Loss loss) throws IOException {
        int unchanged = 0;
        int replaced = 0;
        int effects = effects();
        for (int stop = 1; stop < effects; stop += 1 + new Random(SEED + stop).nextInt(6)) {
            var source = new FaultyLogFiles(new Random(SEED));
            var target = new FaultyLogFiles(new Random(SEED + stop));
            write(source, "new");
            write(target, "old");
            target.stopAfter(stop);
            boolean isCommitted = false;
            try {
                ReplicaInstallation installation = new ReplicaInstallation(target, NAME);
                try (ReplicaSource from = source(source)) {
                    installation.stage(from);
                    installation.commit(from.list());
                }
                isCommitted = true;
                open(target).close();
            } catch (FaultyLogFiles.StoppedException _) {
                // The process ended here.
            }
            FaultyLogFiles after = target.afterCrash(loss);
            if (stop % 2 == 0) {
                after.stopAfter(stop / 4);
                try {
                    open(after).close();
                } catch (FaultyLogFiles.StoppedException _) {
                    // It ended again.
                }
                after = after.afterCrash(loss);
            }

            Map<Integer, String> stored = texts(after);

            boolean isNew = stored.equals(expected(true));
            assertThat(stored)
                    .as("stop %d, %s, seed %d", stop, loss, SEED)
                    .isEqualTo(expected(isNew));
            assertThat(record(after)).isEqualTo(isNew ? Optional.of("sessions") : Optional.empty());
            assertThat(isNew || !isCommitted).as("stop %d", stop).isTrue();
            unchanged += isNew ? 0 : 1;
            replaced += isNew ? 1 : 0;
        }
        // Stops were on both sides of the switch.
        assertThat(unchanged).isPositive();
        assertThat(replaced).isPositive();
    }

    @Test
    void anOpenStoreGetsTheFilesAndItsReadersKeepTheOldOnes() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        write(target, "old");
        try (DocumentStore store = open(target)) {
            // Such rows are in no run: other files replace them too.
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            for (int i = 0; i < DOCUMENTS; i++) {
                store.write(
                        Notes.write(Notes.plain(i), "recent"),
                        Optional.empty(),
                        Deadline.after(Duration.ofHours(1)));
            }
            List<OrderedView> views = store.partitions(SHARD).stream().map(store::view).toList();
            long before = store.replacements();

            var installation = new ReplicaInstallation(target, NAME);
            try (ReplicaSource from = source(source)) {
                installation.stage(from);
                installation.commit(from.list());
            }
            store.replace(SHARD, installation::finish, true);

            assertThat(store.replacements()).isNotEqualTo(before);
            for (int i = 0; i < DOCUMENTS; i++) {
                int partition = Notes.PARTITIONS.of(Notes.plain(i).location());
                assertThat(Notes.text(store, Notes.plain(i)))
                        .isEqualTo(partition % SHARDS == SHARD ? "new" : "recent");
            }
            var read = new HashSet<String>();
            for (OrderedView each : views) {
                read.addAll(Notes.texts(each));
                each.close();
            }
            assertThat(read).containsExactly("recent");
            assertThat(
                            store.write(
                                    Notes.write(Notes.plain(1), "later"),
                                    Optional.empty(),
                                    Deadline.after(Duration.ofHours(1))))
                    .isInstanceOf(WriteReply.Stored.class);
            assertThat(Notes.text(store, Notes.plain(1))).isEqualTo("later");
            store.flush();
            assertThat(store.statistics().writes().recentBytes()).isZero();
        }
        source.checkNothingIsLeft();
        target.checkNothingIsLeft();
    }

    @Test
    void aRemovedReplicaIsGoneAndCanComeBack() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        write(target, "old");
        try (DocumentStore store = open(target)) {
            var installation = new ReplicaInstallation(target, NAME);
            installation.commitRemoval(store.partitions(SHARD));

            store.replace(SHARD, installation::finish, false);

            for (Map.Entry<Integer, String> each : expected(true).entrySet()) {
                boolean isRemoved = each.getValue().equals("new");
                assertThat(Notes.text(store, Notes.plain(each.getKey())))
                        .isEqualTo(isRemoved ? "" : "old");
                assertThat(
                                store.write(
                                        Notes.write(Notes.plain(each.getKey()), "old"),
                                        Optional.empty(),
                                        Deadline.after(Duration.ofHours(1))))
                        .isInstanceOf(
                                isRemoved ? WriteReply.WrongOwner.class : WriteReply.Stored.class);
            }
            assertThat(store.awaitCurrent(store.partitions(SHARD), Deadline.after(SECOND)))
                    .isEqualTo(Freshness.ELSEWHERE);
        }
        assertThat(ShardRecord.isRemoved(target, NAME)).isTrue();

        install(source, target);

        assertThat(ShardRecord.isRemoved(target, NAME)).isFalse();
        assertThat(texts(target)).isEqualTo(expected(true));
        target.checkNothingIsLeft();
    }

    /** Stops the removal everywhere, and starts again. */
    @ParameterizedTest
    @EnumSource
    void afterACrashAReplicaIsWholeOrRemoved(Loss loss) throws IOException {
        int whole = 0;
        int removed = 0;
        boolean isDone = false;
        for (int stop = 1; !isDone; stop++) {
            var target = new FaultyLogFiles(new Random(SEED + stop));
            write(target, "old");
            target.stopAfter(stop);
            try {
                new ReplicaInstallation(target, NAME).commitRemoval(List.of(1, 3));
                open(target).close();
                isDone = true;
            } catch (FaultyLogFiles.StoppedException _) {
                // The process ended here.
            }
            FaultyLogFiles after = target.afterCrash(loss);

            Map<Integer, String> stored = texts(after);

            boolean isRemoved = ShardRecord.isRemoved(after, NAME);
            Map<Integer, String> others = expected(isRemoved);
            others.replaceAll((_, text) -> text.equals("new") ? "" : text);
            assertThat(stored).as("stop %d, %s, seed %d", stop, loss, SEED).isEqualTo(others);
            whole += isRemoved ? 0 : 1;
            removed += isRemoved ? 1 : 0;
        }
        assertThat(whole).isPositive();
        assertThat(removed).isGreaterThan(1);
    }

    /** Returns how many effects an installation and a start have. */
    private static int effects() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        write(target, "old");
        int before = target.effects();
        install(source, target);
        return target.effects() - before;
    }

    @Test
    void continuesWithTheFilesThatAreComplete() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        try (ReplicaSource from = source(source)) {
            new ReplicaInstallation(target, NAME).stage(from);
            int writes = target.writes();

            new ReplicaInstallation(target, NAME).stage(from);

            assertThat(target.writes()).isEqualTo(writes);
        }
    }

    @Test
    void continuesInTheMiddleOfAFile() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        try (ReplicaSource from = source(source)) {
            ReplicaFile first = from.list().files().getFirst();
            long half = first.bytes() / 2;
            ByteBuffer begun = ByteBuffer.allocate((int) half);
            from.read(first, 0, begun);
            try (LogFiles.LogFile file = target.create("installing/" + NAME + "/" + first.path())) {
                file.write(begun.flip(), 0);
                file.force();
            }
            var counted = new CountedSource(from);

            new ReplicaInstallation(target, NAME).stage(counted);

            assertThat(counted.skipped).isEqualTo(half);
            assertThat(counted.read).isEqualTo(from.list().bytes() - half);
        }
    }

    /** Counts the bytes that are copied. */
    private static final class CountedSource implements ReplicaSource {
        private final ReplicaSource source;
        private long read;
        private long skipped;

        CountedSource(ReplicaSource source) {
            this.source = source;
        }

        @Override
        public ReplicaList list() {
            return source.list();
        }

        @Override
        public void read(ReplicaFile file, long offset, ByteBuffer into) throws IOException {
            int before = into.position();
            source.read(file, offset, into);
            read += into.position() - before;
        }

        @Override
        public void skipped(long bytes) {
            skipped += bytes;
        }

        @Override
        public void close() throws IOException {
            source.close();
        }
    }

    @Test
    void refusesAFileWithAnotherChecksum() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        var target = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        var links = new FaultyLogFiles(new Random(SEED));
        try (ReplicaSource from = source(source, links)) {
            ReplicaFile first = from.list().files().getFirst();
            links.damage(first.path(), first.bytes() / 2);

            assertThatIOException()
                    .isThrownBy(() -> new ReplicaInstallation(target, NAME).stage(from))
                    .withMessageMatching(first.path() + ": expected the checksum .{8}, found .{8}");
        }
    }

    @Test
    void anExportIsNotReadAfterItsTime() throws IOException {
        var source = new FaultyLogFiles(new Random(SEED));
        write(source, "new");
        try (DocumentStore store = open(source)) {
            assertThatIOException()
                    .isThrownBy(() ->
                            ReplicaExport.make(
                                    source,
                                    new FaultyLogFiles(new Random(SEED)),
                                    RECORD,
                                    transfer -> store.export(SHARD, transfer),
                                    new ReplicaExport.Lease(
                                            Deadline.after(Duration.ZERO), () -> {})))
                    .withMessage("the transfer of files was cancelled");
        }
    }

    private static void install(FaultyLogFiles source, FaultyLogFiles target) throws IOException {
        ReplicaInstallation installation = new ReplicaInstallation(target, NAME);
        try (ReplicaSource from = source(source)) {
            installation.stage(from);
            installation.commit(from.list());
        }
        open(target).close();
    }

    private static ReplicaSource source(FaultyLogFiles source) throws IOException {
        return source(source, new FaultyLogFiles(new Random(SEED)));
    }

    private static ReplicaSource source(FaultyLogFiles source, FaultyLogFiles links)
            throws IOException {
        try (DocumentStore store = open(source)) {
            return ReplicaExport.make(
                    source,
                    links,
                    RECORD,
                    transfer -> store.export(SHARD, transfer),
                    new ReplicaExport.Lease(Deadline.after(Duration.ofHours(1)), () -> {}));
        }
    }

    /** Writes all documents with a text, in several runs. */
    private static void write(FaultyLogFiles files, String text) throws IOException {
        try (DocumentStore store = open(files)) {
            store.keep(Notes.TYPE, SearchedTexts.NONE);
            for (String each : List.of("first", text)) {
                for (int i = 0; i < DOCUMENTS; i++) {
                    store.write(
                            Notes.write(Notes.plain(i), each),
                            Optional.empty(),
                            Deadline.after(Duration.ofHours(1)));
                }
                store.flush();
            }
        }
    }

    private static Map<Integer, String> texts(FaultyLogFiles files) throws IOException {
        var texts = new TreeMap<Integer, String>();
        try (DocumentStore store = open(files)) {
            for (int i = 0; i < DOCUMENTS; i++) {
                texts.put(i, Notes.text(store, Notes.plain(i)));
            }
        }
        return texts;
    }

    private static Map<Integer, String> expected(boolean isInstalled) {
        var texts = new TreeMap<Integer, String>();
        for (int i = 0; i < DOCUMENTS; i++) {
            int partition = Notes.PARTITIONS.of(Notes.plain(i).location());
            texts.put(i, isInstalled && partition % SHARDS == SHARD ? "new" : "old");
        }
        return texts;
    }

    private static Optional<String> record(FaultyLogFiles files) throws IOException {
        return ShardRecord.open(files, NAME)
                .content()
                .map(each -> new String(each.bytes().getFirst(), UTF_8));
    }

    private static DocumentStore open(FaultyLogFiles files) throws IOException {
        return DocumentStore.open(
                files,
                StoreOptions.of(
                                Notes.PARTITIONS.count(),
                                RecentSettings.DEFAULT,
                                InstantSource.system())
                        .with(new UnreplicatedJournals()));
    }

    /** Journals that apply rows at once, and keep none. */
    private static final class UnreplicatedJournals implements ShardJournals {
        @Override
        public int count() {
            return SHARDS;
        }

        @Override
        public Journal start(int shard, Journal.Applier applier) {
            return new AppliedAtOnce(applier);
        }
    }

    private static final class AppliedAtOnce implements MemoryJournal {
        private final Applier applier;
        private long last;

        AppliedAtOnce(Applier applier) {
            this.applier = applier;
            // After the positions of earlier starts.
            this.last = System.nanoTime() & Long.MAX_VALUE;
        }

        @Override
        public long term() {
            return 0;
        }

        @Override
        public Proposal current() {
            var current = new Proposal();
            current.complete(new Outcome.Applied(last));
            return current;
        }

        @Override
        public synchronized Optional<Proposal> propose(RowProposal rows, Runnable whenDone) {
            applier.apply(rows.partition(), last + 1, rows.rows());
            var proposal = new Proposal();
            proposal.complete(new Outcome.Applied(last + 1));
            last += rows.rows().size();
            whenDone.run();
            return Optional.of(proposal);
        }

        @Override
        public synchronized <T> T together(Supplier<T> proposing) {
            return proposing.get();
        }

        @Override
        public synchronized long applied() {
            return last;
        }
    }
}
