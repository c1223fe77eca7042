package org.crabro.content.match;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.crabro.content.block.Block;
import org.crabro.content.block.column.Column;
import org.crabro.content.block.token.TokenDictionary;
import org.crabro.content.block.token.TokenNumbers;
import org.crabro.content.layout.NumberBounds;
import org.crabro.content.match.cache.BlockCaches;
import org.crabro.content.match.cache.CachedVectors;
import org.crabro.content.match.cache.Postings;
import org.crabro.content.match.text.TextMatcher;
import org.crabro.content.match.text.TextOccurrences;
import org.crabro.content.match.text.TextPredicate;
import org.crabro.content.query.QueryFields;
import org.crabro.content.query.WorkMeter;
import org.crabro.content.read.BlockSlice;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread is in its scan: the block it has open, the columns it has touched, what it has
 * found in the texts, and the memory that it uses again for every block.
 */
public final class BlockScan {
    /** Blocks whose vectors are quantized in a pass: it is not to take much longer than others. */
    private static final int QUANTIZED_MAX = 2;

    private final Matcher matcher;
    private final List<Field> fields;
    private final List<BlockSlice> slices;
    private List<NearestRows> selections;
    private final TextHitsCache texts;
    private final BlockCaches kept;
    private final List<Optional<Column>> columns = new ArrayList<>();
    private final boolean[] touched;
    private final List<Optional<MemorySegment>> lengths = new ArrayList<>();
    private final boolean[] touchedLengths;
    private final boolean[] written;
    // Made when first asked for.
    private final @Nullable TextHits[] textHits;
    private final @Nullable TextPositions[] textPositions;
    private final List<TextMatcher> textMatchers = new ArrayList<>();
    private final ScanMemory memory;
    private final WorkMeter work = new WorkMeter();
    private @Nullable BlockSlice slice;

    /** Of which {@link #written} tells. */
    private @Nullable DocumentType lastType;

    private int index = -1;
    private long bytes;
    private boolean looksAtHeadersOnly;

    /** Blocks whose vectors this has quantized. */
    private int quantized;

    /** Rows of the slices that were opened in this pass, with those of the last. */
    private long openedRows;

    private boolean isOpen;

    /** A scan with memory of its own. */
    public BlockScan(
            Matcher matcher,
            QueryFields fields,
            List<BlockSlice> slices,
            List<NearestRows> selections,
            TextHitsCache texts,
            BlockCaches kept) {
        this(matcher, fields, slices, selections, new ScanCaches(texts, kept, new ScanMemory()));
    }

    /**
     * @param fields all that the query reads
     * @param slices what is searched
     * @param selections the rows that each of {@link Matcher#nearest()} selected; none while they
     *     are being looked for
     * @param caches whose memory no other scan uses at the same time
     */
    public BlockScan(
            Matcher matcher,
            QueryFields fields,
            List<BlockSlice> slices,
            List<NearestRows> selections,
            ScanCaches caches) {
        this.memory = caches.memory();
        this.matcher = matcher;
        this.fields = fields.all();
        this.slices = slices;
        this.selections = selections;
        this.texts = caches.texts();
        this.kept = caches.blocks();
        this.touched = new boolean[this.fields.size()];
        this.touchedLengths = new boolean[this.fields.size()];
        this.written = new boolean[this.fields.size()];
        this.columns.addAll(Collections.nCopies(this.fields.size(), Optional.empty()));
        this.lengths.addAll(Collections.nCopies(this.fields.size(), Optional.empty()));
        this.textHits = new @Nullable TextHits[matcher.textScans().size()];
        this.textPositions = new @Nullable TextPositions[matcher.textScans().size()];
        for (TextPredicate predicate : matcher.textPredicates()) {
            textMatchers.add(new TextMatcher(predicate, work));
        }
    }

    /**
     * Returns this for another pass over the same slices: nothing is open, and no bytes were
     * touched.
     *
     * @param others as the constructor's
     */
    public BlockScan again(List<NearestRows> others) {
        selections = others;
        slice = null;
        index = -1;
        bytes = 0;
        quantized = 0;
        openedRows = 0;
        isOpen = false;
        looksAtHeadersOnly = false;
        return this;
    }

    /** Goes to a slice, by its index. */
    public void open(int sliceIndex) {
        go(sliceIndex);
        isOpen = true;
        BlockSlice opened = slice();
        openedRows += opened.to() - opened.from();
        memory.reserve(opened.to() - opened.from());
    }

    /** Returns how many rows the slices have that were opened before this one, in this pass. */
    long rowsBefore() {
        return openedRows - (slice().to() - slice().from());
    }

