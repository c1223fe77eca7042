package org.crabro.content.storage.run;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.function.ObjIntConsumer;
import org.apache.lucene.util.FixedBitSet;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.ReplacedRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.LongSequence;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.PlaceRange;
import org.crabro.content.storage.manifest.RunEntry;

/**
 * The valid part of a run: the rows within the bounds of the manifest, and the rows among them that
 * newer runs replace. Immutable, except that it keeps which rows are live once they were asked for;
 * the publisher holds a reference to the run.
 *
 * <p>Its state, by block, is which rows are valid, replaced, dead and unknown.
 */
public final class RunPart {
    private static final DeadRows[] NOTHING = new DeadRows[0];

    private final Run run;
    private final RunEntry entry;
    private final PlaceRange places;

    /** By section: the addresses of the valid rows. */
    private final AddressRange[] valid;

    // By block; an empty array if no block has such rows.
    private final DeadRows[] replaced;
    private final DeadRows[] dead;

    /** By block: why the rows that newer runs replace are unknown. */
    private final Map<Integer, Damage> unknown;

    /** By section: its live rows, empty if some are unknown; kept when a search first asks. */
    private final AtomicReferenceArray<Optional<LiveRows>> live;

    private final long rowCount;
    private final long liveRowCount;
    private final long replacedRowCount;
    private final long byteCount;

    private RunPart(
            Run run,
            RunEntry entry,
            AddressRange[] valid,
            DeadRows[] replaced,
            DeadRows[] dead,
            Map<Integer, Damage> unknown) {
        this.run = run;
        this.entry = entry;
        this.places = entry.valid();
        this.valid = valid;
        this.replaced = replaced;
        this.dead = dead;
        this.unknown = unknown;
        this.live = new AtomicReferenceArray<>(valid.length);
        long rows = 0;
        long bytes = 0;
        long deadRows = 0;
        long replacedRows = 0;
        for (int i = 0; i < valid.length; i++) {
            RunSection section = run.sections().get(i);
            for (int block = firstBlock(i); block < endBlock(i); block++) {
                int first = firstRow(i, block);
                int end = endRow(i, block);
                rows += end - first;
                bytes += section.byteCount(block);
                int number = section.firstBlock() + block;
                deadRows += dead(number).count(first, end);
                replacedRows += replaced(number).count(first, end);
            }
        }
        this.rowCount = rows;
        this.byteCount = bytes;
        this.liveRowCount = rows - deadRows;
        this.replacedRowCount = replacedRows;
    }

    /**
     * Returns {@code run} without replaced rows.
     *
     * @param entry the run's entry in the manifest
     */
    public static RunPart of(Run run, RunEntry entry) {
        return bounded(run, entry, NOTHING, run.tombstones(), Map.of());
    }

    private static RunPart bounded(
            Run run,
            RunEntry entry,
            DeadRows[] replaced,
            DeadRows[] dead,
            Map<Integer, Damage> unknown) {
        var valid = new AddressRange[run.sections().size()];
        PlaceRange places = entry.valid();
        for (int i = 0; i < valid.length; i++) {
            RunSection section = run.sections().get(i);
            int first = section.firstBlock();
            long from =
                    places.first() == entry.stored().first()
                            ? RunLayout.address(first, 0)
                            : section.firstNotBelow(places.first());
            long to =
                    places.last() == entry.stored().last()
                            ? RunLayout.address(first + section.blockCount(), 0)
                            : section.firstAbove(places.last());
            valid[i] = new AddressRange(from, to);
        }
        return new RunPart(run, entry, valid, replaced, dead, unknown);
    }

    /** Returns this with the bounds of {@code other}, an entry of the same run. */
    RunPart within(RunEntry other) {
        return other.equals(entry) ? this : bounded(run, other, replaced, dead, unknown);
    }

