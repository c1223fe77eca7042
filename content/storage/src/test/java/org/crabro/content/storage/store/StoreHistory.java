package org.crabro.content.storage.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.content.storage.journal.FaultyLogFiles.Effect;
import org.crabro.content.storage.journal.FaultyLogFiles.Loss;
import org.crabro.content.storage.journal.FileTransfer;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.merge.CompactionSettings;
import org.crabro.content.storage.merge.CompactionStep;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.LocationKey;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * A store that one thread writes, reads, flushes, crashes and fills up, step by step, and compares
 * with a plain map.
 *
 * <p>There is no background work, so the same steps have the same effects each time.
 */
final class StoreHistory {
    private static final List<Loss> LOSSES = List.of(Loss.values());
    private static final List<Effect> EFFECTS = List.of(Effect.values());
    private static final int RECOVERIES = 4;

    private final Random random;
    private final Partitions partitions;
    private final int documents;
    private final int groups;
    private final RecentSettings settings;
    private final ExpectedDocuments expected = new ExpectedDocuments();
    private final List<HeldView> views = new ArrayList<>();
    private final List<String> log = new ArrayList<>();

    private FaultyLogFiles files;
    private @Nullable DocumentStore opened;

    // By partition, as in the list of partitions.
    private final Map<Integer, String> ids = new HashMap<>();
    private final Map<Integer, Long> edited = new HashMap<>();
    private boolean later;
    private long micros = 1_000_000;

    /** Whether a fault was injected since the store was opened. */
    private boolean isFaulty;

    /** The documents of a group whose removal failed, so that its outcome is unknown. */
    private List<DocumentId> halfRemoved = List.of();

    /** A write failed: no other write succeeds before the store is opened again. */
    private boolean isJournalDown;

    /** A view that stays open for a while, and the documents seen through it. */
    private record HeldView(
            View view,
            int partition,
            Map<DocumentId, Integer> floors,
            Map<KeyRange, Map<DocumentId, Row>> seen) {}

    private StoreHistory(long seed) {
        this.random = new Random(new Random(seed).nextLong());
        this.partitions = new Partitions(random.nextInt(3));
        this.documents = random.nextInt(4, 60);
        this.groups = random.nextBoolean() ? random.nextInt(1, 3) : random.nextInt(4, 40);
        int spareSegments = random.nextInt(3);
        var journal =
                new JournalSettings(
                        1 << 30, 16 << 10, spareSegments, Duration.ofDays(1), 100, 1 << 20);
        FeedLimits limits =
                FeedLimits.DEFAULT
                        .withRowBytes(8_000)
                        .withReservedBytes(random.nextBoolean() ? 0 : 20_000);
        this.settings =
                RecentSettings.DEFAULT
                        .withFeed(limits)
                        .withJournal(journal)
                        .withCompaction(merging(new Random(seed)));
        this.files = new FaultyLogFiles(random);
    }

    /**
     * Runs {@code steps} and closes the store normally.
     *
     * @throws HistoryFailure with the steps, if the store has a wrong state
     */
    static void run(long seed, List<HistoryStep> steps) {
        var history = new StoreHistory(seed);
        try {
            history.live(steps);
        } catch (AssertionError | Exception e) {
            history.abandon();
            throw new HistoryFailure(history.log, e);
        }
    }

    /** The failure, after the steps that led to it. */
    static final class HistoryFailure extends RuntimeException {
        private static final long serialVersionUID = 1;

        HistoryFailure(List<String> log, Throwable cause) {
            super(String.join("\n", log) + "\n" + cause, cause);
        }
    }

    private void live(List<HistoryStep> steps) throws IOException {
        log.add(
                "%d partitions, %d documents, %d groups, %d bytes kept free"
                        .formatted(
                                partitions.count(),
                                documents,
                                groups,
                                settings.feed().reservedBytes()));
        recover(random);
        for (HistoryStep step : steps) {
            var chance = new Random(step.seed());
            act(step.kind(), chance);
            if (files.hasStopped()) {
                crash(chance, "stopped");
            } else if (isJournalDown && chance.nextInt(3) > 0) {
                crash(chance, "journal down");
            }
        }
        end();
    }

