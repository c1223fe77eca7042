package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.DocumentSummary;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.FieldPath;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.TopK;
import org.crabro.content.search.parent.Parents;
import org.crabro.content.search.parent.RowValues;
import org.crabro.content.search.rank.Scorer;
import org.crabro.content.search.rank.Scoring;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.ColumnCost;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.content.storage.file.BlockProjection;
import org.crabro.content.storage.file.CorruptRunException;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.ChunkSelection;
import org.crabro.content.storage.read.ReadAhead;
import org.crabro.content.storage.read.ReadPlan;
import org.crabro.content.storage.read.SliceReads;
import org.crabro.document.FieldValue;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.ValueMeter;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.OtherFeatures;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;
import org.jspecify.annotations.Nullable;

/** Turns the few rows that are returned into hits. Only this class makes objects of documents. */
final class HitReader {
    private final SearchRequest request;
    private final Schema schema;
    private final Sorting sorting;
    private final SummaryFields summary;
    private final boolean omitsFeatures;
    private final SummaryTransforms shapes;
    private final List<BlockSlice> slices;
    private final BlockScan scan;
    private final ReadAhead ahead;
    private final ReadContext reads;
    private final BlockProjection shown;
    private final ColumnValues values = new ColumnValues();
    private final ValueMeter memory = ValueMeter.withoutWaiting(MemoryShare.current());
    private @Nullable EncodedBlock shownBlock;
    private int shownRow;
    private @Nullable SearchHit shownHit;

    /**
     * @param summary the fields of the hits
     * @param ahead reads blocks of hits into memory
     * @param reads receives the hits that cannot be read
     */
    HitReader(
            SearchAttempt attempt,
            SummaryFields summary,
            BlockScan scan,
            ReadAhead ahead,
            ReadContext reads) {
        Matcher matcher = attempt.plan().matcher();
        this.request = attempt.plan().request();
        this.schema = attempt.plan().schema();
        this.sorting = attempt.plan().sorting();
        this.summary = summary;
        DocumentSummary asked =
                schema.summaries().byName().get(request.hits().summary().documentSummary());
        this.omitsFeatures = asked != null && asked.omitsFeatures();
        this.shapes =
                new SummaryTransforms(
                        matcher,
                        schema.summaries().snippets(),
                        summary.marking(),
                        field -> matchedElements(matcher, field),
                        (feature, count) -> SelectedElements.of(shownFeature(feature), count),
                        scan.work());
        this.slices = attempt.slices().list();
        this.scan = scan;
        this.ahead = ahead;
        this.reads = reads;
        this.shown = attempt.plan().shown(summary);
    }

    /** Returns the hits of rows in their order, without those that cannot be read. */
    List<SearchHit> read(TopK best, Scoring scoring) {
        var hits = new ArrayList<SearchHit>(best.size());
        for (SearchHit hit : readAll(best, scoring)) {
            if (hit != null) {
                hits.add(hit);
            }
        }
        return hits;
    }

    /** Returns the hits of rows in their order, with null for those that cannot be read. */
    @Nullable SearchHit[] readAll(TopK best, Scoring scoring) {
        // Rows are read slice by slice, so that each slice is opened once.
        int[] bySlice = bySlice(best);
        var hits = new @Nullable SearchHit[best.size()];
        var scorer = new Scorer(scoring, scan);
        List<BlockSlice> rows = rows(best, bySlice);
        try (SliceReads pass =
                rows.isEmpty()
                        ? null
                        : ahead.begin(rows, ReadPlan.of(shown), request.header().deadline())) {
            for (int i = 0; i < bySlice.length; i++) {
                int index = bySlice[i];
                EncodedBlock block =
                        (pass == null ? slices.get(best.slice(index)) : rows.get(i)).block();
                try {
                    if (pass != null) {
                        pass.take(i);
                    }
                    hits[index] = hit(best, index, block, scorer);
                } catch (CorruptRunException e) {
                    reads.setAside(e, 1);
                } catch (InternalError e) {
                    reads.setAside(block.unreadable(e), 1);
                }
            }
        }
        return hits;
    }

    /**
     * Returns a slice per row to read into memory; empty if all parts of blocks that hits are made
     * of are in memory.
     *
     * @param bySlice the indexes of all rows, in order of slices
     */
    private List<BlockSlice> rows(TopK best, int[] bySlice) {
        var rows = new ArrayList<BlockSlice>(bySlice.length);
        var chunks = new ChunkSelection(shown);
        int last = -1;
        boolean isBrought = true;
        boolean isAllBrought = true;
        for (int index : bySlice) {
            BlockSlice slice = slices.get(best.slice(index));
            if (best.slice(index) != last) {
                last = best.slice(index);
                isBrought = chunks.areInMemory(slice.block());
                isAllBrought &= isBrought;
            }
            rows.add(row(slice, best.row(index), isBrought));
        }
        return isAllBrought ? List.of() : rows;
    }

    private SearchHit hit(TopK best, int index, EncodedBlock block, Scorer scorer) {
        int slice = best.slice(index);
        if (scan.index() != slice) {
            scan.open(slice);
        }
        int row = best.row(index);
        shownBlock = block;
        shownRow = row;
        double score = sorting.needsScores() ? best.value(index) : scorer.score(row);
        var bare =
                new SearchHit(
                        block.id(row), score, sortValues(block, row, score), Map.of(), Map.of());
        SearchHit hit = scorer.withFeatures(bare, row);
        shownHit = hit;
        Map<String, FieldValue> read =
                summary.read(
                        field -> {
                            RowValues at = scan.rowValues().at(block, row, field);
                            Column column = at.column();
                            return column == null ? Optional.empty() : value(column, at.row());
                        },
                        shapes);
        SearchHit whole = read.isEmpty() ? hit : hit.withSummary(read);
        return omitsFeatures
                ? whole.with(
                        new OtherFeatures(Map.of(), hit.features().listed(), hit.features().used()))
                : whole;
    }