    /**
     * Returns this without the rows that {@code younger} replaces, or removes with their group. If
     * these cannot be read, the state of all rows in the range of {@code younger} is unknown.
     *
     * @throws CorruptRunException if {@code younger} names blocks that the run does not have
     */
    RunPart without(RunPart younger) {
        if (run.lost().rows().isPresent()) {
            return this;
        }
        Optional<Damage> lost = younger.run.lost().replaced();
        SupersededRows rows = younger.run.superseded();
        int index = rows.from(run.number());
        boolean isReplaced = index < rows.count() && rows.run(index) == run.number();
        RemovedRows ranges = younger.run.removed();
        int range = ranges.from(run.number());
        boolean isRemoved = range < ranges.count() && ranges.run(range) == run.number();
        if (!isReplaced && !isRemoved && lost.isEmpty()) {
            return this;
        }
        var allReplaced = filled(replaced, run.blockCount());
        var allDead = filled(dead, run.blockCount());
        while (range < ranges.count() && ranges.run(range) == run.number()) {
            remove(younger.run, ranges.rows(range), allReplaced, allDead);
            range++;
        }
        var notLookedAt = new HashMap<Integer, Damage>();
        var ofBlock = new LongSequence();
        while (index < rows.count() && rows.run(index) == run.number()) {
            ofBlock.clear();
            int block = RunLayout.block(rows.address(index));
            while (index < rows.count()
                    && rows.run(index) == run.number()
                    && RunLayout.block(rows.address(index)) == block) {
                if (RunLayout.row(rows.address(index)) != RunLayout.ANY_ROW) {
                    ofBlock.add(rows.address(index));
                } else if (block == RunLayout.ANY_BLOCK) {
                    addUnknown(younger.entry, unreadable(younger, 0), notLookedAt);
                } else {
                    checkRows(younger.run, block, ofBlock);
                    RunSection section = run.sectionOf(block);
                    long offset = section.offset(block - section.firstBlock());
                    notLookedAt.put(block, unreadable(younger, offset));
                }
                index++;
            }
            if (block != RunLayout.ANY_BLOCK) {
                checkRows(younger.run, block, ofBlock);
                DeadRows more = DeadRows.of(ofBlock.toArray(), 0, ofBlock.count());
                allReplaced[block] = allReplaced[block].and(more);
                allDead[block] = allDead[block].and(more);
            }
        }
        var allUnknown = new HashMap<>(unknown);
        if (!notLookedAt.isEmpty()) {
            lookAgain(younger, notLookedAt, allReplaced, allDead, allUnknown);
        }
        lost.ifPresent(reason -> addUnknown(younger.entry, reason, allUnknown));
        return new RunPart(run, entry, valid, allReplaced, allDead, Map.copyOf(allUnknown));
    }

    private Damage unreadable(RunPart younger, long offset) {
        return new Damage(
                run.file(),
                offset,
                "keys that could be read when %s was written".formatted(younger.run.file()),
                "none");
    }

    /**
     * Searches the rows that {@code younger} replaces in blocks whose keys could not be read when
     * it was written: the file may have been restored since.
     *
     * @param blocks by number in the run; each value is the reason if the block still cannot be
     *     read
     */
    private void lookAgain(
            RunPart younger,
            Map<Integer, Damage> blocks,
            DeadRows[] allReplaced,
            DeadRows[] allDead,
            Map<Integer, Damage> allUnknown) {
        if (!younger.run.lost().reasons().isEmpty()) {
            allUnknown.putAll(blocks);
            return;
        }
        ReplacedRows rows;
        try {
            rows = younger.replacedIn(this);
        } catch (CorruptRunException _) {
            allUnknown.putAll(blocks);
            return;
        }
        blocks.forEach((block, reason) -> {
            DeadRows more = rows.rows(run.number(), block);
            allReplaced[block] = allReplaced[block].and(more);
            allDead[block] = allDead[block].and(more);
            if (rows.unknown(run.number(), block).isPresent()) {
                allUnknown.put(block, reason);
            }
        });
    }

    /** Returns the rows of an older run that this one replaces, or removes with their group. */
    private ReplacedRows replacedIn(RunPart older) {
        long number = older.run.number();
        var finder = new ReplacedRowFinder(List.of(older), new ReadContext());
        for (RunSection section : run.sections()) {
            for (int i = 0; i < section.blockCount(); i++) {
                finder.add(section.block(i), 0, section.rowCount(i));
            }
        }
        GroupTombstones groups = run.groupTombstones();
        for (int i = 0; i < groups.count(); i++) {
            GroupTombstone group = groups.get(i);
            older.forEachRange(
                    group.documentType(),
                    group.bounds(),
                    rows -> older.forEachRow(rows, address -> finder.add(number, address)),
                    (reason, block) -> finder.addUnknown(number, block, reason));
        }
        return finder.finish();
    }

    private void forEachRow(AddressRange rows, LongConsumer action) {
        RunSection section = run.sectionOf(rows.firstBlock());
        for (int block = rows.firstBlock(); block <= rows.lastBlock(); block++) {
            int end = rows.endRow(block, section.rowCount(block - section.firstBlock()));
            for (int row = rows.firstRow(block); row < end; row++) {
                action.accept(RunLayout.address(block, row));
            }
        }
    }

    /** Adds the blocks that may have rows in the range of a newer run. */
    private void addUnknown(RunEntry younger, Damage reason, Map<Integer, Damage> into) {
        for (RunSection section : run.sections()) {
            for (int i = 0; i < section.blockCount(); i++) {
                boolean isLast = i + 1 == section.blockCount();
                long last = isLast ? entry.stored().last() : section.firstPlace(i + 1);
                if (Long.compareUnsigned(section.firstPlace(i), younger.last()) <= 0
                        && Long.compareUnsigned(last, younger.first()) >= 0) {
                    into.put(section.firstBlock() + i, reason);
                }
            }
        }
    }

