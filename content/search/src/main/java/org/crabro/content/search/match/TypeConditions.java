package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.query.QueryNode;

/**
 * Decides the conditions on the document type of a query, for the documents of one schema. The
 * decided tree has no such condition, so they are neither matched nor scored.
 *
 * <p>A decided condition beside others is left out where it cannot narrow or widen them. If only
 * decided conditions remain, they decide.
 */
final class TypeConditions {
    private final String type;

    private TypeConditions(String type) {
        this.type = type;
    }

    /** The value of a condition for all documents of the type, if they have the same one. */
    private sealed interface Outcome {
        record Always() implements Outcome {}

        record Never() implements Outcome {}

        /** The documents themselves decide. */
        record Open(QueryNode node) implements Outcome {}
    }

    /**
     * Returns {@code tree} as documents of one type see it.
     *
     * @param type the name of their schema
     */
    static QueryNode decided(QueryNode tree, String type) {
        return switch (new TypeConditions(type).outcome(tree)) {
            case Outcome.Always() -> new QueryNode.All();
            case Outcome.Never() -> new QueryNode.None();
            case Outcome.Open(var node) -> node;
        };
    }

    private Outcome outcome(QueryNode node) {
        return switch (node) {
            case QueryNode.Term(var field, var text, _)
                    when field.equals(QueryNode.Term.DOCUMENT_TYPE) ->
                    text.equals(type) ? new Outcome.Always() : new Outcome.Never();
            case QueryNode.And(var children) -> and(outcomes(children));
            case QueryNode.Or(var children) -> {
                Outcomes parts = outcomes(children);
                yield parts.hasAlways
                        ? new Outcome.Always()
                        : or(parts, new QueryNode.Or(parts.open));
            }
            case QueryNode.Equiv(var alternatives) -> {
                Outcomes parts = outcomes(alternatives);
                QueryNode remainder = new QueryNode.Equiv(parts.open);
                yield parts.hasAlways
                        ? new Outcome.Always()
                        : parts.open.isEmpty() ? new Outcome.Never() : new Outcome.Open(remainder);
            }
            case QueryNode.WeakAnd(var children) -> {
                Outcomes parts = outcomes(children);
                yield parts.hasAlways && parts.open.isEmpty()
                        ? new Outcome.Always()
                        : or(parts, new QueryNode.WeakAnd(parts.open));
            }
            case QueryNode.Without(var include, var exclude) ->
                    without(outcome(include), outcomes(exclude));
            case QueryNode.Rank(var required, var others) ->
                    rank(outcome(required), outcomes(others).open);
            case QueryNode.All _, QueryNode.None _, QueryNode.FieldCondition _ ->
                    new Outcome.Open(node);
        };
    }

    /**
     * The outcomes of the parts of a node.
     *
     * @param open the parts that documents decide
     */
    private record Outcomes(boolean hasAlways, boolean hasNever, List<QueryNode> open) {}

    private Outcomes outcomes(List<QueryNode> nodes) {
        boolean hasAlways = false;
        boolean hasNever = false;
        var open = new ArrayList<QueryNode>();
        for (QueryNode node : nodes) {
            switch (outcome(node)) {
                case Outcome.Always() -> hasAlways = true;
                case Outcome.Never() -> hasNever = true;
                case Outcome.Open(var part) -> open.add(part);
            }
        }
        return new Outcomes(hasAlways, hasNever, open);
    }

    private static Outcome and(Outcomes parts) {
        if (parts.hasNever) {
            return new Outcome.Never();
        }
        return switch (parts.open.size()) {
            case 0 -> new Outcome.Always();
            case 1 -> new Outcome.Open(parts.open.getFirst());
            default -> new Outcome.Open(new QueryNode.And(parts.open));
        };
    }

    private static Outcome or(Outcomes parts, QueryNode several) {
        return switch (parts.open.size()) {
            case 0 -> new Outcome.Never();
            case 1 -> new Outcome.Open(parts.open.getFirst());
            default -> new Outcome.Open(several);
        };
    }

    private static Outcome without(Outcome include, Outcomes exclude) {
        if (include instanceof Outcome.Never || exclude.hasAlways) {
            return new Outcome.Never();
        }
        QueryNode included = include instanceof Outcome.Open(var node) ? node : new QueryNode.All();
        if (!exclude.open.isEmpty()) {
            return new Outcome.Open(new QueryNode.Without(included, exclude.open));
        }
        return included instanceof QueryNode.All ? new Outcome.Always() : include;
    }

    private static Outcome rank(Outcome required, List<QueryNode> others) {
        if (others.isEmpty()) {
            return required;
        }
        return switch (required) {
            case Outcome.Always() ->
                    new Outcome.Open(new QueryNode.Rank(new QueryNode.All(), others));
            case Outcome.Never() -> required;
            case Outcome.Open(var node) -> new Outcome.Open(new QueryNode.Rank(node, others));
        };
    }
}
