package org.crabro.ranking.expression;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/** Reads tensors of any type that are written out as in expressions, with numbers alone. */
public final class WrittenTensor {
    private WrittenTensor() {}

    /**
     * Returns the tensor of {@code type} written as {@code text}: a value, with an optional type
     * before it that {@code type} accepts.
     *
     * @throws TensorSyntaxException if it is not valid for that type; the message contains the
     *     position
     */
    public static Tensor parse(String text, TensorType type) {
        if (type.isDense()) {
            return DenseTensor.parse(text, type);
        }
        String prefix = text.stripLeading().startsWith("tensor") ? "" : mappedFirst(type) + ":";
        Expression read;
        try {
            read = ExpressionParser.parse(prefix + text);
        } catch (ExpressionSyntaxException e) {
            throw wrong(text, e.origin(), prefix, e.problem());
        }
        if (!(read instanceof TensorExpression.Value(var tensor))) {
            String problem = "expected numbers alone in a value of " + type;
            throw read.features().stream()
                    .findFirst()
                    .map(feature -> wrong(text, feature.origin(), prefix, problem))
                    .orElseGet(() -> new TensorSyntaxException(problem));
        }
        if (!type.accepts(tensor.type())) {
            throw new TensorSyntaxException(
                    "expected type %s but found %s".formatted(type, tensor.type()));
        }
        return tensor.toTensor().as(type);
    }

    /**
     * Returns {@code type} with its dimensions in the order in which values nest: mapped
     * dimensions, then indexed ones, each sorted.
     */
    private static String mappedFirst(TensorType type) {
        String text = type.toString();
        int dimensions = text.indexOf('(') + 1;
        return Arrays.stream(text.substring(dimensions, text.length() - 1).split(","))
                .sorted(Comparator.comparing(dimension -> !dimension.endsWith("{}")))
                .collect(Collectors.joining(",", text.substring(0, dimensions), ")"));
    }

    /** Converts an error; errors in the added type are reported at the first character. */
    private static TensorSyntaxException wrong(
            String text, ExpressionPosition origin, String prefix, String problem) {
        int at = Math.max(0, origin.offset() - prefix.length());
        return TensorSyntaxException.at(text, at, problem);
    }
}
