package org.crabro.container.query;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.container.yql.QueryContext;
import org.crabro.container.yql.YqlParser;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.protocol.query.QueryNode;

/**
 * Reads an operator over weighted tokens of one field from the parameters {@code wand.…}.
 *
 * <p>{@code wand.heapSize} and {@code wand.thresholdBoostFactor} are checked and have no effect:
 * every match is found.
 */
final class WandReader {
    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.]*");

    private final Parameters parameters;
    private final QueryContext context;

    WandReader(Parameters parameters, QueryContext context) {
        this.parameters = parameters;
        this.context = context;
    }

    /** The operators. */
    private enum Type {
        VESPA,
        OR,
        PARALLEL,
        DOTPRODUCT
    }

    /**
     * Returns {@code tree} narrowed by the operator.
     *
     * @throws IllegalQueryException if a parameter is not valid
     */
    QueryNode narrowed(QueryNode tree) {
        return operator()
                .<QueryNode>map(wand ->
                        tree instanceof QueryNode.All
                                ? wand
                                : new QueryNode.And(List.of(tree, wand)))
                .orElse(tree);
    }

    /**
     * Returns the operator; empty if the request names no field or no tokens.
     *
     * @throws IllegalQueryException if a parameter is not valid
     */
    Optional<QueryNode> operator() {
        Optional<String> field =
                parameters.text(Parameter.WAND_FIELD).filter(has -> !has.isBlank());
        Optional<String> tokens =
                parameters.text(Parameter.WAND_TOKENS).filter(has -> !has.isBlank());
        if (field.isEmpty() || tokens.isEmpty()) {
            return Optional.empty();
        }
        String name =
                Parameter.WAND_FIELD.read(
                        field.get(),
                        "the name of a field",
                        text -> Optional.of(text).filter(each -> NAME.matcher(each).matches()));
        parameters.count(Parameter.WAND_HEAP_SIZE);
        parameters.decimal(Parameter.WAND_BOOST);
        double threshold = parameters.decimal(Parameter.WAND_THRESHOLD).orElse(0);
        Type type =
                parameters
                        .text(Parameter.WAND_TYPE)
                        .map(text ->
                                Parameter.WAND_TYPE.read(
                                        text,
                                        "vespa, or, parallel or dotProduct",
                                        WandReader::type))
                        .orElse(Type.VESPA);
        if (!(read(() -> YqlParser.function("dotProduct", name, tokens.get(), context))
                instanceof QueryNode.AnyOf product)) {
            throw illegal("expected one map of tokens and weights but found " + tokens.get());
        }
        if (product.keys().isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (type) {
                    case VESPA -> new QueryNode.WeakAnd(terms(product));
                    case OR -> new QueryNode.Or(terms(product));
                    case PARALLEL ->
                            new QueryNode.AnyOf(
                                    product.field(),
                                    product.kind(),
                                    product.keys(),
                                    threshold,
                                    product.settings());
                    case DOTPRODUCT -> product;
                });
    }

    private static Optional<Type> type(String text) {
        for (Type type : Type.values()) {
            if (type.name().equals(text.toUpperCase(Locale.ROOT))) {
                return Optional.of(type);
            }
        }
        return Optional.empty();
    }

    /** Returns a condition for each key, which YQL reads by the type of the field. */
    private List<QueryNode> terms(QueryNode.AnyOf product) {
        return product.keys().stream()
                .map(key ->
                        read(() ->
                                YqlParser.contains(
                                        product.field(), key.key(), key.weight(), context)))
                .collect(Collectors.toUnmodifiableList());
    }

    private static QueryNode read(Supplier<QueryNode> reading) {
        try {
            return reading.get();
        } catch (YqlSyntaxException e) {
            throw illegal(String.valueOf(e.getMessage()));
        }
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(
                ErrorCode.ILLEGAL_QUERY,
                "Could not set '%s': %s".formatted(Parameter.WAND_TOKENS.shown(), problem));
    }
}