    private void go(int sliceIndex) {
        isOpen = false;
        BlockSlice opened = slices.get(sliceIndex);
        slice = opened;
        index = sliceIndex;
        Arrays.fill(touched, false);
        Arrays.fill(touchedLengths, false);
        for (int i = 0; i < textHits.length; i++) {
            TextHits hits = textHits[i];
            if (hits != null) {
                open(hits, i);
            }
        }
    }

    private void open(TextHits hits, int scanned) {
        BlockSlice opened = slice();
        hits.open(
                opened.from(),
                opened.to() - opened.from(),
                texts.found(index, scanned),
                texts.tokens(index, scanned));
    }

    /**
     * Returns whether rows of a slice may match, as far as the header of its block tells. From then
     * on this is of no other use until it is used {@link #again}: it has no slice open.
     */
    public boolean mayMatch(int sliceIndex) {
        slice = slices.get(sliceIndex);
        index = sliceIndex;
        looksAtHeadersOnly = true;
        return canMatch();
    }

    /**
     * Returns whether rows of a slice may match, as {@link #canMatch()} tells. The slice is open
     * for nothing else.
     */
    public boolean canMatch(int sliceIndex) {
        go(sliceIndex);
        return canMatch();
    }

    /** Returns whether a slice is open to be searched, and not just to see whether it may match. */
    boolean isOpen() {
        return isOpen;
    }

    boolean looksAtHeadersOnly() {
        return looksAtHeadersOnly;
    }

    /** Keeps what was found in the texts of the open slice for later passes. Then it is left. */
    public void keepTexts() {
        var found = new @Nullable TextOccurrences[textHits.length];
        var tokens = new int[found.length][];
        for (int i = 0; i < found.length; i++) {
            TextHits hits = textHits[i];
            tokens[i] = hits == null ? TextHits.NO_TOKENS : hits.tokens();
            found[i] = hits == null ? null : hits.give();
        }
        texts.keep(index, found, tokens);
        slice = null;
    }

    /** Returns what the thread's work is counted by. */
    public WorkMeter work() {
        return work;
    }

    /** Returns the memory, for who uses it when this is not used any more. */
    public ScanMemory memory() {
        return memory;
    }

    /** Returns the slice that is open. */
    public BlockSlice slice() {
        if (slice == null) {
            throw new IllegalStateException("no slice is open");
        }
        return slice;
    }

    /** Returns the index of the slice that is open. */
    public int index() {
        return index;
    }

    /**
     * Returns the array for the row numbers of the open slice, long enough for all of them. It is
     * the same one until the next slice is opened.
     */
    public int[] rows() {
        return memory.rows();
    }

    /** Writes the live rows of the open slice to {@link #rows()} and returns how many there are. */
    public int live() {
        BlockSlice open = slice();
        return open.dead().live(open.from(), open.to(), rows());
    }

    /**
     * Returns whether rows of the open block may match, as far as bounds of numbers, dictionaries
     * and what is selected tell: no column is read.
     */
    public boolean canMatch() {
        return matcher.root().canMatch(this);
    }

    /**
     * Writes the rows of the open slice that match to {@link #rows()} and returns how many there
     * are.
     */
    public int match() {
        int led = matcher.root().lead(this, rows());
        return matcher.root().narrow(this, rows(), led < 0 ? live() : led);
    }

    /**
     * Returns whether the block has a field as it is now. Looked up once for blocks that follow
     * each other and are of one type, as nearly all are.
     */
    @SuppressWarnings("ReferenceEquality") // Blocks of a run hold the same object.
    private boolean isWrittenAs(int field) {
        DocumentType type = slice().block().documentType();
        if (type != lastType) {
            lastType = type;
            for (int i = 0; i < written.length; i++) {
                written[i] = TypedColumns.isWrittenAs(type, fields.get(i));
            }
        }
        return written[field];
    }

    /** Returns the open block's column of a field, by {@link QueryFields}. */
    public Optional<Column> column(int field) {
        if (!touched[field]) {
            BlockSlice open = slice();
            Optional<Column> column =
                    isWrittenAs(field)
                            ? open.block().column(fields.get(field).name())
                            : TypedColumns.column(open.block(), fields.get(field));
            touched[field] = true;
            columns.set(field, column);
            if (column.isPresent()) {
                addPartOf(column.get().byteSize());
            }
        }
        return columns.get(field);
    }

