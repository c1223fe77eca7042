package org.crabro.content.search.execution;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.content.search.match.RowOrder;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SortKey;

/**
 * The hit after which the hits of a request begin (search after), as a row of its own block. Rows
 * are compared with it as with each other. The document of the hit may be deleted.
 */
final class SearchAfter {
    private final List<BlockSlice> slices;
    private final double score;

    private SearchAfter(List<BlockSlice> slices, double score) {
        this.slices = slices;
        this.score = score;
    }

    /**
     * Returns the hit that a request names; empty if its hits begin with the best.
     *
     * @param others the slices that are searched
     * @throws QueryRejectedException if the hit has other sort keys than the request
     */
    static Optional<SearchAfter> of(
            SearchRequest request, Sorting sorting, List<BlockSlice> others) {
        return request.hits().after().map(position -> of(position, request, sorting, others));
    }

    private static SearchAfter of(
            HitPosition position, SearchRequest request, Sorting sorting, List<BlockSlice> others) {
        if (!sorting.warnings().isEmpty()) {
            throw new QueryRejectedException("after: " + sorting.warnings().getFirst());
        }
        if (position.sortValues().size() != request.hits().sorting().size()) {
            throw foreign();
        }
        var fields = new ArrayList<Field>();
        Map<String, FieldValue> values = new LinkedHashMap<>();
        int index = 0;
        for (int i = 0; i < request.hits().sorting().size(); i++) {
            if (request.hits().sorting().get(i) instanceof SortKey.Sources) {
                // All documents of a node are of one source.
                continue;
            }
            if (sorting.keys().get(index) instanceof FieldOrder.Key.Value key) {
                Field field = key.passed(index);
                fields.add(field);
                position.sortValues()
                        .get(i)
                        .ifPresent(value -> values.put(field.name(), checked(field, value)));
            }
            index++;
        }
        var type = new DocumentType(position.id().documentType(), fields);
        var row = new Row(position.id(), 0, type.fingerprint(), false, values);
        var block = BlockWriter.write(List.of(row), type, Arena.ofAuto());
        var slices = new ArrayList<>(others);
        slices.add(new BlockSlice(block, 0, 1, DeadRows.NONE));
        return new SearchAfter(slices, position.relevance());
    }

    private static FieldValue checked(Field field, FieldValue value) {
        boolean fits =
                field.type() instanceof FieldType.Primitive primitive
                        ? switch (primitive.stored()) {
                            case BOOL -> value instanceof FieldValue.BoolValue;
                            case INT -> value instanceof FieldValue.IntValue;
                            case LONG -> value instanceof FieldValue.LongValue;
                            case FLOAT -> value instanceof FieldValue.FloatValue;
                            case DOUBLE -> value instanceof FieldValue.DoubleValue;
                            case STRING, BYTE, FLOAT16, URI, RAW, PREDICATE ->
                                    value instanceof FieldValue.StringValue;
                        }
                        : value instanceof FieldValue.StringValue;
        if (!fits) {
            throw foreign();
        }
        return value;
    }

    private static QueryRejectedException foreign() {
        return new QueryRejectedException("after: the hit is from a query with another sorting");
    }

    /** Returns a test of rows, for one thread. */
    Test test(Sorting sorting, WorkMeter work) {
        int own = slices.size() - 1;
        RowOrder order = sorting.order(slices, own, work);
        return (slice, row, value) -> order.compare(own, 0, score, slice, row, value) < 0;
    }

    /** Returns whether a row is sorted after the hit. */
    @FunctionalInterface
    interface Test {
        boolean isBehind(int slice, int row, double score);
    }
}
