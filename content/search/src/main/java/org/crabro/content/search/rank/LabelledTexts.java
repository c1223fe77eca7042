package org.crabro.content.search.rank;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.crabro.content.search.match.BlockScan;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.TensorType;

/**
 * A tensor with the score of a text for the terms of each label. Labels without a match have no
 * cell.
 *
 * @param scores by label, in the same order
 */
record LabelledTexts(TensorType type, List<String> labels, List<FeatureSource> scores)
        implements FeatureSource {
    LabelledTexts {
        labels = List.copyOf(labels);
        scores = List.copyOf(scores);
    }

    @Override
    public void read(BlockScan scan, int[] rows, int count, double[] into) {
        throw new IllegalStateException(this + " is no number");
    }

    @Override
    public TensorData tensor(BlockScan scan, int row) {
        int[] one = {row};
        double[] score = new double[1];
        var rows = new ArrayList<String[]>();
        double[] cells = new double[labels.size()];
        for (int i = 0; i < labels.size(); i++) {
            scores.get(i).read(scan, one, 1, score);
            if (score[0] != 0) {
                cells[rows.size()] = score[0];
                rows.add(new String[] {labels.get(i)});
            }
        }
        return TensorData.mixed(
                type, rows.toArray(String[][]::new), Arrays.copyOf(cells, rows.size()));
    }
}
