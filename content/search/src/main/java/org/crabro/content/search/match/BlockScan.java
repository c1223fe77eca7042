package org.crabro.content.search.match;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.FieldPart;
import org.crabro.content.search.match.cache.BlockCaches;
import org.crabro.content.search.match.cache.CachedVectors;
import org.crabro.content.search.match.cache.Postings;
import org.crabro.content.search.match.text.TextMatcher;
import org.crabro.content.search.match.text.TextOccurrences;
import org.crabro.content.search.match.text.TextPredicate;
import org.crabro.content.search.parent.ImportedColumns;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.parent.RowValues;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.TypedColumns;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.token.TokenDictionary;
import org.crabro.content.storage.block.token.TokenNumbers;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.layout.NumberBounds;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.jspecify.annotations.Nullable;

/**
 * The state of one scan thread: the open slice, the columns read so far, the results found in
 * texts, and arrays that are reused for every block.
 *
 * <p>All of this state changes when a slice is opened, and when its rows are scanned.
 */
public final class BlockScan {
    /**
     * The maximum number of blocks whose vectors one pass quantizes. More would make that pass much
     * slower than others.
     */
    private static final int QUANTIZED_MAX = 2;

    private final Matcher matcher;
    private final List<Field> fields;
    private final List<Optional<FieldPart>> parts;
    private final List<BlockSlice> slices;
    private List<NearestRows> selections;
    private final TextHitsCache texts;
    private final BlockCaches blockCaches;
    private final List<Optional<Column>> columns = new ArrayList<>();
    private final boolean[] touched;
    private final List<Optional<MemorySegment>> lengths = new ArrayList<>();
    private final boolean[] touchedLengths;
    private final boolean[] written;
    private final RowValues rowValues;

    /** Null if the searched type has no imported fields. */
    private final @Nullable ImportedColumns imports;

    private final boolean[] imported;
    // Created on first use.
    private final @Nullable TextHits[] textHits;
    private final @Nullable TextPositions[] textPositions;
    private final List<TextMatcher> textMatchers = new ArrayList<>();
    private final ScanMemory memory;
    private final WorkMeter work = new WorkMeter();
    private @Nullable BlockSlice slice;

    /** The type for which {@link #written} was computed. */
    private @Nullable DocumentType lastType;

    private int index = -1;
    private final ScanReads reads = new ScanReads();
    private boolean looksAtHeadersOnly;

    /** The number of blocks whose vectors this pass has quantized. */
    private int quantized;

    /** The number of rows of all slices opened in this pass, including the open one. */
    private long openedRows;

    private boolean isOpen;

    /** Creates a scan with memory of its own. */
    public BlockScan(
            Matcher matcher,
            QueryFields fields,
            List<BlockSlice> slices,
            List<NearestRows> selections,
            TextHitsCache texts,
            BlockCaches caches) {
        this(
                matcher,
                fields,
                slices,
                selections,
                new ScanCaches(texts, caches, new ScanMemory(), Parents.none()));
    }

