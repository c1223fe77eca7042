package org.crabro.ranking.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Computes the sizes of a model's inputs and outputs from the types of its arguments. Dimensions
 * with the same symbol have the same size in all inputs.
 */
public final class ModelBinding {
    private final RankModelFile file;
    private final Map<String, Long> symbols = new HashMap<>();

    /** Where a symbol got its size, for errors. */
    private final Map<String, String> saidBy = new HashMap<>();

    private final List<RankModel.Value> inputs = new ArrayList<>();

    ModelBinding(RankModelFile file) {
        this.file = file;
    }

    /**
     * Adds the type of the next argument.
     *
     * @throws InvalidModelException if the input does not accept it; the message names the types
     *     that it accepts
     */
    public void add(TensorType type) {
        ModelPort input = file.inputs().get(inputs.size());
        ElementType element =
                input.element()
                        .orElseThrow(() ->
                                new InvalidModelException(
                                        "it takes values of type %s, which ranking has none of"
                                                .formatted(input.type())));
        int count = input.dimensions().size();
        if (count == 0) {
            throw new InvalidModelException(
                    "it takes one value without dimensions: export the model with a dimension of"
                            + " size 1");
        }
        requireCount(count);
        if (!type.isDense()) {
            throw new InvalidModelException(
                    "it takes %s, and a %s has dimensions that are not indexed"
                            .formatted(input, type));
        }
        if (type.dimensions().size() != count) {
            throw new InvalidModelException(
                    "it takes %s, which is of %d dimensions, and a %s is of %d"
                            .formatted(input, count, type, type.dimensions().size()));
        }
        var sizes = new ArrayList<Integer>();
        for (int i = 0; i < count; i++) {
            if (type.dimensions().get(i) instanceof Dimension.Indexed(var name, int size)) {
                bind(input, input.dimensions().get(i), name, size, type);
                sizes.add(size);
            }
        }
        inputs.add(value(input.name(), element, sizes));
    }

    private void bind(
            ModelPort input,
            ModelPort.Dimension dimension,
            String name,
            int size,
            TensorType type) {
        if (dimension.isKnown() && dimension.size() != size) {
            throw new InvalidModelException(
                    "it takes %s, and '%s' of %s is of size %d where %d is expected"
                            .formatted(input, name, type, size, dimension.size()));
        }
        if (dimension.isKnown() || dimension.symbol().isEmpty()) {
            return;
        }
        Long bound = symbols.putIfAbsent(dimension.symbol(), (long) size);
        if (bound == null) {
            saidBy.put(dimension.symbol(), input.name());
        } else if (bound != size) {
            throw new InvalidModelException(
                    "it takes %s, and '%s' of %s is of size %d where input '%s' has %d for '%s'"
                            .formatted(
                                    input,
                                    name,
                                    type,
                                    size,
                                    saidBy.get(dimension.symbol()),
                                    bound,
                                    dimension.symbol()));
        }
    }

    /**
     * Returns an output. All inputs must have been added. If its size is not known otherwise, the
     * model is run once.
     *
     * @throws InvalidModelException if ranking cannot use the output
     */
    public RankModel.Value output(int number) {
        ModelPort output = file.outputs().get(number);
        ElementType element =
                output.element()
                        .orElseThrow(() ->
                                new InvalidModelException(
                                        "output '%s' has values of type %s, which ranking has none of"
                                                .formatted(output.name(), output.type())));
        requireCount(output.dimensions().size());
        long[] sizes =
                output.dimensions().stream()
                        .mapToLong(each -> each.isKnown() ? each.size() : size(each.symbol()))
                        .toArray();
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)) {
            sizes = file.sizes(inputs, output);
            requireCount(sizes.length);
        }
        if (Arrays.stream(sizes).anyMatch(size -> size == 0)) {
            throw new InvalidModelException(
                    "output '%s' has no values: its sizes are %s"
                            .formatted(output.name(), Arrays.toString(sizes)));
        }
        return value(
                output.name(),
                element,
                Arrays.stream(sizes)
                        .mapToObj(size -> (int) Math.min(size, ModelLimits.CELLS + 1))
                        .toList());
    }

    private long size(String symbol) {
        return symbols.getOrDefault(symbol, -1L);
    }

    /**
     * Returns the model, after all inputs were added.
     *
     * @param name as the schema calls it
     * @param outputs those that are wanted
     */
    public RankModel model(String name, ModelSettings settings, List<RankModel.Value> outputs) {
        if (inputs.size() != file.inputs().size()) {
            throw new IllegalStateException("%s were given".formatted(inputs));
        }
        return new RankModel(name, file.file(), settings, inputs, outputs, hasRows());
    }

    /** One symbol that is 1 here is the first dimension of everything, and no other one. */
    private boolean hasRows() {
        if (!file.mayHaveRows() || file.inputs().isEmpty()) {
            return false;
        }
        String symbol = file.inputs().getFirst().dimensions().getFirst().symbol();
        return !symbol.isEmpty()
                && size(symbol) == 1
                && Stream.concat(file.inputs().stream(), file.outputs().stream())
                        .allMatch(port -> countsRows(port, symbol));
    }

    private static boolean countsRows(ModelPort port, String symbol) {
        List<String> symbols = port.dimensions().stream().map(ModelPort.Dimension::symbol).toList();
        return symbols.indexOf(symbol) == 0 && symbols.lastIndexOf(symbol) == 0;
    }

    private static void requireCount(int dimensions) {
        if (dimensions > ModelLimits.DIMENSIONS) {
            throw new InvalidModelException(
                    "it is of %d dimensions, and there may be %d"
                            .formatted(dimensions, ModelLimits.DIMENSIONS));
        }
    }

    private static RankModel.Value value(String name, ElementType element, List<Integer> sizes) {
        long cells = 1;
        for (int size : sizes) {
            cells = Math.min(cells * size, Integer.MAX_VALUE);
        }
        if (cells > ModelLimits.CELLS) {
            throw new InvalidModelException(
                    "'%s' has more than %,d values".formatted(name, ModelLimits.CELLS));
        }
        return new RankModel.Value(name, element, sizes);
    }
}