    private void remove(
            Run younger, AddressRange rows, DeadRows[] allReplaced, DeadRows[] allDead) {
        if (!run.has(rows)) {
            throw new CorruptRunException(
                    younger.file(),
                    0,
                    "removed rows in blocks that %s has".formatted(run.file()),
                    rows.toString());
        }
        RunSection section = run.sectionOf(rows.firstBlock());
        for (int block = rows.firstBlock(); block <= rows.lastBlock(); block++) {
            int rowCount = section.rowCount(block - section.firstBlock());
            DeadRows more = DeadRows.between(rows.firstRow(block), rows.endRow(block, rowCount));
            allReplaced[block] = allReplaced[block].and(more);
            allDead[block] = allDead[block].and(more);
        }
    }

    private void checkRows(Run younger, int block, LongSequence rows) {
        boolean isThere = block >= 0 && block < run.blockCount();
        int last = rows.count() == 0 ? 0 : RunLayout.row(rows.last());
        if (!isThere || last < 0 || last >= BlockLayout.ROWS_MAX) {
            throw new CorruptRunException(
                    younger.file(),
                    0,
                    "superseded rows in blocks that %s has".formatted(run.file()),
                    "row %d of block %d".formatted(last, block));
        }
    }

    private static DeadRows[] filled(DeadRows[] rows, int blocks) {
        if (rows.length > 0) {
            return rows.clone();
        }
        var filled = new DeadRows[blocks];
        Arrays.fill(filled, DeadRows.NONE);
        return filled;
    }

    public Run run() {
        return run;
    }

    public RunEntry entry() {
        return entry;
    }

    /** Returns what identifies the rows of a section in files beside the run. */
    public IndexedRun indexed(int section) {
        RunSection rows = run.sections().get(section);
        return new IndexedRun(
                run.number(),
                entry.byteCount(),
                entry.created(),
                section,
                rows.rowTotal(),
                rows.fingerprint());
    }

    /** Returns the places of valid rows. */
    public PlaceRange places() {
        return places;
    }

    /** Returns the first block of a section with valid rows, from 0 in the section. */
    public int firstBlock(int section) {
        return RunLayout.block(valid[section].from()) - run.sections().get(section).firstBlock();
    }

    /** Returns the end of the blocks of a section with valid rows, exclusive. */
    public int endBlock(int section) {
        int end = RunLayout.block(valid[section].to()) - run.sections().get(section).firstBlock();
        return RunLayout.row(valid[section].to()) == 0 ? end : end + 1;
    }

    /** Returns the first valid row of a block that has valid rows. */
    public int firstRow(int section, int block) {
        return block == firstBlock(section) ? RunLayout.row(valid[section].from()) : 0;
    }

    /** Returns the end of the valid rows of a block that has valid rows, exclusive. */
    public int endRow(int section, int block) {
        int number = run.sections().get(section).firstBlock() + block;
        return number == RunLayout.block(valid[section].to())
                ? RunLayout.row(valid[section].to())
                : run.sections().get(section).rowCount(block);
    }

    /** Returns whether all rows of a section are valid, and none is dead in this part. */
    boolean isWhole(int section) {
        RunSection of = run.sections().get(section);
        int last = of.blockCount() - 1;
        return dead.length == 0
                && unknown.isEmpty()
                && firstBlock(section) == 0
                && endBlock(section) == last + 1
                && firstRow(section, 0) == 0
                && endRow(section, last) == of.rowCount(last);
    }

    /**
     * Returns the live rows of a section, which are kept with this part; empty if the dead rows of
     * a block are unknown.
     */
    Optional<LiveRows> live(int section) {
        Optional<LiveRows> cached = live.get(section);
        if (cached == null) {
            // Threads that find the rows at once find the same.
            cached = findLive(section);
            live.set(section, cached);
        }
        return cached;
    }

    private Optional<LiveRows> findLive(int section) {
        RunSection rows = run.sections().get(section);
        int rowTotal = rows.rowTotal();
        if (isWhole(section)) {
            return Optional.of(new LiveRows(null, rowTotal));
        }
        var gone = new FixedBitSet(rowTotal);
        gone.set(0, rowTotal);
        int end = endBlock(section);
        for (int i = firstBlock(section); i < end; i++) {
            int number = rows.firstBlock() + i;
            if (unknown.containsKey(number)) {
                return Optional.empty();
            }
            int first = rows.firstRow(i);
            int to = endRow(section, i);
            gone.clear(first + firstRow(section, i), first + to);
            DeadRows ofBlock = dead(number);
            for (int row = firstRow(section, i); !ofBlock.isEmpty() && row < to; row++) {
                if (ofBlock.has(row)) {
                    gone.set(first + row);
                }
            }
        }
        return Optional.of(new LiveRows(gone.cardinality() == 0 ? null : gone, rowTotal));
    }