    private void act(HistoryStep.Kind kind, Random chance) throws IOException {
        switch (kind) {
            case PUT -> write(id(chance), true);
            case REMOVE -> write(id(chance), false);
            case REMOVE_GROUP -> removeGroup(id(chance));
            case GET -> get(id(chance));
            case SCAN -> scan();
            case SCAN_GROUP -> scan(id(chance));
            case HOLD_VIEW -> hold(chance);
            case LOOK_AGAIN -> look(chance);
            case CLOSE_VIEW -> closeView(chance);
            case FLUSH -> flush(-1);
            case FLUSH_ONE -> flush(chance.nextInt(partitions.count()));
            case COMPACT -> compact(chance.nextInt(partitions.count()), chance);
            case BACK_UP -> backUp(chance);
            case CHANGE_SCHEMA -> changeSchema();
            case RESTART -> restart(chance);
            case CRASH -> crash(chance, "power");
            case STOP_SOON -> stopSoon(chance);
            case FAIL_SOON -> failSoon(chance);
            case FILL_DISK -> fillDisk(chance);
            case MAKE_ROOM -> makeRoom();
        }
    }

    private DocumentId id(Random chance) {
        return Papers.id(chance.nextInt(documents), groups);
    }

    private int partition(DocumentId id) {
        return partitions.of(id.location());
    }

    private void write(DocumentId id, boolean isPut) {
        Row row;
        if (isPut) {
            row = Papers.put(id, expected.beginPut(id), later);
        } else {
            expected.beginRemove(id);
            row = Papers.remove(id, later);
        }
        micros += random.nextInt(-3, 5);
        WriteReply reply =
                store().write(
                                new Write.Row(partition(id), id, Papers.encode(row, later)),
                                Optional.empty(),
                                Deadline.after(Duration.ofMinutes(1)));
        log.add(
                "%s %s: %s"
                        .formatted(
                                isPut ? "put version " + Papers.version(row) + " of" : "remove",
                                id,
                                reply));
        switch (reply) {
            case WriteReply.Stored(long timestamp, _) -> {
                assertThat(isJournalDown).as("the journal failed before").isFalse();
                expected.checkRises(partition(id), timestamp);
                expected.acknowledge(id, partition(id), timestamp);
            }
            case WriteReply.Failed _ -> {
                assertThat(isFaulty).as("something was to fail").isTrue();
                isJournalDown = true;
            }
            case WriteReply.OutOfSpace _ -> {
                assertThat(isFaulty).as("the disk is full").isTrue();
                expected.withdraw(id);
            }
            default -> throw new AssertionError("no reason to answer " + reply);
        }
    }

    /** Removes the group of a document with all its others. */
    private void removeGroup(DocumentId one) {
        if (one.key() instanceof LocationKey.Plain) {
            return;
        }
        List<DocumentId> removed = new ArrayList<>();
        forEachDocument(id -> {
            if (Papers.isOfSameGroup(one, id)) {
                removed.add(id);
            }
        });
        List<DocumentId> there = removed.stream().filter(expected::isThere).toList();
        removed.forEach(expected::beginRemove);
        micros += random.nextInt(-3, 5);
        WriteReply reply =
                store().removeGroup(
                                partition(one),
                                Papers.type(one, later),
                                one.key(),
                                Optional.empty(),
                                Deadline.after(Duration.ofMinutes(1)));
        log.add("remove %s of type %s: %s".formatted(one.key().text(), one.documentType(), reply));
        switch (reply) {
            case WriteReply.Stored(long timestamp, _) -> {
                assertThat(isJournalDown).as("the journal failed before").isFalse();
                expected.checkRises(partition(one), timestamp);
                removed.forEach(id -> expected.acknowledge(id, partition(id), timestamp));
            }
            case WriteReply.Failed _ -> {
                assertThat(isFaulty).as("something was to fail").isTrue();
                if (!isJournalDown) {
                    halfRemoved = there;
                }
                isJournalDown = true;
            }
            case WriteReply.OutOfSpace _ -> {
                assertThat(isFaulty).as("the disk is full").isTrue();
                removed.forEach(expected::withdraw);
            }
            default -> throw new AssertionError("no reason to answer " + reply);
        }
    }

