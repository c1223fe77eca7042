package org.crabro.content.result;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.crabro.config.schema.Schema;
import org.crabro.content.match.BestRows;
import org.crabro.content.match.BlockScan;
import org.crabro.content.match.TypedColumns;
import org.crabro.content.rank.Scorer;
import org.crabro.content.rank.Scoring;
import org.crabro.content.run.Block;
import org.crabro.content.run.BlockSlice;
import org.crabro.content.run.ColumnValues;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.Hit;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;

/** Makes hits of the few rows that are returned: here, and only here, documents become objects. */
final class HitReader {
    private final SearchRequest request;
    private final Schema schema;
    private final Sorting sorting;
    private final SummaryFields summary;
    private final List<BlockSlice> slices;
    private final BlockScan scan;
    private final ColumnValues values = new ColumnValues();

    HitReader(
            SearchRequest request,
            Schema schema,
            Sorting sorting,
            SummaryFields summary,
            List<BlockSlice> slices,
            BlockScan scan) {
        this.request = request;
        this.schema = schema;
        this.sorting = sorting;
        this.summary = summary;
        this.slices = slices;
        this.scan = scan;
    }

    /** Returns the hits of {@code best}, in its order. */
    List<Hit> read(BestRows best, Scoring scoring) {
        var scorer = new Scorer(scoring, scan);
        // Slice by slice, so that each is opened once.
        int[] bySlice =
                IntStream.range(0, best.size())
                        .boxed()
                        .sorted(Comparator.comparingInt(best::slice))
                        .mapToInt(Integer::intValue)
                        .toArray();
        var hits = new Hit[best.size()];
        for (int index : bySlice) {
            int slice = best.slice(index);
            if (scan.index() != slice) {
                scan.open(slice);
            }
            int row = best.row(index);
            double score = sorting.needsScores() ? best.value(index) : scorer.score(row);
            Block block = slices.get(slice).block();
            hits[index] =
                    new Hit(
                            block.id(row),
                            score,
                            sortValues(block, row, score),
                            summary.read(block, row, values),
                            scorer.matchFeatures(row));
        }
        return Arrays.asList(hits);
    }

    private List<Optional<FieldValue>> sortValues(Block block, int row, double score) {
        var values = new ArrayList<Optional<FieldValue>>();
        for (SortKey key : request.sorting()) {
            values.add(
                    switch (key) {
                        case SortKey.Relevance _ -> Optional.of(new FieldValue.DoubleValue(score));
                        case SortKey.FieldValueOf(String name, _) ->
                                schema.documentType()
                                        .field(name)
                                        .flatMap(field -> TypedColumns.column(block, field))
                                        .flatMap(column -> this.values.value(column, row));
                    });
        }
        return values;
    }
}
