package org.crabro.content.storage.run;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.ValueBudget;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.dead.GroupTombstones;
import org.crabro.content.storage.dead.RemovedRows;
import org.crabro.content.storage.dead.SupersededRows;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.ReferenceCount;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.protocol.encoding.Row;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One mapped file of a partition's log. Reference-counted: the last release unmaps it. */
public final class Run {
    private static final Logger LOG = LoggerFactory.getLogger(Run.class);

    private final RunEntry entry;
    private final Arena arena;
    private final String file;
    private final RunContents contents;
    private final int blockCount;
    // Created at first use; threads that race create equal ones.
    private @Nullable RunFilter filter;
    private boolean isFilterDamaged;
    private final DamageRegister damage;
    private final ReferenceCount holders = new ReferenceCount();

    private Run(RunEntry entry, RunBytes bytes, Arena arena, StoredTypes types) {
        this.contents = RunContents.read(bytes, entry, types, arena);
        this.entry = entry;
        this.damage = bytes.damage();
        this.file = bytes.file();
        this.arena = arena;
        this.blockCount = contents.blockCount();
    }

    /**
     * Maps a run, with one reference for the caller.
     *
     * @param entry the run's entry in the manifest
     * @throws CorruptRunException if the file is intact, and this program cannot read it. Damaged
     *     parts are {@linkplain #lost lost} instead
     */
    public static Run open(
            LogFiles files, String file, RunEntry entry, StoredTypes types, DamageRegister damage)
            throws IOException {
        Arena arena = Arena.ofShared();
        boolean isOpen = false;
        try {
            var bytes = new RunBytes(file, files.map(file, arena), files.residency(), damage);
            var run = new Run(entry, bytes, arena, types);
            isOpen = true;
            return run;
        } finally {
            if (!isOpen) {
                arena.close();
            }
        }
    }

    public long number() {
        return entry.number();
    }

    /** Returns the parts that could not be read when this was opened. */
    public LostParts lost() {
        return contents.lost();
    }

    /** Returns the path of the file, in the data directory. */
    public String file() {
        return file;
    }

    /** Returns the length of the file in bytes. */
    long byteCount() {
        return entry.byteCount();
    }

    /** Returns the sections of the run, one per type; empty if its rows are lost. */
    public List<RunSection> sections() {
        return contents.sections();
    }

    int blockCount() {
        return blockCount;
    }

    /** Returns the section of the block with number {@code block}. */
    public RunSection sectionOf(int block) {
        for (RunSection section : sections()) {
            if (block < section.firstBlock() + section.blockCount()) {
                return section;
            }
        }
        throw new IllegalArgumentException("%s has no block %d".formatted(file, block));
    }

    /** Returns whether the run has these rows, all of one type. */
    boolean has(AddressRange rows) {
        int first = rows.firstBlock();
        int last = rows.lastBlock();
        if (first < 0 || first > last || last >= blockCount) {
            return false;
        }
        RunSection section = sectionOf(first);
        int from = RunLayout.row(rows.from());
        int to = RunLayout.row(rows.to());
        return last < section.firstBlock() + section.blockCount()
                && from >= 0
                && from < section.rowCount(first - section.firstBlock())
                && to > (first == last ? from : 0)
                && to <= section.rowCount(last - section.firstBlock());
    }

    /** Returns the tombstones of each block, or an empty array; not to be modified. */
    public DeadRows[] tombstones() {
        return contents.tombstones();
    }

    long tombstoneCount() {
        return contents.tombstoneCount();
    }

    /** Returns the rows of older runs that the rows of this run replace. */
    public SupersededRows superseded() {
        return contents.superseded();
    }

    /** Returns the groups that this run removes from older ones. */
    public GroupTombstones groupTombstones() {
        return contents.groupTombstones();
    }

    /** Returns the rows of older runs that are removed with their group. */
    public RemovedRows removed() {
        return contents.removed();
    }