    private void get(DocumentId id) {
        Optional<Row> newest = newest(id);
        log.add("get %s: %s".formatted(id, newest.map(Papers::version).orElse(0)));
        expected.checkNow(id, newest);
    }

    private Optional<Row> newest(DocumentId id) {
        return store().newest(partition(id), id, new ReadContext(), ValueBudget.UNLIMITED)
                .filter(row -> !row.tombstone());
    }

    private void scan() {
        log.add("scan");
        Map<DocumentId, Row> seen = everything();
        forEachDocument(id -> expected.checkNow(id, Optional.ofNullable(seen.get(id))));
        assertThat(seen).hasSize((int) expected.count());
    }

    private Map<DocumentId, Row> everything() {
        return everything(store());
    }

    private Map<DocumentId, Row> everything(DocumentStore from) {
        var seen = new TreeMap<DocumentId, Row>(Papers.BY_TEXT);
        for (int partition = 0; partition < partitions.count(); partition++) {
            seen.putAll(Papers.seen(from, partition, new KeyRange.Everything()));
        }
        return seen;
    }

    private void forEachDocument(java.util.function.Consumer<DocumentId> action) {
        for (int i = 0; i < documents; i++) {
            action.accept(Papers.id(i, groups));
        }
    }

    private void scan(DocumentId one) {
        KeyRange range = Papers.range(one);
        log.add("scan " + range);
        int partition = partition(one);
        Map<DocumentId, Row> seen = Papers.seen(store(), partition, range);
        forEachDocument(id -> {
            if (isIn(id, partition, range)) {
                expected.checkNow(id, Optional.ofNullable(seen.remove(id)));
            }
        });
        assertThat(seen).as("what is not of %s", range).isEmpty();
    }

    private boolean isIn(DocumentId id, int partition, KeyRange range) {
        return partition(id) == partition
                && (range instanceof KeyRange.Everything || Papers.range(id).equals(range));
    }

    private void hold(Random chance) {
        if (views.size() < 5) {
            int partition = chance.nextInt(partitions.count());
            log.add("hold a view of partition " + partition);
            views.add(
                    new HeldView(
                            store().view(partition),
                            partition,
                            expected.floors(),
                            new java.util.HashMap<>()));
        }
    }

    private void look(Random chance) {
        if (views.isEmpty()) {
            return;
        }
        HeldView held = views.get(chance.nextInt(views.size()));
        DocumentId one = id(chance);
        KeyRange range =
                partition(one) == held.partition() ? Papers.range(one) : new KeyRange.Everything();
        log.add("look at %s of a held view of partition %d".formatted(range, held.partition()));
        var seen = new TreeMap<DocumentId, Row>(Papers.BY_TEXT);
        Papers.addSeen(held.view(), range, seen);
        Map<DocumentId, Row> before = held.seen().putIfAbsent(range, seen);
        if (before != null) {
            assertThat(seen).as("as it was seen before").isEqualTo(before);
        }
        forEachDocument(id -> {
            if (isIn(id, held.partition(), range)) {
                expected.checkBetween(held.floors(), id, Optional.ofNullable(seen.get(id)));
            }
        });
    }

    private void closeView(Random chance) {
        if (!views.isEmpty()) {
            log.add("close a view");
            views.remove(chance.nextInt(views.size())).view().close();
        }
    }

    private void flush(int partition) throws IOException {
        log.add(partition < 0 ? "flush" : "flush partition " + partition);
        try {
            if (partition < 0) {
                store().flush();
            } else {
                store().flush(partition);
            }
        } catch (IOException e) {
            tolerate(e);
        }
    }

    /** One step, with settings that make steps small and tombstones dropped early, or kept. */
    private void compact(int partition, Random chance) {
        try {
            Optional<CompactionStep> step = store().compact(partition, merging(chance));
            log.add("compact partition %d: %s".formatted(partition, step));
        } catch (IOException e) {
            log.add("compact partition " + partition);
            tolerate(e);
        }
    }