    private Optional<FieldValue> value(Column column, int row) {
        if (column.presence().has(row)) {
            memory.add(ColumnCost.of(column, row, row + 1));
        }
        return values.value(column, row);
    }

    private @Nullable QueryInput shownFeature(String name) {
        SearchHit hit = Objects.requireNonNull(shownHit);
        QueryInput matchFeature = hit.matchFeatures().get(name);
        return matchFeature != null ? matchFeature : hit.features().summary().get(name);
    }

    private BitSet matchedElements(Matcher matcher, SchemaField field) {
        return matcher.elements().of(scan, Objects.requireNonNull(shownBlock), shownRow, field);
    }

    /** Returns the indexes of all rows, in order of slices. */
    private static int[] bySlice(TopK best) {
        var keys = new long[best.size()];
        for (int i = 0; i < keys.length; i++) {
            keys[i] = ((long) best.slice(i) << Integer.SIZE) | i;
        }
        Arrays.sort(keys);
        var indexes = new int[keys.length];
        for (int i = 0; i < keys.length; i++) {
            indexes[i] = (int) keys[i];
        }
        return indexes;
    }

    /**
     * Returns the slice of one row, so that only the bytes of the hit are read.
     *
     * @param isBrought whether the whole block is in memory
     */
    private static BlockSlice row(BlockSlice slice, int row, boolean isBrought) {
        EncodedBlock block = isBrought ? slice.block() : slice.block().only(row, row + 1);
        return new BlockSlice(block, row, row + 1, slice.dead());
    }

    /** Returns the parts of blocks that hits are made of. */
    static BlockProjection shown(Sorting sorting, SummaryFields summary, Parents parents) {
        var names = new HashSet<>(sorting.fields());
        names.addAll(summary.sources());
        return new BlockProjection(parents.stored(names), Set.of(), Set.of(), false, true);
    }

    /** Returns the value by which a row with several values is sorted: one of them or the sum. */
    private static Optional<FieldValue> single(List<FieldValue> values, SortKey.FieldValueOf key) {
        if (key.several() == SortKey.Several.SUM) {
            return values.stream().map(HitReader::widened).reduce(HitReader::sum);
        }
        Comparator<String> texts = HitOrder.comparator(key.texts());
        Comparator<FieldValue> order = (a, b) -> HitOrder.compare(a, b, texts);
        return key.usesSmallest() ? values.stream().min(order) : values.stream().max(order);
    }

    private static FieldValue widened(FieldValue value) {
        return switch (value) {
            case FieldValue.BoolValue(boolean truth) -> new FieldValue.LongValue(truth ? 1 : 0);
            case FieldValue.IntValue(int number) -> new FieldValue.LongValue(number);
            case FieldValue.FloatValue(float number) -> new FieldValue.DoubleValue(number);
            default -> value;
        };
    }

    private static FieldValue sum(FieldValue a, FieldValue b) {
        return a instanceof FieldValue.LongValue(long one)
                        && b instanceof FieldValue.LongValue(long other)
                ? new FieldValue.LongValue(one + other)
                : new FieldValue.DoubleValue(
                        ((FieldValue.DoubleValue) a).value()
                                + ((FieldValue.DoubleValue) b).value());
    }

    private Optional<FieldValue> sortValue(
            EncodedBlock block, int ofRow, SortKey.FieldValueOf key) {
        Optional<FieldPath> field = FieldPath.of(key.field(), schema);
        Optional<SortPath> path = field.flatMap(SortPath::of);
        if (path.isEmpty()) {
            return Optional.empty();
        }
        RowValues rowValues =
                scan.rowValues().at(block, ofRow, field.orElseThrow().field().field());
        Column column = rowValues.column();
        int row = rowValues.row();
        Column end = path.get().end(column);
        if (column == null || end == null || !column.presence().has(row)) {
            return Optional.empty();
        }
        var all = new ArrayList<FieldValue>();
        if (path.get().hasSeveral()) {
            memory.add(ColumnCost.of(column, row, row + 1));
            int last = SortPath.first(column, row + 1);
            for (int at = SortPath.first(column, row); at < last; at++) {
                values.value(end, at).ifPresent(all::add);
            }
        } else {
            int at = path.get().place(column, row, new TextReader());
            if (at >= 0) {
                values.value(end, at).ifPresent(all::add);
            }
        }
        return single(all, key);
    }

    private List<Optional<FieldValue>> sortValues(EncodedBlock block, int row, double score) {
        var values = new ArrayList<Optional<FieldValue>>();
        for (SortKey key : request.hits().sorting()) {
            values.add(
                    switch (key) {
                        case SortKey.Relevance _ -> Optional.of(new FieldValue.DoubleValue(score));
                        case SortKey.DocumentIds _ -> Optional.empty();
                        case SortKey.Sources(_, var source) ->
                                Optional.of(new FieldValue.StringValue(source));
                        case SortKey.FieldValueOf value ->
                                sortValue(block, row, value).or(() -> sorting.substitute(value));
                    });
        }
        return values;
    }
}