    /** Returns whether all valid rows of a block are dead. */
    boolean isDead(int section, int block) {
        if (dead.length == 0) {
            return false;
        }
        int from = firstRow(section, block);
        int to = endRow(section, block);
        int number = run.sections().get(section).firstBlock() + block;
        return dead[number].count(from, to) == to - from;
    }

    /**
     * Returns the rows of a block, by its number in the run, that newer runs replace or remove with
     * their group.
     */
    public DeadRows replaced(int block) {
        return replaced.length == 0 ? DeadRows.NONE : replaced[block];
    }

    /** Returns the dead rows of a block: replaced rows and tombstones. */
    DeadRows dead(int block) {
        return dead.length == 0 ? DeadRows.NONE : dead[block];
    }

    /**
     * Returns why the replaced rows of a block are unknown; empty if they are known.
     *
     * @param block its number in the run
     */
    public Optional<CorruptRunException> unknown(int block) {
        // There are almost never any, and this is asked for each block.
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.ofNullable(unknown.get(block)).map(CorruptRunException::new);
    }

    /** Returns whether the replaced rows of a valid block are unknown. */
    public boolean hasUnknown() {
        return unknown.keySet().stream().anyMatch(this::counts);
    }

    private boolean counts(int block) {
        for (int i = 0; i < valid.length; i++) {
            int first = run.sections().get(i).firstBlock();
            if (block >= first + firstBlock(i) && block < first + endBlock(i)) {
                return true;
            }
        }
        return false;
    }

    /** Returns the number of valid rows, including dead ones. */
    long rowCount() {
        return rowCount;
    }

    /** Returns the number of valid rows that are live documents. */
    long liveRowCount() {
        return liveRowCount;
    }

    /** Returns the number of valid rows that newer runs replace or remove with their group. */
    public long replacedRowCount() {
        return replacedRowCount;
    }

    /** Returns the size of the blocks with valid rows, in bytes. */
    public long byteCount() {
        return byteCount;
    }

    /**
     * Returns the version of the document with {@code key} in this part, {@link #isReplaced
     * replaced} or not.
     *
     * @param reads counts the bytes read from the device for the search and the row
     */
    Optional<Run.StoredRow> find(RowKey key, ReadContext reads) {
        return places.contains(key.place()) ? run.find(key, reads) : Optional.empty();
    }

    /** Returns whether newer runs replace a row, or remove it with its group. */
    boolean isReplaced(Run.StoredRow replacement) {
        return replaced(RunLayout.block(replacement.address())).has(replacement.index());
    }

    /** Returns whether the replaced rows of the block of a row are unknown. */
    boolean isUnknown(Run.StoredRow candidate) {
        return unknown.containsKey(RunLayout.block(candidate.address()));
    }

    /**
     * Returns the time at which this run removed the group of {@code key} from older runs; empty if
     * it did not.
     */
    OptionalLong groupRemoval(RowKey key) {
        if (run.groupTombstones().isEmpty() || !places.contains(key.place())) {
            return OptionalLong.empty();
        }
        int index = run.groupTombstones().find(key);
        return index < 0
                ? OptionalLong.empty()
                : OptionalLong.of(run.groupTombstones().timestamp(index));
    }

    /**
     * Finds the rows of a group, dead or not, of each version of the type.
     *
     * @param unreadable receives the blocks, by their number in the run, whose rows cannot be
     *     determined
     */
    void forEachRange(
            String documentType,
            KeyBounds group,
            Consumer<AddressRange> action,
            ObjIntConsumer<CorruptRunException> unreadable) {
        if (!places.contains(group.place())) {
            return;
        }
        run.lost()
                .rows()
                .ifPresent(reason ->
                        unreadable.accept(new CorruptRunException(reason), RunLayout.ANY_BLOCK));
        for (RunSection section : run.sections()) {
            if (section.type().name().equals(documentType)) {
                section.forEachRange(group, action, unreadable);
            }
        }
    }

    /**
     * Returns whether there is a row of a group, dead or not.
     *
     * @throws CorruptRunException if the keys cannot be read
     */
    public boolean hasRows(String documentType, KeyBounds group) {
        if (!places.contains(group.place())) {
            return false;
        }
        run.checkRows();
        return run.sections().stream()
                .anyMatch(section ->
                        section.type().name().equals(documentType)
                                && !section.rows(group).isEmpty());
    }

    /**
     * Returns whether there is a row, dead or not, of the document of a row of {@code keys}.
     *
     * @throws CorruptRunException if the keys cannot be read
     */
    public boolean has(String documentType, KeyColumn keys, int row) {
        return places.contains(keys.place(row)) && run.has(documentType, keys, row);
    }
}
