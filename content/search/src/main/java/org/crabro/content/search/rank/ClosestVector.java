package org.crabro.content.search.rank;

import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.search.match.NearestSearch;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.column.TextReader;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * The label of a document's nearest vector: a tensor with 1 at that label. The tensor is empty if
 * the document has no vectors.
 *
 * @param field by {@link org.crabro.content.search.query.QueryFields}
 * @param type with the dimensions that identify a vector of a document
 */
record ClosestVector(NearestSearch search, int field, TensorType type) implements FeatureSource {
    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        throw new IllegalStateException(this + " is no number");
    }

    @Override
    public TensorData tensor(BlockScan scan, int row) {
        int nearest =
                scan.column(field).orElse(null) instanceof Column.MixedTensors column
                        ? search.nearest(scan, column, row)
                        : -1;
        if (nearest < 0
                || !(scan.column(field).orElseThrow() instanceof Column.MixedTensors column)) {
            return TensorData.empty(type);
        }
        var text = new TextReader();
        String[] labels = new String[column.labels().size()];
        for (int i = 0; i < labels.length; i++) {
            text.read(column.labels().get(i), nearest);
            byte[] bytes =
                    text.bytes()
                            .asSlice(text.offset(), text.length())
                            .toArray(ValueLayout.JAVA_BYTE);
            labels[i] = new String(bytes, StandardCharsets.UTF_8);
        }
        return TensorData.mixed(type, new String[][] {labels}, new double[] {1});
    }
}