    /**
     * @param fields all fields that the query reads
     * @param slices the slices to search
     * @param selections the rows selected by each search of {@link Matcher#nearest()}; empty while
     *     those searches run
     * @param caches the caches, and memory that no other scan uses at the same time
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
        this.parts = fields.parts();
        this.slices = slices;
        this.selections = selections;
        this.texts = caches.texts();
        this.blockCaches = caches.blocks();
        this.touched = new boolean[this.fields.size()];
        this.touchedLengths = new boolean[this.fields.size()];
        this.written = new boolean[this.fields.size()];
        Parents parents = caches.parents();
        this.rowValues = new RowValues(parents, work);
        this.imports = parents.isEmpty() ? null : new ImportedColumns(parents, work);
        this.imported = new boolean[this.fields.size()];
        for (int i = 0; i < imported.length && !parents.isEmpty(); i++) {
            Field whole = parts.get(i).map(FieldPart::whole).orElse(this.fields.get(i));
            imported[i] = parents.has(whole.name());
        }
        this.columns.addAll(Collections.nCopies(this.fields.size(), Optional.empty()));
        this.lengths.addAll(Collections.nCopies(this.fields.size(), Optional.empty()));
        this.textHits = new @Nullable TextHits[matcher.textScans().size()];
        this.textPositions = new @Nullable TextPositions[matcher.textScans().size()];
        for (TextPredicate predicate : matcher.textPredicates()) {
            textMatchers.add(new TextMatcher(predicate, work));
        }
    }

    /**
     * Resets this for another pass over the same slices and returns it. No slice is open and the
     * counts of reads are 0.
     *
     * @param others the selected rows, as in the constructor
     */
    public BlockScan again(List<NearestRows> others) {
        selections = others;
        slice = null;
        index = -1;
        reads.clear();
        quantized = 0;
        openedRows = 0;
        isOpen = false;
        looksAtHeadersOnly = false;
        return this;
    }

    /** Opens the slice with an index. */
    public void open(int sliceIndex) {
        go(sliceIndex);
        isOpen = true;
        BlockSlice opened = slice();
        openedRows += opened.to() - opened.from();
        memory.reserve(opened.to() - opened.from());
    }