    private static CompactionSettings merging(Random chance) {
        Duration retention = chance.nextBoolean() ? Duration.ZERO : Duration.ofDays(14);
        return new CompactionSettings(
                false,
                2 + chance.nextInt(2),
                6,
                1 + chance.nextInt(8_000),
                1,
                retention,
                retention);
    }

    /** A backup has the documents of its moment, also after a loss of power of its disk. */
    private void backUp(Random chance) throws IOException {
        log.add("back up");
        var target = new FaultyLogFiles(chance);
        try {
            store().backup(new FileTransfer(files, target, () -> false));
        } catch (IOException e) {
            tolerate(e);
            return;
        }
        target.checkNothingIsLeft();
        FaultyLogFiles copy = target.afterCrash(LOSSES.get(chance.nextInt(LOSSES.size())));
        try (DocumentStore restored = open(copy)) {
            Map<DocumentId, Row> seen = everything(restored);
            forEachDocument(id -> expected.checkNow(id, Optional.ofNullable(seen.get(id))));
            assertThat(seen).as("in the backup").hasSize((int) expected.count());
        }
        copy.checkNothingIsLeft();
    }

    private void changeSchema() {
        log.add("change the schema");
        try {
            keep(store(), !later);
            later = !later;
        } catch (IOException e) {
            tolerate(e);
        }
    }

    private static void keep(DocumentStore store, boolean isLater) throws IOException {
        for (DocumentType type : Papers.types(isLater)) {
            store.keep(type, Papers.SEARCHED);
        }
    }

    private void tolerate(IOException e) {
        log.add("  failed: " + e.getMessage());
        if (!isFaulty) {
            throw new AssertionError("nothing was to fail", e);
        }
    }

    /** The process ends and is restarted, with or without a close. */
    private void restart(Random chance) throws IOException {
        log.add("restart");
        close(chance);
        files = files.afterCrash(Loss.NOTHING);
        recover(chance);
    }

    private void crash(Random chance, String why) throws IOException {
        Loss loss = LOSSES.get(chance.nextInt(LOSSES.size()));
        log.add("crash (%s), losing %s".formatted(why, loss));
        // The effects of the close come too late.
        FaultyLogFiles afterCrash = files.afterCrash(loss);
        close(chance);
        files = afterCrash;
        recover(chance);
    }

    private void close(Random chance) {
        boolean isViewsFirst = chance.nextBoolean();
        if (isViewsFirst) {
            closeViews();
        }
        store().close();
        opened = null;
        closeViews();
        files.checkNothingIsLeft();
    }

    private void closeViews() {
        views.forEach(held -> held.view().close());
        views.clear();
    }

    /** Opens the store, with crashes and failures in between, and resolves unknown outcomes. */
    private void recover(Random chance) throws IOException {
        for (int i = 0; i < RECOVERIES && chance.nextInt(4) == 0; i++) {
            boolean isStop = chance.nextBoolean();
            if (isStop) {
                stopSoon(chance);
            } else {
                failSoon(chance);
            }
            try {
                open().close();
                log.add("opened and closed");
            } catch (IOException e) {
                tolerate(e);
            }
            files.checkNothingIsLeft();
            Loss loss = LOSSES.get(chance.nextInt(LOSSES.size()));
            log.add("crash while opening, losing " + loss);
            files = files.afterCrash(loss);
        }
        isFaulty = false;
        isJournalDown = false;
        log.add("open");
        opened = open();
        checkPartitionList();
        settle();
    }

    /**
     * Checks the list of partitions and the identity files: both lists exist, each partition has
     * its first id, and the progress of its log never decreases.
     */
    private void checkPartitionList() throws IOException {
        assertThat(store().setAside()).as("runs set aside").isEmpty();
        List<String> lists = List.of(text("partitions.1"), text("partitions.2"));
        for (int i = 0; i < partitions.count(); i++) {
            Pattern line =
                    Pattern.compile("partition %05d id (\\w{16}) edits (\\d+) ".formatted(i));
            for (String list : lists) {
                Matcher matcher = line.matcher(list);
                assertThat(matcher.find()).as("partition %d in %s", i, list).isTrue();
                String id = matcher.group(1);
                assertThat(ids.computeIfAbsent(i, _ -> id))
                        .as("id of partition %d", i)
                        .isEqualTo(id);
                long edits = Long.parseLong(matcher.group(2));
                assertThat(edits)
                        .as("edits of partition %d", i)
                        .isGreaterThanOrEqualTo(edited.getOrDefault(i, 0L));
            }
            assertThat(text(DocumentStore.directory(i) + "/identity"))
                    .isEqualTo("crabro partition %05d id %s\n".formatted(i, ids.get(i)));
            Matcher newest = line.matcher(lists.getLast());
            assertThat(newest.find()).isTrue();
            edited.put(i, Long.parseLong(newest.group(2)));
        }
    }

