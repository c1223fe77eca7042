package org.crabro.content.search.rank;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.crabro.content.search.match.BlockScan;
import org.crabro.ranking.tensor.TensorData;
import org.jspecify.annotations.Nullable;

/**
 * Computes features document by document. Each computation runs once for all of its outputs that a
 * profile uses. For one thread.
 */
final class RowFeatures {
    private final BlockScan scan;
    private final Map<RowFeature, Computed> computed = new HashMap<>();
    private final Map<ElementTexts, ElementTexts.Computation> tensors = new HashMap<>();
    private @Nullable DocumentTerms terms;

    RowFeatures(BlockScan scan) {
        this.scan = scan;
    }

    /**
     * Writes one output.
     *
     * @param rows of the open slice, in rising order
     */
    void read(
            RowFeature feature,
            RankedTerms ranked,
            int output,
            int[] rows,
            int count,
            double[] into) {
        Computed cached = computed.get(feature);
        if (cached == null) {
            cached = new Computed(feature.computation(terms(ranked)), feature.outputCount());
            computed.put(feature, cached);
        }
        cached.read(scan.index(), output, rows, count, into);
    }

    /** Returns the tensor of one row of the open slice. */
    TensorData tensor(ElementTexts feature, RankedTerms ranked, int row) {
        return tensors.computeIfAbsent(feature, each -> each.computation(terms(ranked)))
                .compute(row);
    }

    private DocumentTerms terms(RankedTerms ranked) {
        if (terms == null) {
            terms = new DocumentTerms(ranked, scan);
        }
        return terms;
    }

    /** The outputs of a computation for the last batch. */
    private static final class Computed {
        private final RowFeature.Computation computation;
        private final double[] outputs;
        private int slice = -1;
        private int[] batch = {};
        private int size = -1;
        private double[] values = {};

        Computed(RowFeature.Computation computation, int outputCount) {
            this.computation = computation;
            this.outputs = new double[outputCount];
        }

        void read(int index, int output, int[] rows, int count, double[] into) {
            boolean isSame =
                    index == slice
                            && count == size
                            && Arrays.equals(rows, 0, count, batch, 0, count);
            if (!isSame) {
                compute(index, rows, count);
            }
            for (int i = 0; i < count; i++) {
                into[i] = values[i * outputs.length + output];
            }
        }

        private void compute(int index, int[] rows, int count) {
            if (batch.length < count) {
                batch = new int[count];
                values = new double[count * outputs.length];
            }
            System.arraycopy(rows, 0, batch, 0, count);
            slice = index;
            size = count;
            for (int i = 0; i < count; i++) {
                computation.compute(rows[i], outputs);
                System.arraycopy(outputs, 0, values, i * outputs.length, outputs.length);
            }
        }
    }
}