    /** Returns the number of rows of the slices opened before the current one in this pass. */
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
        if (imports != null) {
            imports.clear();
        }
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
                texts.cached(index, scanned),
                texts.tokens(index, scanned));
    }

    /**
     * Returns whether rows of a slice may match, judged by the header of its block only. Afterwards
     * no slice is open; call {@link #again} before the next use.
     */
    public boolean mayMatch(int sliceIndex) {
        slice = slices.get(sliceIndex);
        index = sliceIndex;
        looksAtHeadersOnly = true;
        return canMatch();
    }

    /**
     * Returns whether rows of a slice may match, by {@link #canMatch()}. The slice is not opened
     * for matching.
     */
    public boolean canMatch(int sliceIndex) {
        go(sliceIndex);
        return canMatch();
    }

    /** Returns whether a slice is open for matching, and not only for {@link #canMatch(int)}. */
    boolean isOpen() {
        return isOpen;
    }

    boolean looksAtHeadersOnly() {
        return looksAtHeadersOnly;
    }

    /**
     * Stores the results found in the texts of the open slice for later passes, and closes the
     * slice.
     */
    public void keepTexts() {
        var occurrences = new @Nullable TextOccurrences[textHits.length];
        var tokens = new int[occurrences.length][];
        for (int i = 0; i < occurrences.length; i++) {
            TextHits hits = textHits[i];
            tokens[i] = hits == null ? TextHits.NO_TOKENS : hits.tokens();
            occurrences[i] = hits == null ? null : hits.give();
        }
        texts.keep(index, occurrences, tokens);
        slice = null;
    }

    /** Returns the meter that counts the work of this thread. */
    public WorkMeter work() {
        return work;
    }

    /** Returns the arrays of this scan, for reuse after the scan has ended. */
    public ScanMemory memory() {
        return memory;
    }

    /** Returns the open slice. */
    public BlockSlice slice() {
        if (slice == null) {
            throw new IllegalStateException("no slice is open");
        }
        return slice;
    }

    /** Returns the index of the open slice. */
    public int index() {
        return index;
    }

    /**
     * Returns the array for the row numbers of the open slice. It is long enough for all its rows
     * and stays the same until the next slice is opened.
     */
    public int[] rows() {
        return memory.rows();
    }

    /** Writes the live rows of the open slice to {@link #rows()} and returns their number. */
    public int live() {
        BlockSlice open = slice();
        return open.dead().live(open.from(), open.to(), rows());
    }

    /**
     * Returns whether rows of the open block may match. Reads number bounds, dictionaries and
     * selected rows, but no columns.
     */
    public boolean canMatch() {
        BlockSlice open = slice();
        return !open.isExcluded() && (open.isDecided() || matcher.root().canMatch(this));
    }

    /** Writes the matching rows of the open slice to {@link #rows()} and returns their number. */
    public int match() {
        BlockSlice open = slice();
        if (open.matching().isPresent()) {
            int count = open.candidates(rows());
            return open.isDecided() ? count : matcher.root().narrow(this, rows(), count);
        }
        int led = matcher.root().lead(this, rows());
        return matcher.root().narrow(this, rows(), led < 0 ? live() : led);
    }

    /**
     * Returns whether the block itself has a field with its current type. The result is cached for
     * consecutive blocks of the same type, which nearly all are.
     */
    @SuppressWarnings("ReferenceEquality") // Blocks of a run hold the same object.
    private boolean isWrittenAs(int field) {
        DocumentType type = slice().block().documentType();
        if (type != lastType) {
            lastType = type;
            for (int i = 0; i < written.length; i++) {
                written[i] = !imported[i] && TypedColumns.isWrittenAs(type, fields.get(i));
            }
        }
        return written[field];
    }

    /** Returns the open block's column of a field, by its number in {@link QueryFields}. */
    public Optional<Column> column(int field) {
        if (!touched[field]) {
            BlockSlice open = slice();
            Optional<Column> column =
                    isWrittenAs(field)
                            ? open.block().column(fields.get(field).name())
                            : typedColumn(open.block(), field);
            touched[field] = true;
            columns.set(field, column);
            if (column.isPresent()) {
                addPartOf(column.get().byteSize());
            }
        }
        return columns.get(field);
    }

    private Optional<Column> typedColumn(EncodedBlock block, int field) {
        Optional<FieldPart> part = parts.get(field);
        return part.isEmpty()
                ? wholeColumn(block, field, fields.get(field))
                : wholeColumn(block, field, part.get().whole())
                        .flatMap(whole ->
                                PartColumns.column(whole, part.get().steps(), block.rowCount()));
    }

    private Optional<Column> wholeColumn(EncodedBlock block, int field, Field whole) {
        return imports != null && imported[field]
                ? imports.column(slice(), whole.name())
                : TypedColumns.column(block, whole);
    }

    /** Returns whether a number in {@link QueryFields} is that of a part of a field. */
    boolean isPart(int field) {
        return parts.get(field).isPresent();
    }

    /**
     * Returns whether a field, or the field of a part, is imported: nothing about its values is
     * known without reading.
     */
    boolean isImported(int field) {
        return imported[field];
    }

    /** Finds values of single rows, for the thread of this scan. */
    public RowValues rowValues() {
        return rowValues;
    }

    /**
     * Returns the inverse lengths of a field's vectors in the open block, if the block stores them.
     */
    Optional<MemorySegment> inverseLengths(int field) {
        if (!touchedLengths[field]) {
            Optional<MemorySegment> stored =
                    isWrittenAs(field)
                            ? slice().block().inverseLengths(fields.get(field).name())
                            : Optional.empty();
            touchedLengths[field] = true;
            lengths.set(field, stored);
            if (stored.isPresent()) {
                addPartOf(stored.get().byteSize());
            }
        }
        return lengths.get(field);
    }

    /** Returns the token dictionary of a field in the open block, if the block stores one. */
    Optional<TokenDictionary> tokenDictionary(int field) {
        return isWrittenAs(field)
                ? slice().block().tokenDictionary(fields.get(field).name())
                : Optional.empty();
    }

    /** Returns the token numbers of a field in the open block, which must have a dictionary. */
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

    /** Returns the postings of a field's words in the open block; null if they are not cached. */
    @Nullable Postings postings(int field, TokenDictionary dictionary, TokenNumbers numbers) {
        Postings cached =
                blockCaches
                        .postings()
                        .of(slice().block(), fields.get(field).name(), dictionary, numbers);
        if (cached != null) {
            reads.addCached(cached.byteSize());
        }
        return cached;
    }

    /**
     * Borrows the quantized vectors of a field of the open block. Returns null if they are not
     * cached and are not computed now. They are also not used if less than half of the block is in
     * scope, because a block is always quantized as a whole.
     *
     * @param column the column of the field in the open block
     */
    @Nullable CachedVectors vectors(int field, Column column) {
        BlockSlice open = slice();
        EncodedBlock block = open.block();
        if (open.to() - open.from() < block.rowCount() / 2
                || !isWrittenAs(field)
                || !CachedVectors.areWorthIt(column)) {
            return null;
        }
        String name = fields.get(field).name();
        CachedVectors cached =
                blockCaches
                        .vectors()
                        .of(
                                block,
                                name,
                                partOf(column.byteSize()),
                                quantized < QUANTIZED_MAX,
                                () -> {
                                    quantized++;
                                    return CachedVectors.of(column, block.rowCount());
                                });
        if (cached != null) {
            reads.addCached(cached.byteSize());
        }
        return cached;
    }

    /**
     * Returns the least and the largest value of a field in the open block; empty if no row has a
     * value, and for an imported field.
     */
    Optional<NumberBounds> bounds(int field) {
        return isWrittenAs(field)
                ? slice().block().bounds(fields.get(field).name())
                : Optional.empty();
    }

    /** Records that texts of the open slice were tokenized. */
    void setTokenized() {
        texts.setTokenized(index);
    }

    /** Adds the size of data of the open block that was read as a whole. */
    void addBytes(long size) {
        reads.add(slice().block(), size);
    }

    private void addPartOf(long size) {
        addBytes(partOf(size));
    }

    /** Returns the share of a block's bytes that belongs to the rows in scope. */
    private long partOf(long size) {
        BlockSlice open = slice();
        int wanted = open.to() - open.from();
        return size * wanted / Math.max(1, open.block().rowCount());
    }

    /**
     * Returns the results found in a searched text field, by its number from {@link
     * Matcher#textScan}.
     */
    public TextHits textHits(int scanned) {
        TextHits hits = textHits[scanned];
        if (hits == null) {
            hits = new TextHits(matcher.textScans().get(scanned), this);
            textHits[scanned] = hits;
            open(hits, scanned);
        }
        return hits;
    }

    /**
     * Returns the positions of patterns in a searched text field, by its number from {@link
     * Matcher#textScan}.
     */
    public TextPositions textPositions(int scanned) {
        TextPositions places = textPositions[scanned];
        if (places == null) {
            places = new TextPositions(matcher.textScans().get(scanned), this);
            textPositions[scanned] = places;
        }
        return places;
    }

    /**
     * Returns the counts of what was read so far. If only some rows of a block are in scope, the
     * bytes are proportional to these rows.
     */
    public ScanReads reads() {
        return reads;
    }

    /** Returns the evaluation of a predicate on single texts, by {@link Matcher#textPredicates}. */
    TextMatcher textMatcher(int textPredicate) {
        return textMatchers.get(textPredicate);
    }

    int[] selected(int search) {
        return selections.get(search).rows(index);
    }

    /**
     * Borrows an array as long as {@link #rows()}. It must be returned before the next slice is
     * opened.
     */
    public int[] borrow() {
        return memory.borrow();
    }

    /** Returns an array from {@link #borrow()}. */
    public void giveBack(int[] borrowed) {
        memory.giveBack(borrowed);
    }

    /**
     * Borrows an array for one number per row. It must be returned before the next slice is opened.
     * Arrays are returned in the reverse order of borrowing.
     */
    public double[] borrowNumbers() {
        return memory.borrowNumbers();
    }

    /** Returns an array from {@link #borrowNumbers()}. */
    public void giveBack(double[] borrowed) {
        memory.giveBack(borrowed);
    }
}