    /** Returns the inverse lengths of a field's vectors in the open block, where they are kept. */
    Optional<MemorySegment> inverseLengths(int field) {
        if (!touchedLengths[field]) {
            Optional<MemorySegment> found =
                    isWrittenAs(field)
                            ? slice().block().inverseLengths(fields.get(field).name())
                            : Optional.empty();
            touchedLengths[field] = true;
            lengths.set(field, found);
            if (found.isPresent()) {
                addPartOf(found.get().byteSize());
            }
        }
        return lengths.get(field);
    }

    /** Returns the different words of a field in the open block, where they are kept. */
    Optional<TokenDictionary> tokenDictionary(int field) {
        return isWrittenAs(field)
                ? slice().block().tokenDictionary(fields.get(field).name())
                : Optional.empty();
    }

    /** Returns the words of a field in the open block, which has a dictionary of them. */
    TokenNumbers tokenNumbers(int field) {
        BlockSlice open = slice();
        TokenNumbers numbers =
                open.block()
                        .tokenNumbers(fields.get(field).name())
                        .orElseThrow(
                                () -> new IllegalStateException("a dictionary without numbers"));
        addPartOf(numbers.byteSize());
        return numbers;
    }

    /** Returns in which rows of the open block each word of a field stands, where that is kept. */
    @Nullable Postings postings(int field, TokenDictionary dictionary, TokenNumbers numbers) {
        return kept.postings().of(slice().block(), fields.get(field).name(), dictionary, numbers);
    }

    /**
     * Lends the quantized vectors of a field of the open block, which holds {@code column} of it;
     * nothing where they are not kept, or of no use: as of a block of which only a few rows are in
     * scope, since all are quantized.
     */
    @Nullable CachedVectors vectors(int field, Column column) {
        BlockSlice open = slice();
        Block block = open.block();
        if (open.to() - open.from() < block.rowCount() / 2
                || !isWrittenAs(field)
                || !CachedVectors.areWorthIt(column)) {
            return null;
        }
        String name = fields.get(field).name();
        return kept.vectors()
                .of(
                        block,
                        name,
                        partOf(column.byteSize()),
                        quantized < QUANTIZED_MAX,
                        () -> {
                            quantized++;
                            return CachedVectors.of(column, block.rowCount());
                        });
    }

    /** Returns between which numbers the values of a field lie in the open block. */
    Optional<NumberBounds> bounds(int field) {
        return isWrittenAs(field)
                ? slice().block().bounds(fields.get(field).name())
                : Optional.empty();
    }

    /** Notes that texts of the open slice were tokenised. */
    void setTokenized() {
        texts.setTokenized(index);
    }

    /** Counts bytes of the open block that were read whole. */
    void addBytes(long size) {
        bytes += size;
    }

    private void addPartOf(long size) {
        bytes += partOf(size);
    }

    /** Returns how much of the bytes of a whole block is in scope. */
    private long partOf(long size) {
        BlockSlice open = slice();
        int wanted = open.to() - open.from();
        return size * wanted / Math.max(1, open.block().rowCount());
    }

    /** Returns what was found in a searched text, by {@link Matcher#textScan}. */
    public TextHits textHits(int scanned) {
        TextHits hits = textHits[scanned];
        if (hits == null) {
            hits = new TextHits(matcher.textScans().get(scanned), this);
            textHits[scanned] = hits;
            open(hits, scanned);
        }
        return hits;
    }

    /** Returns where patterns stand in a searched text, by {@link Matcher#textScan}. */
    public TextPositions textPositions(int scanned) {
        TextPositions places = textPositions[scanned];
        if (places == null) {
            places = new TextPositions(matcher.textScans().get(scanned), this);
            textPositions[scanned] = places;
        }
        return places;
    }

    /**
     * Returns how many bytes the columns touched so far have: of a block of which only some rows
     * are in scope, as large a part.
     */
    public long bytes() {
        return bytes;
    }

    /** Returns the evaluation of a predicate on single texts, by {@link Matcher#textPredicates}. */
    TextMatcher textMatcher(int textPredicate) {
        return textMatchers.get(textPredicate);
    }

    int[] selected(int search) {
        return selections.get(search).rows(index);
    }

    /** Lends an array as long as {@link #rows()}, to be given back before the next slice. */
    public int[] borrow() {
        return memory.borrow();
    }

    /** Takes back what {@link #borrow()} lent. */
    public void giveBack(int[] borrowed) {
        memory.giveBack(borrowed);
    }

    /**
     * Lends an array for one number per row, to be given back before the next slice is opened; what
     * is borrowed last is given back first.
     */
    public double[] borrowNumbers() {
        return memory.borrowNumbers();
    }

    /** Takes back what {@link #borrowNumbers()} lent. */
    public void giveBack(double[] borrowed) {
        memory.giveBack(borrowed);
    }
}