    /**
     * Returns whether a document may be in this run. For most documents that are not in it, this
     * returns false. It returns true if the filter cannot be read, because the filter only saves
     * reading keys.
     *
     * @param hash from {@link RunFilter#hash}
     * @param reads counts the bytes read from the device
     */
    boolean mayHave(long hash, ReadContext reads) {
        return mayHave(new long[] {hash}, 1, new int[1], reads) > 0;
    }

    /**
     * Finds the documents that may be in this run.
     *
     * @param hashes of {@code count} documents
     * @param rows receives the ascending indexes of the documents that may be in this run
     * @return the number of these documents
     */
    int mayHave(long[] hashes, int count, int[] rows, ReadContext reads) {
        try {
            RunFilter cached = filter;
            if (cached == null && !isFilterDamaged && contents.reader().isPresent()) {
                cached = contents.reader().get().filter(reads);
                filter = cached;
            }
            if (cached != null) {
                return cached.mayHave(hashes, count, rows, reads);
            }
        } catch (CorruptRunException e) {
            isFilterDamaged = true;
            filter = null;
            damage.add(e.damage());
            LOG.error("A run is searched without its filter, which cannot be read", e);
        }
        for (int i = 0; i < count; i++) {
            rows[i] = i;
        }
        return count;
    }

    /**
     * @throws CorruptRunException if the rows are lost
     */
    void checkRows() {
        Optional<Damage> reason = lost().rows();
        if (reason.isPresent()) {
            throw new CorruptRunException(reason.get());
        }
    }

    /**
     * Checks the data about rows of older runs again, before a merge copies it.
     *
     * @throws CorruptRunException if it is damaged
     */
    public void checkOlder() {
        contents.reader()
                .ifPresent(reader -> {
                    reader.superseded();
                    reader.removed();
                });
    }

    /** A row and its block. */
    public record StoredRow(EncodedBlock block, int index, long address) {
        public Row row(ValueBudget room) {
            return block.only(index, index + 1).row(index, room);
        }
    }

    /**
     * Returns the version of the document with {@code key} in this run.
     *
     * @param reads counts the bytes read from the device for the search and the row
     * @throws CorruptRunException if the rows are lost and the filter does not exclude the document
     */
    public Optional<StoredRow> find(RowKey key, ReadContext reads) {
        if (!mayHave(RunFilter.hash(key.place(), key.document()), reads)) {
            return Optional.empty();
        }
        checkRows();
        for (RunSection section : sections()) {
            if (!section.type().name().equals(key.id().documentType())) {
                continue;
            }
            int block = section.lastNotBehind(key);
            if (block >= 0) {
                EncodedBlock encoded = section.block(block, reads);
                int row = encoded.find(key);
                if (row >= 0) {
                    long address = RunLayout.address(section.firstBlock() + block, row);
                    return Optional.of(new StoredRow(encoded, row, address));
                }
            }
        }
        return Optional.empty();
    }

    /** Returns whether the document of a row of {@code keys}, of one type, is in this run. */
    boolean has(String documentType, KeyColumn keys, int row) {
        if (!mayHave(RunFilter.hash(keys.place(row), keys.document(row)), new ReadContext())) {
            return false;
        }
        checkRows();
        for (RunSection section : sections()) {
            if (section.type().name().equals(documentType)) {
                int block = section.lastNotBehind(0, keys, row);
                if (block >= 0 && section.block(block).keys().has(keys, row)) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Returns the lowest timestamp of a tombstone in microseconds since the epoch, or {@link
     * Long#MAX_VALUE} if there is none.
     */
    public long firstRemoval() {
        return contents.firstRemoval();
    }

    /** Adds a reference; only for threads that already have one. */
    void hold() {
        holders.hold();
    }

    /** Removes a reference; the last release unmaps the run. */
    public void release() {
        if (holders.release()) {
            sections().forEach(RunSection::closeIndexes);
            arena.close();
        }
    }
}
