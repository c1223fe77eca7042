package org.crabro.content.storage.run;

import static org.crabro.content.storage.layout.BlockLayout.INT;
import static org.crabro.content.storage.layout.BlockLayout.LONG;
import static org.crabro.content.storage.layout.BlockLayout.SHORT;

import java.lang.foreign.MemorySegment;
import java.lang.ref.SoftReference;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ObjIntConsumer;
import org.crabro.content.storage.block.BlockMarks;
import org.crabro.content.storage.block.BlockOrigin;
import org.crabro.content.storage.block.BlockSizeEstimate;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.SharedBlock;
import org.crabro.content.storage.block.key.GroupColumn;
import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.content.storage.block.key.KeyColumn;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.block.key.RowRange;
import org.crabro.content.storage.dead.BlockIndex;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CheckedBits;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.Extents;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.RunBytes;
import org.crabro.content.storage.graph.GraphSources;
import org.crabro.content.storage.graph.SectionGraphs;
import org.crabro.content.storage.graph.StoredGraph;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.document.DocumentType;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one document type in a run, as the sparse index describes them. Blocks are numbered
 * from 0 here; in the run, their numbers start at {@link #firstBlock()}.
 *
 * <p>The entries of the index say which blocks can be skipped.
 */
public final class RunSection implements BlockIndex, SectionRows {
    /**
     * The number of cached blocks, a few KB each: enough for a large group. All of them are freed
     * before the heap is exhausted.
     */
    static final int KEPT_MAX = 256;

    /** The same for a section with indexes, which lead each query to blocks anywhere in it. */
    private static final int INDEXED_KEPT_MAX = 4_096;

    private final RunBytes run;
    private final DocumentType type;
    private final long fingerprint;
    private final int firstBlock;
    private final MemorySegment extents;
    private final KeyColumn firstKeys;
    private final CheckedBits parts;
    private final CheckedBits pages;

    /** The last opened blocks, each at the slot of its number. */
    private volatile SoftReference<@Nullable CachedBlock[]> cachedBlocks;

    private volatile @Nullable TokenPresence tokenPresence;

    /** The number of the first row of each block, and of the end; null until it is needed. */
    private volatile int @Nullable [] firstRows;

    private volatile @Nullable BlockSizeEstimate typical;

    /**
     * The last block that was opened for the first time: the next one nearly always has the same
     * layout.
     */
    private volatile @Nullable SharedBlock last;

    /** The newest index of the rows; null if there is none. */
    private volatile @Nullable SectionIndex index;

    /** The newest graphs of the rows. */
    private volatile SectionGraphs graphs = SectionGraphs.NONE;

    /** Graphs that those of the rows can be made from. Guarded by {@link #indexes}. */
    private GraphSources sources = GraphSources.NONE;

    /**
     * All indexes and graphs that this ever had: searches may still read older ones. Guarded by
     * itself.
     */
    private final List<Runnable> indexes = new ArrayList<>();

    /** A cached block and its number. */
    private record CachedBlock(int block, SharedBlock shared) {}

    /** Whether tokens of {@code texts} are missing. */
    private record TokenPresence(SearchedTexts texts, boolean isLacking) {}

    /**
     * The index of the blocks of a section. It is in memory and not in the mapping of the file, so
     * that a search for blocks never reads the device.
     *
     * @param firstBlock the number of the first block in the run
     * @param extents offset, length and row count of each block, see {@link RunLayout}
     * @param firstKeys the key of the first row of each block
     */
    record Index(int firstBlock, MemorySegment extents, KeyColumn firstKeys) {}

    /**
     * @param run the file
     * @param pages the checked pages of the file's blocks
     */
    RunSection(RunBytes run, DocumentType type, long fingerprint, Index index, CheckedBits pages) {
        this.run = run;
        this.type = type;
        this.fingerprint = fingerprint;
        this.firstBlock = index.firstBlock;
        this.extents = index.extents;
        this.firstKeys = index.firstKeys;
        this.parts = new CheckedBits((long) firstKeys.rows() * BlockMarks.parts(type));
        this.pages = pages;
        this.cachedBlocks = new SoftReference<>(null);
    }

    @Override
    public DocumentType type() {
        return type;
    }

    /** Returns the index of the rows, if there is one. It is valid as long as the rows are. */
    public Optional<SectionIndex> index() {
        return Optional.ofNullable(index);
    }

    /** Sets the index of the rows; it is closed when they are unmapped. */
    public void attach(SectionIndex made) {
        synchronized (indexes) {
            indexes.add(made::close);
        }
        index = made;
        // More blocks are cached from now on.
        cachedBlocks = new SoftReference<>(null);
    }

    /** Returns the graphs of the rows. They are valid as long as the rows are. */
    public SectionGraphs graphs() {
        return graphs;
    }

    /** Sets the graphs of a field; they are closed when the rows are unmapped. */
    public void attach(String field, StoredGraph made) {
        synchronized (indexes) {
            indexes.add(made::close);
            graphs = graphs.with(field, made);
        }
        cachedBlocks = new SoftReference<>(null);
    }

    /**
     * Returns the graphs of the rows that were merged into these. They are valid until {@link
     * #dropSources}, and as long as the rows are.
     */
    public GraphSources sources() {
        synchronized (indexes) {
            return sources;
        }
    }

    /** Sets the graphs of the rows that were merged into these; called at most once. */
    public void keepSources(GraphSources merged) {
        synchronized (indexes) {
            sources = merged;
        }
    }

    /** Closes the graphs of the rows that were merged into these, which are not used any more. */
    public void dropSources() {
        synchronized (indexes) {
            sources.close();
            sources = GraphSources.NONE;
        }
    }

    /** Closes the indexes and graphs. */
    void closeIndexes() {
        dropSources();
        synchronized (indexes) {
            indexes.forEach(Runnable::run);
        }
    }

    public int firstBlock() {
        return firstBlock;
    }

    @Override
    public int blockCount() {
        return firstKeys.rows();
    }

    @Override
    public int rowCount(int block) {
        return Short.toUnsignedInt(extents.get(SHORT, extent(block) + RunLayout.EXTENT_ROWS));
    }

    /** Returns the number of the first row of a block in the section. */
    public int firstRow(int block) {
        return firstRows()[block];
    }

    @Override
    public int rowTotal() {
        return firstRow(blockCount());
    }

    /** Returns the block of a row of the section. No block is empty. */
    int blockOf(int row) {
        int block = Arrays.binarySearch(firstRows(), row);
        return block < 0 ? -block - 2 : block;
    }

    private int[] firstRows() {
        int[] all = firstRows;
        if (all == null) {
            all = new int[blockCount() + 1];
            for (int i = 0; i < blockCount(); i++) {
                all[i + 1] = all[i] + rowCount(i);
            }
            firstRows = all;
        }
        return all;
    }

    /** Returns whether a block has rows of several groups. */
    public boolean hasSeveralGroups(int block) {
        return hasFlag(block, RunLayout.SEVERAL_GROUPS);
    }

    /** Returns whether the previous block has rows of the first group of a block. */
    public boolean goesOn(int block) {
        return hasFlag(block, RunLayout.GROUP_GOES_ON);
    }

    private boolean hasFlag(int block, int flag) {
        return (extents.get(SHORT, extent(block) + RunLayout.EXTENT_FLAGS) & flag) != 0;
    }

    /** Returns the size of a block in bytes. */
    public int byteCount(int block) {
        return extents.get(INT, extent(block) + RunLayout.EXTENT_LENGTH);
    }

    /** Returns the place of the first row of a block. */
    public long firstPlace(int block) {
        return firstKeys.place(block);
    }

    /** Returns the address in the run of the first row whose place is not below {@code place}. */
    public long firstNotBelow(long place) {
        int block = firstKeys.firstNotBelow(place);
        if (block == 0) {
            return RunLayout.address(firstBlock, 0);
        }
        int row = block(block - 1).groups().firstNotBelow(place);
        return row == rowCount(block - 1)
                ? RunLayout.address(firstBlock + block, 0)
                : RunLayout.address(firstBlock + block - 1, row);
    }

    /** Returns the address in the run of the first row whose place is above {@code place}. */
    public long firstAbove(long place) {
        return place == RunEntry.LAST
                ? RunLayout.address(firstBlock + blockCount(), 0)
                : firstNotBelow(place + 1);
    }

    /** Returns the offset of a block in the file. */
    public long offset(int block) {
        return extents.get(LONG, extent(block) + RunLayout.EXTENT_OFFSET);
    }

    @Override
    public KeyColumn firstKeys() {
        return firstKeys;
    }

    public long fingerprint() {
        return fingerprint;
    }

    /**
     * Returns a block.
     *
     * @throws CorruptRunException if the block's header is damaged
     */
    @Override
    public EncodedBlock block(int block) {
        return block(block, new ReadContext());
    }

    /**
     * @param reads counts the bytes read from the device
     * @throws CorruptRunException if the block's header is damaged
     */
    EncodedBlock block(int block, ReadContext reads) {
        if (!isKept(block)) {
            var header = new Extents();
            addHeader(block, header);
            run.load(header, reads);
        }
        return open(block, reads, false);
    }

    /** Returns whether a block can be opened without reading its header. */
    boolean isKept(int block) {
        return cachedBlock(block) != null;
    }

    private @Nullable SharedBlock cachedBlock(int block) {
        @Nullable CachedBlock[] all = cachedBlocks.get();
        CachedBlock at = all == null ? null : all[block % all.length];
        return at == null || at.block() != block ? null : at.shared();
    }

    private void keep(int block, SharedBlock shared) {
        @Nullable CachedBlock[] all = cachedBlocks.get();
        if (all == null) {
            int most = index == null && graphs.isEmpty() ? KEPT_MAX : INDEXED_KEPT_MAX;
            all = new CachedBlock[Math.min(most, firstKeys.rows())];
            cachedBlocks = new SoftReference<>(all);
        }
        all[block % all.length] = new CachedBlock(block, shared);
    }

    /**
     * Returns a block whose header is in memory, unless it {@linkplain #isKept is cached}.
     *
     * @param isBrought whether all of it is in memory
     * @throws CorruptRunException if the block's header is damaged
     */
    EncodedBlock open(int block, ReadContext reads, boolean isBrought) {
        SharedBlock cached = cachedBlock(block);
        EncodedBlock opened =
                EncodedBlock.open(cached == null ? sharedBlock(block) : cached, reads, isBrought);
        if (typical == null) {
            typical = BlockSizeEstimate.of(opened);
        }
        return opened;
    }

    private SharedBlock sharedBlock(int block) {
        long offset = offset(block);
        int firstPage = BlockMarks.firstPage(offset, firstBlock + block);
        var marks = new BlockMarks(parts, block * BlockMarks.parts(type), pages, firstPage);
        SharedBlock shared =
                EncodedBlock.shared(
                        run.bytes().asSlice(offset, byteCount(block)),
                        type,
                        fingerprint,
                        rowCount(block),
                        BlockOrigin.file(run, offset, type, marks),
                        last);
        last = shared;
        keep(block, shared);
        return shared;
    }

    /**
     * Returns the share of a block's bytes in {@code parts}, estimated from an opened block; 0 if
     * no block was opened yet.
     */
    double share(BlockProjection parts) {
        BlockSizeEstimate estimate = typical;
        return estimate == null ? 0 : estimate.share(parts);
    }

    /**
     * Returns whether searches have to tokenise texts. The first block decides, because all were
     * written at once. It is read once, and again when texts are searched differently: callers that
     * poll every few seconds must not keep its pages in memory.
     *
     * @throws CorruptRunException if the block is damaged
     */
    public boolean lacksTokens(SearchedTexts texts) {
        if (texts.analyses().isEmpty()) {
            return false;
        }
        TokenPresence presence = tokenPresence;
        if (presence == null || !presence.texts().equals(texts)) {
            presence = new TokenPresence(texts, block(0).lacksTokens(texts));
            tokenPresence = presence;
        }
        return presence.isLacking();
    }

    /**
     * Loads {@code extents}.
     *
     * @throws CorruptRunException if they cannot be read
     */
    void load(Extents extents, ReadContext reads) {
        run.load(extents, reads);
    }

    @Override
    public boolean isInside(int block, KeyBounds bounds) {
        return bounds.isEverything() || (!hasSeveralGroups(block) && isFirstKeyIn(block, bounds));
    }

    private boolean isFirstKeyIn(int block, KeyBounds bounds) {
        GroupColumn groups = firstKeys.groups();
        return bounds.compare(groups, groups.groupOf(block)) == 0;
    }

    /** Adds the extent of the header of a block. */
    void addHeader(int block, Extents into) {
        into.add(offset(block), headerEnd(block));
    }

    /** Returns the end in the file of the longest header that the block may have. */
    long headerEnd(int block) {
        long offset = offset(block);
        int length = byteCount(block);
        int pages = BlockLayout.pages(offset, length);
        return offset + Math.min(length, BlockLayout.headerSize(BlockMarks.chunksMax(type), pages));
    }

    /** Returns the only block that may have {@code key}, or -1. */
    int lastNotBehind(RowKey key) {
        int block = firstKeys.firstNotBefore(0, key);
        boolean isFirst = block < blockCount() && firstKeys.compare(block, key) == 0;
        return isFirst ? block : block - 1;
    }

    /**
     * Returns the only block, from {@code from} on, that may have the key of a row of {@code
     * younger}, or -1.
     */
    int lastNotBehind(int from, KeyColumn younger, int row) {
        int block = firstKeys.firstNotBefore(from, younger, row);
        boolean isFirst = block < blockCount() && firstKeys.compare(block, younger, row) == 0;
        return isFirst ? block : block - 1;
    }

    /**
     * Returns the rows of a group in the run. Reads the groups of at most two blocks, and none if
     * the index suffices.
     *
     * @throws CorruptRunException if they are damaged
     */
    AddressRange rows(KeyBounds group) {
        int first = from(group);
        int last = to(group) - 1;
        while (first <= last) {
            int from = rowsIn(first, group).from();
            if (from < rowCount(first)) {
                int to = first == last ? rowsIn(first, group).to() : rowsIn(last, group).to();
                return first == last && from == to
                        ? AddressRange.NONE
                        : new AddressRange(
                                RunLayout.address(firstBlock + first, from),
                                RunLayout.address(firstBlock + last, to));
            }
            first++;
        }
        return AddressRange.NONE;
    }

    /**
     * Finds the rows of a group if some keys may be unreadable: ranges of rows, and the numbers of
     * the blocks whose rows cannot be determined.
     */
    void forEachRange(
            KeyBounds group,
            Consumer<AddressRange> action,
            ObjIntConsumer<CorruptRunException> unreadable) {
        try {
            AddressRange rows = rows(group);
            if (!rows.isEmpty()) {
                action.accept(rows);
            }
        } catch (CorruptRunException _) {
            forEachRangeOfABlock(group, action, unreadable);
        }
    }

    private void forEachRangeOfABlock(
            KeyBounds group,
            Consumer<AddressRange> action,
            ObjIntConsumer<CorruptRunException> unreadable) {
        for (int block = from(group); block < to(group); block++) {
            int number = firstBlock + block;
            try {
                RowRange rows = rowsIn(block, group);
                if (rows.from() < rows.to()) {
                    action.accept(
                            new AddressRange(
                                    RunLayout.address(number, rows.from()),
                                    RunLayout.address(number, rows.to())));
                }
            } catch (CorruptRunException e) {
                unreadable.accept(e, number);
            }
        }
    }

    private RowRange rowsIn(int block, KeyBounds group) {
        return isInside(block, group)
                ? new RowRange(0, rowCount(block))
                : block(block).rowsIn(group);
    }

    /** Returns the first block that may have rows of the range. */
    int from(KeyBounds bounds) {
        int first = firstKeys.groups().rowsIn(bounds).from();
        if (first == 0 || !hasSeveralGroups(first - 1)) {
            // All rows of the previous block are of an earlier group.
            return first;
        }
        boolean isWhole = first < blockCount() && isFirstKeyIn(first, bounds) && !goesOn(first);
        return isWhole ? first : first - 1;
    }

    /** Returns the end of the blocks that may have rows of the range, exclusive. */
    int to(KeyBounds bounds) {
        return firstKeys.groups().rowsIn(bounds).to();
    }

    private static long extent(int block) {
        return (long) block * RunLayout.EXTENT_SIZE;
    }
}