    private String text(String path) throws IOException {
        try (LogFiles.LogFile file = files.open(path)) {
            ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
            file.read(bytes, 0);
            return US_ASCII.decode(bytes.flip()).toString();
        }
    }

    private DocumentStore open() throws IOException {
        return open(files);
    }

    private DocumentStore open(FaultyLogFiles from) throws IOException {
        DocumentStore store =
                DocumentStore.open(
                        from,
                        StoreOptions.of(
                                partitions.count(),
                                settings,
                                () -> Instant.EPOCH.plusNanos(1_000 * micros)));
        try {
            keep(store, later);
            return store;
        } catch (IOException e) {
            store.close();
            throw e;
        }
    }

    private DocumentStore store() {
        if (opened == null) {
            throw new IllegalStateException("no store is open");
        }
        return opened;
    }

    private void settle() {
        Map<DocumentId, Row> seen = everything();
        assertThat(seen.keySet().stream().filter(halfRemoved::contains).count())
                .as("of a group whose removal failed: all or nothing")
                .isIn(0L, (long) halfRemoved.size());
        halfRemoved = List.of();
        forEachDocument(id -> {
            Optional<Row> newest = newest(id);
            try (View view = store().view(partition(id))) {
                assertThat(
                                view.find(RowKey.of(id), new ReadContext())
                                        .map(live -> live.block().row(live.row())))
                        .as("%s found in a view as in a get", id)
                        .isEqualTo(newest);
            }
            assertThat(Optional.ofNullable(seen.remove(id)))
                    .as("%s in a scan as in a get", id)
                    .isEqualTo(newest);
            expected.settle(id, partition(id), newest);
        });
        assertThat(seen).as("documents that nobody wrote").isEmpty();
    }

    private void stopSoon(Random chance) {
        int effects = chance.nextInt(1, chance.nextBoolean() ? 5 : 30);
        log.add("stop in effect " + effects);
        files.stopAfter(effects);
        isFaulty = true;
    }

    private void failSoon(Random chance) {
        Effect effect = EFFECTS.get(chance.nextInt(EFFECTS.size()));
        int count = chance.nextInt(1, 4);
        log.add("fail %s number %d".formatted(effect, count));
        files.failAfter(effect, count);
        isFaulty = true;
    }

    private void fillDisk(Random chance) {
        int bytes = chance.nextInt(50_000);
        log.add("leave %d bytes free".formatted(bytes));
        files.limitFree(bytes);
        isFaulty = true;
    }

    private void makeRoom() {
        log.add("make room");
        files.limitCapacity(Long.MAX_VALUE);
    }

    /** After any history, a store that is opened without faults supports all operations. */
    private void end() throws IOException {
        var chance = new Random(1);
        restart(chance);
        flush(-1);
        scan();
        ContentStatistics statistics = store().statistics();
        assertThat(statistics.held().documents()).as("documents").isEqualTo(expected.count());
        assertThat(statistics.writes().recentBytes()).as("recent bytes").isZero();
        assertThat(statistics.writes().waiting()).as("waiting").isZero();
        assertThat(statistics.runs().openViews()).as("open views").isZero();
        restart(chance);
        scan();
        close(chance);
    }

    /** Ends threads and releases memory after a failure, as far as possible. */
    private void abandon() {
        try {
            closeViews();
            if (opened != null) {
                opened.close();
            }
        } catch (AssertionError | RuntimeException e) {
            log.add("closing failed too: " + e);
        }
    }
}
