package org.crabro.content.search.rank;

import java.util.Arrays;
import org.crabro.content.search.match.BlockScan;
import org.crabro.content.storage.block.column.Column;
import org.crabro.document.Position;

/**
 * The location of a field as one number, its {@link Position#zCurve}; NaN if a document has none.
 *
 * @param field by {@link org.crabro.content.search.query.QueryFields}
 */
record PlaceNumber(int field) implements FeatureSource {
    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        Arrays.fill(into, 0, count, Double.NaN);
        Column places = scan.column(field).orElse(null);
        if (places == null) {
            return;
        }
        var each = new InTo(into);
        for (int i = 0; i < count; i++) {
            each.index = i;
            GeoDistance.forEach(places, rows[i], each);
        }
    }

    /** Writes numbers to an array. One object serves all rows. */
    private static final class InTo implements GeoDistance.EachPlace {
        private final double[] into;
        private int index;

        InTo(double[] into) {
            this.into = into;
        }

        @Override
        public void place(int number, double latitude, double longitude) {
            into[index] = Position.zCurve(latitude, longitude);
        }
    }
}
