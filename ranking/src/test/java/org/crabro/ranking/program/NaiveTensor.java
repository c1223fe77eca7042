package org.crabro.ranking.program;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import org.crabro.ranking.tensor.TensorBuilder;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * A tensor as a list of cells with whole addresses, and operations word by word as they are
 * defined: to test against. The types of results are given, since they are tested elsewhere.
 */
record NaiveTensor(Map<SortedMap<String, String>, Double> cells) {
    static NaiveTensor of(TensorData tensor) {
        Map<SortedMap<String, String>, Double> cells = new LinkedHashMap<>();
        TensorType type = tensor.type();
        int size = type.subspaceSize();
        for (int i = 0; i < tensor.cells().length; i++) {
            var address = new TreeMap<String, String>();
            int label = 0;
            int size2 = size;
            for (Dimension dimension : type.dimensions()) {
                switch (dimension) {
                    case Dimension.Mapped(String name) ->
                            address.put(name, tensor.labels(i / size)[label++]);
                    case Dimension.Indexed(String name, int length) -> {
                        size2 /= length;
                        address.put(name, "" + i % size / size2 % length);
                    }
                }
            }
            cells.put(address, tensor.cells()[i]);
        }
        return new NaiveTensor(cells);
    }

    /** Returns the same cells in a tensor of {@code type}. */
    TensorData data(TensorType type) {
        var builder = new TensorBuilder(type);
        cells.forEach((address, value) -> builder.set(List.copyOf(address.values()), value));
        return builder.build();
    }

    NaiveTensor join(NaiveTensor other, DoubleBinaryOperator function) {
        Map<SortedMap<String, String>, Double> joined = new LinkedHashMap<>();
        cells.forEach((left, x) ->
                other.cells.forEach((right, y) -> {
                    var both = new TreeMap<>(left);
                    boolean agrees = true;
                    for (Map.Entry<String, String> label : right.entrySet()) {
                        String previous = both.put(label.getKey(), label.getValue());
                        agrees &= previous == null || previous.equals(label.getValue());
                    }
                    if (agrees) {
                        joined.put(both, function.applyAsDouble(x, y));
                    }
                }));
        return new NaiveTensor(joined);
    }

    NaiveTensor merge(NaiveTensor other, DoubleBinaryOperator function) {
        Map<SortedMap<String, String>, Double> merged = new LinkedHashMap<>(cells);
        other.cells.forEach(
                (address, y) -> merged.merge(address, y, (a, b) -> function.applyAsDouble(a, b)));
        return new NaiveTensor(merged);
    }

    NaiveTensor reduce(String aggregator, Set<String> names) {
        Map<SortedMap<String, String>, List<Double>> groups = new LinkedHashMap<>();
        cells.forEach((address, value) -> {
            var left = new TreeMap<>(address);
            left.keySet().removeAll(names);
            groups.computeIfAbsent(left, _ -> new ArrayList<>()).add(value);
        });
        Map<SortedMap<String, String>, Double> reduced = new LinkedHashMap<>();
        groups.forEach((address, values) -> reduced.put(address, aggregated(aggregator, values)));
        return new NaiveTensor(reduced);
    }

    private static double aggregated(String aggregator, List<Double> values) {
        double sum = 0;
        double product = 1;
        for (double value : values) {
            sum += value;
            product *= value;
        }
        List<Double> sorted = values.stream().sorted().toList();
        int count = values.size();
        return switch (aggregator) {
            case "sum" -> sum;
            case "prod" -> product;
            case "count" -> count;
            case "avg" -> sum / count;
            case "min" -> sorted.getFirst();
            case "max" -> sorted.getLast();
            case "median" -> (sorted.get((count - 1) / 2) + sorted.get(count / 2)) / 2;
            default -> throw new AssertionError(aggregator);
        };
    }

    /** Appends the other tensor's cells in {@code name}, a dimension of both. */
    NaiveTensor concat(NaiveTensor other, String name, int size) {
        Map<SortedMap<String, String>, Double> both = new LinkedHashMap<>();
        join(other.rename(Map.of(name, "behind")), (x, y) -> x)
                .cells
                .forEach((address, value) -> {
                    var at = new TreeMap<>(address);
                    at.remove("behind");
                    both.put(at, value);
                });
        rename(Map.of(name, "before"))
                .join(other, (x, y) -> y)
                .cells
                .forEach((address, value) -> {
                    var at = new TreeMap<>(address);
                    at.remove("before");
                    at.put(name, "" + (Integer.parseInt(at.getOrDefault(name, "0")) + size));
                    both.put(at, value);
                });
        return new NaiveTensor(both);
    }

    NaiveTensor rename(Map<String, String> names) {
        Map<SortedMap<String, String>, Double> renamed = new LinkedHashMap<>();
        cells.forEach((address, value) -> {
            var other = new TreeMap<String, String>();
            address.forEach((name, label) -> other.put(names.getOrDefault(name, name), label));
            renamed.put(other, value);
        });
        return new NaiveTensor(renamed);
    }

    NaiveTensor slice(String name, String label) {
        Map<SortedMap<String, String>, Double> part = new LinkedHashMap<>();
        cells.forEach((address, value) -> {
            if (label.equals(address.get(name))) {
                var left = new TreeMap<>(address);
                left.remove(name);
                part.put(left, value);
            }
        });
        return new NaiveTensor(part);
    }
}
