package org.crabro.ranking.tensor;

import java.util.List;

/**
 * Several labels as a key. Keys are comparable so that a hash map finds one fast even if the hash
 * codes of all labels are equal.
 */
public record LabelKey(List<String> labels) implements Comparable<LabelKey> {
    @Override
    public int compareTo(LabelKey other) {
        int order = Integer.compare(labels.size(), other.labels.size());
        for (int i = 0; i < labels.size() && order == 0; i++) {
            order = labels.get(i).compareTo(other.labels.get(i));
        }
        return order;
    }
}
