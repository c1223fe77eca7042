package org.crabro.content.search.group;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.QuantileSketch;

/** The distributions of the numbers of groups. */
final class Spreads implements AggregateColumn {
    /** The number of added numbers after which memory is reserved. */
    private static final int UNCOUNTED_MAX = 1_024;

    private final List<Double> levels;
    private final List<QuantileSketch> sketches = new ArrayList<>();
    private long bytes;
    private int uncounted;

    Spreads(List<Double> levels) {
        this.levels = List.copyOf(levels);
    }

    @Override
    public void reserve(int size) {
        while (sketches.size() < size) {
            sketches.add(new QuantileSketch());
        }
    }

    @Override
    public void add(Values values, int[] groups, int count, TextPool texts) {
        for (int row = 0; row < count; row++) {
            QuantileSketch sketch = sketches.get(groups[row]);
            for (int i = values.start(row); i < values.end(row); i++) {
                sketch.add(values.kind.isPooled() ? 0 : values.number(i));
                uncounted++;
            }
        }
    }

    @Override
    public void merge(AggregateColumn from, int group, int into) {
        sketches.get(into).add(((Spreads) from).sketches.get(group));
    }

    @Override
    public AggregateValue value(int group) {
        return new AggregateValue.Spread(levels, sketches.get(group));
    }

    @Override
    public boolean hasOrderKeys() {
        return false;
    }

    @Override
    public long orderKey(int group) {
        throw new IllegalStateException("quantiles have no order");
    }

    @Override
    public long byteSize() {
        if (uncounted > UNCOUNTED_MAX || bytes == 0) {
            bytes = 0;
            for (QuantileSketch sketch : sketches) {
                bytes += sketch.byteSize();
            }
            uncounted = 0;
        }
        return bytes;
    }
}
