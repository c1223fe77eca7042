package org.crabro.content.storage.integrity;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.content.storage.block.BlockContents;

/**
 * Sums up the sizes of columns. Its memory is proportional to the number of fields and encodings.
 */
public final class ColumnTotals {
    private record Column(String type, String field, String encoding)
            implements Comparable<Column> {
        private static final Comparator<Column> ORDER =
                Comparator.comparing(Column::type)
                        .thenComparing(Column::field)
                        .thenComparing(Column::encoding);

        @Override
        public int compareTo(Column that) {
            return ORDER.compare(this, that);
        }
    }

    private final Map<Column, ColumnSummary> totals = new TreeMap<>();

    void add(BlockContents block) {
        for (int chunk = 0; chunk < block.chunkCount(); chunk++) {
            var column =
                    new Column(block.type().name(), block.field(chunk), block.encodingName(chunk));
            totals.merge(
                    column,
                    new ColumnSummary(
                            column.type(),
                            column.field(),
                            column.encoding(),
                            1,
                            block.length(chunk)),
                    ColumnTotals::sum);
        }
    }

    private static ColumnSummary sum(ColumnSummary one, ColumnSummary other) {
        return new ColumnSummary(
                one.type(),
                one.field(),
                one.encoding(),
                one.chunks() + other.chunks(),
                one.bytes() + other.bytes());
    }

    /** Returns the sums, by type, field and encoding. */
    public List<ColumnSummary> columns() {
        return List.copyOf(totals.values());
    }
}
