package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import org.crabro.config.application.NearestName;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.Target;
import org.crabro.container.query.TensorFields;
import org.crabro.document.FieldType;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.Term;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SortKey;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Rejects queries with fields that no schema has, or with operators that the type of a field does
 * not support. If only some schemas have a field, their content nodes report it.
 */
final class FieldChecks implements SearchStep {
    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        QueryTrees.forEach(query.condition().tree(), node -> check(node, query));
        for (SortKey key : query.hits().sorting()) {
            if (key instanceof SortKey.FieldValueOf(var field, _, _, _, _)) {
                checkSorting(field, query.targets());
            }
        }
        return next.search(query);
    }

    private static void check(QueryNode node, SearchQuery query) {
        switch (node) {
            case QueryNode.Term(var field, _, _) when field.equals(Term.DOCUMENT_TYPE) -> {}
            case QueryNode.Term(var field, _, _) -> checkWords(field, query);
            case QueryNode.Phrase(var field, _, _) -> checkWords(field, query);
            case QueryNode.Range(var field, _, _, _) -> checkDeclared(field, query);
            case QueryNode.BooleanEquals(var field, _, _) -> checkDeclared(field, query);
            case QueryNode.NearestNeighbor nearest -> checkNearest(nearest, query);
            case QueryNode.Regex(var field, _, _) -> checkText(field, "matches", query);
            case QueryNode.Fuzzy fuzzy -> checkText(fuzzy.field(), "fuzzy()", query);
            case QueryNode.SameElement(var field, _, _) -> checkDeclared(field, query);
            case QueryNode.AnyOf any -> checkWords(any.field(), query);
            case QueryNode.GeoCircle circle -> checkDeclared(circle.field(), query);
            case QueryNode.GeoBox box -> checkDeclared(box.field(), query);
            case QueryNode.Predicate predicate -> checkDeclared(predicate.field(), query);
            case QueryNode.Near near -> checkWords(near.field(), query);
            case QueryNode.All _, QueryNode.None _, QueryNode.Combination _, QueryNode.Equiv _ -> {}
        }
    }

    private static void checkDeclared(String name, SearchQuery query) {
        if (!isDeclared(name, query)) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "Field '"
                            + name
                            + "' does not exist."
                            + (name.equals("default")
                                    ? " Words without a field search the fieldset 'default': declare it, or set model.defaultIndex."
                                    : hint(name, query.targets())));
        }
    }

    /** Returns the declared name that an unknown one resembles, as a sentence; maybe empty. */
    private static String hint(String name, List<Target> targets) {
        return NearestName.of(
                        name,
                        targets.stream()
                                .flatMap(target -> target.schema().readable().stream())
                                .map(field -> field.field().name())
                                .distinct()
                                .toList())
                .map(near -> " Did you mean '" + near + "'?")
                .orElse("");
    }

    private static boolean isDeclared(String name, SearchQuery query) {
        for (Target target : query.targets()) {
            if (isDeclared(name, target.schema())) {
                return true;
            }
        }
        return false;
    }

    /** Content nodes report which parts of a field cannot be searched. */
    private static boolean isDeclared(String written, Schema schema) {
        String name = schema.unaliased(written);
        if (schema.field(name).isPresent() || schema.fieldset(name).isPresent()) {
            return true;
        }
        for (int end = 0; end < name.length(); end++) {
            boolean isBorder = name.charAt(end) == '.' || name.charAt(end) == '{';
            String part = name.substring(end);
            if (isBorder
                    && schema.field(name.substring(0, end))
                            .filter(field -> hasPart(field.field().type(), part))
                            .isPresent()) {
                return true;
            }
        }
        return false;
    }

    /**
     * @param path such as {@code .name}, or {@code {"key"}.name}; empty for the value itself
     */
    private static boolean hasPart(FieldType type, String path) {
        if (path.isEmpty()) {
            return true;
        }
        return switch (type) {
            case FieldType.StructOf(_, var members) ->
                    members.stream()
                            .anyMatch(member ->
                                    tail(path, "." + member.name())
                                            .filter(tail -> hasPart(member.type(), tail))
                                            .isPresent());
            case FieldType.ArrayOf(var element) -> hasPart(element, path);
            case FieldType.WeightedSetOf(var element) -> hasPart(element, path);
            case FieldType.MapOf(var key, var value) -> {
                int end = path.startsWith("{") ? path.indexOf('}') + 1 : 0;
                yield end > 0
                        ? hasPart(value, path.substring(end))
                        : tail(path, ".key").filter(tail -> hasPart(key, tail)).isPresent()
                                || tail(path, ".value")
                                        .filter(tail -> hasPart(value, tail))
                                        .isPresent();
            }
            case FieldType.Primitive primitive -> primitive == FieldType.Primitive.URI;
            case FieldType.ReferenceOf _, FieldType.TensorOf _ -> true;
        };
    }

    private static Optional<String> tail(String path, String first) {
        String tail = path.startsWith(first) ? path.substring(first.length()) : "-";
        return tail.isEmpty() || tail.startsWith(".") || tail.startsWith("{")
                ? Optional.of(tail)
                : Optional.empty();
    }

    private static void checkText(String name, String operator, SearchQuery query) {
        checkDeclared(name, query);
        for (Target target : query.targets()) {
            Optional<SchemaField> field = target.schema().field(name);
            boolean isNumber =
                    field.map(schemaField -> schemaField.field().type())
                            .filter(type ->
                                    type instanceof FieldType.Primitive primitive
                                            && primitive.stored() != FieldType.Primitive.STRING)
                            .isPresent();
            if (isNumber) {
                throw illegal(
                        "%s is for texts, and field '%s' is of type %s"
                                .formatted(
                                        operator, name, field.orElseThrow().field().type().text()));
            }
        }
    }

    private static void checkWords(String name, SearchQuery query) {
        checkDeclared(name, query);
        for (Target target : query.targets()) {
            Optional<TensorType> tensor = TensorFields.type(target.schema(), name);
            if (tensor.isPresent()) {
                throw illegal(
                        "field '%s' is a %s: words cannot be looked for in it, only nearestNeighbor()"
                                .formatted(name, tensor.get()));
            }
        }
    }

    private static void checkNearest(QueryNode.NearestNeighbor nearest, SearchQuery query) {
        checkDeclared(nearest.field(), query);
        for (Target target : query.targets()) {
            Optional<SchemaField> field = target.schema().field(nearest.field());
            if (field.isPresent()) {
                checkNearest(nearest, field.get(), target);
            }
        }
        if (nearest.targetHits() < 1) {
            throw illegal(
                    place(nearest)
                            + "targetHits is %d, expected at least 1"
                                    .formatted(nearest.targetHits()));
        }
    }

    private static String place(QueryNode.NearestNeighbor nearest) {
        return "nearestNeighbor(%s, %s): ".formatted(nearest.field(), nearest.input());
    }

    private static void checkNearest(
            QueryNode.NearestNeighbor nearest, SchemaField field, Target target) {
        TensorType type =
                TensorFields.type(target.schema(), nearest.field())
                        .filter(FieldChecks::isVector)
                        .orElseThrow(() ->
                                illegal(
                                        place(nearest)
                                                + "expected a tensor field of one indexed"
                                                + " dimension, but '"
                                                + nearest.field()
                                                + "' is "
                                                + field.field().type().text()));
        QueryInput input = target.ranking().settings().inputs().get(nearest.input());
        if (input == null) {
            boolean declared = target.ranking().profile().inputs().containsKey(nearest.input());
            throw illegal(
                    place(nearest)
                            + (declared
                                    ? "the request gives no input.query(" + nearest.input() + ")"
                                    : "rank profile '%s' of '%s' declares no input query(%s)"
                                            .formatted(
                                                    target.ranking().profile().name(),
                                                    target.schema().name(),
                                                    nearest.input())));
        }
        TensorType given =
                input instanceof QueryInput.TensorInput(var value)
                        ? value.type()
                        : TensorType.SCALAR;
        if (!given.dimensions().equals(type.subspaceType().dimensions())) {
            throw illegal(
                    place(nearest)
                            + "query(%s) is of type %s, but the field is of type %s"
                                    .formatted(nearest.input(), given, type));
        }
    }

    private static boolean isVector(TensorType type) {
        return type.dimensions().stream().filter(Dimension.Indexed.class::isInstance).count() == 1;
    }

    /** In streaming mode an unknown key causes a warning from the content nodes. */
    private static void checkSorting(String field, List<Target> targets) {
        List<FieldType> types =
                targets.stream()
                        .flatMap(target -> target.schema().field(field).stream())
                        .map(schemaField -> schemaField.field().type())
                        .distinct()
                        .toList();
        boolean isDeclared =
                targets.stream()
                        .anyMatch(target ->
                                target.mode() != Mode.INDEX || isDeclared(field, target.schema()));
        if (!isDeclared) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "cannot sort: Field '" + field + "' does not exist." + hint(field, targets));
        }
        for (Target target : targets) {
            if (target.mode() == Mode.INDEX
                    && target.schema().field(field).filter(FieldChecks::hasNoOrder).isPresent()) {
                throw new IllegalQueryException(
                        ErrorCode.INVALID_PARAMETER,
                        "cannot sort: field '%s' of '%s' is no attribute, which mode index needs"
                                .formatted(field, target.schema().name()));
            }
        }
        if (types.size() > 1) {
            throw illegal(
                    "cannot sort: field '%s' is of different types in the schemas searched: %s"
                            .formatted(field, types.stream().map(FieldType::text).toList()));
        }
    }

    /** An index of numbers is one of their attribute. */
    private static boolean hasNoOrder(SchemaField field) {
        boolean isText = FieldType.Primitive.STRING.equals(field.field().type());
        return !field.aspects().contains(Aspect.ATTRIBUTE)
                && (isText || !field.aspects().contains(Aspect.INDEX));
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
