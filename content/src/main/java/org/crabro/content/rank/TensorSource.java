package org.crabro.content.rank;

import org.crabro.content.match.BlockScan;
import org.crabro.content.run.Column;
import org.crabro.content.run.ColumnValues;
import org.crabro.document.FieldValue;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** Where a tensor comes from that is returned with a hit: an object for each, of the few. */
sealed interface TensorSource {
    DenseTensor read(BlockScan scan, int row);

    /** The same for every document. */
    record Constant(DenseTensor tensor) implements TensorSource {
        @Override
        public DenseTensor read(BlockScan scan, int row) {
            return tensor;
        }
    }

    /**
     * The tensor of a field; zeros where there is none.
     *
     * @param field by {@link org.crabro.content.match.QueryFields}
     */
    record Attribute(int field, TensorType type) implements TensorSource {
        @Override
        public DenseTensor read(BlockScan scan, int row) {
            return scan.column(field)
                    .filter(Column.DenseTensors.class::isInstance)
                    .flatMap(column -> new ColumnValues().value(column, row))
                    .filter(FieldValue.TensorValue.class::isInstance)
                    .map(value -> ((FieldValue.TensorValue) value).tensor())
                    .orElseGet(() -> DenseTensor.of(type, new double[type.cellCount()]));
        }
    }
}
