package org.crabro.content.match;

import static java.util.Comparator.comparingInt;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;

/** Compiles one query tree: looks its fields up, orders conditions by cost, numbers its terms. */
final class MatcherCompiler {
    private static final NumberRange TRUE =
            NumberRange.between(new RangeEnd.Whole(1, true), new RangeEnd.Whole(1, true));
    private static final NumberRange FALSE =
            NumberRange.between(new RangeEnd.Whole(0, true), new RangeEnd.Whole(0, true));

    private final Schema schema;
    private final Map<String, QueryInput> inputs;
    private final QueryFields fields;
    private final Map<String, TextPatterns> texts = new LinkedHashMap<>();
    private final List<NearestSearch> nearest = new ArrayList<>();
    private final List<QueryTerm> terms = new ArrayList<>();
    private final Set<String> warnings = new LinkedHashSet<>();

    MatcherCompiler(Schema schema, Map<String, QueryInput> inputs, QueryFields fields) {
        this.schema = schema;
        this.inputs = inputs;
        this.fields = fields;
    }

    Matcher compile(QueryNode tree) {
        Filter root = filter(tree, new Place(List.of(), true));
        List<TextScan> scans = texts.values().stream().map(TextPatterns::scan).toList();
        return new Matcher(root, scans, nearest, terms, List.copyOf(warnings));
    }

    /**
     * Where in the tree a node stands.
     *
     * @param conditions what documents must fulfil besides the node, by the nodes above it
     * @param scored whether features see the leaves
     */
    private record Place(List<QueryNode> conditions, boolean scored) {
        Place with(List<QueryNode> more) {
            var all = new ArrayList<>(conditions);
            all.addAll(more);
            return new Place(all, scored);
        }

        Place unscored() {
            return new Place(conditions, false);
        }
    }

    private Filter filter(QueryNode node, Place place) {
        return switch (node) {
            case QueryNode.All() -> new Filter.Everything();
            case QueryNode.None() -> new Filter.Nothing();
            case QueryNode.And(var children) -> {
                var parts = new ArrayList<Filter>();
                for (int i = 0; i < children.size(); i++) {
                    QueryNode child = children.get(i);
                    parts.add(
                            filter(
                                    child,
                                    holdsNearest(child, true)
                                            ? place.with(without(children, i))
                                            : place));
                }
                yield every(parts);
            }
            case QueryNode.Or(var children) -> any(filters(children, place));
            case QueryNode.WeakAnd(var children) -> any(filters(children, place));
            case QueryNode.Without(var include, var exclude) -> {
                QueryNode rest = new QueryNode.Without(new QueryNode.All(), exclude);
                Filter kept = filter(include, place.with(List.of(rest)));
                Filter out = any(filters(exclude, place.with(List.of(include)).unscored()));
                yield new Filter.Except(kept, out);
            }
            case QueryNode.Rank(var required, var others) -> {
                Filter kept = filter(required, place);
                // For the terms alone, which features see.
                filters(others, place.with(List.of(required)));
                yield kept;
            }
            case QueryNode.Term(var field, var text, var settings) ->
                    leaf(field, settings, place, sought -> term(sought, List.of(text), settings));
            case QueryNode.Phrase(var field, var words, var settings) ->
                    leaf(field, settings, place, sought -> term(sought, words, settings));
            case QueryNode.Range(var field, var low, var high, var settings) ->
                    leaf(
                            field,
                            settings,
                            place,
                            sought -> range(sought, NumberRange.between(low, high)));
            case QueryNode.BooleanEquals(var field, var value, var settings) ->
                    leaf(field, settings, place, sought -> bool(sought, value));
            case QueryNode.NearestNeighbor search -> nearest(search, place);
        };
    }

    private static List<QueryNode> without(List<QueryNode> nodes, int index) {
        var others = new ArrayList<>(nodes);
        others.remove(index);
        return others;
    }

    private List<Filter> filters(List<QueryNode> nodes, Place place) {
        var filters = new ArrayList<Filter>();
        for (QueryNode node : nodes) {
            filters.add(filter(node, place));
        }
        return filters;
    }

    private static Filter every(List<Filter> parts) {
        return switch (parts.size()) {
            case 0 -> new Filter.Everything();
            case 1 -> parts.getFirst();
            default -> new Filter.Every(parts.stream().sorted(comparingInt(Filter::cost)).toList());
        };
    }

    private static Filter any(List<Filter> parts) {
        return switch (parts.size()) {
            case 0 -> new Filter.Nothing();
            case 1 -> parts.getFirst();
            default -> new Filter.Any(parts.stream().sorted(comparingInt(Filter::cost)).toList());
        };
    }

    /** What a leaf comes to in one field; nothing where it cannot look into fields of its type. */
    private interface InField {
        Optional<Filter> filter(SchemaField field);
    }

    private Filter leaf(String name, TermSettings settings, Place place, InField inField) {
        var sought = new ArrayList<QueryTerm.Sought>();
        Fieldset fieldset = schema.fieldsets().get(name);
        if (schema.field(name).isPresent()) {
            SchemaField field = schema.field(name).get();
            requireSearchable(field);
            Filter filter =
                    inField.filter(field)
                            .orElseThrow(() ->
                                    new QueryRejectedException(
                                            "field '"
                                                    + name
                                                    + "' of type "
                                                    + field.field().type().text()
                                                    + " cannot be searched this way"));
            sought.add(new QueryTerm.Sought(field.field().name(), filter));
        } else if (fieldset != null) {
            for (String member : fieldset.fields()) {
                schema.field(member)
                        .filter(SchemaField::isSearchable)
                        .flatMap(inField::filter)
                        .ifPresent(filter -> sought.add(new QueryTerm.Sought(member, filter)));
            }
            if (sought.isEmpty()) {
                warnings.add("No field of fieldset '" + name + "' can be searched this way.");
            }
        } else {
            warnUnknown(name);
        }
        if (place.scored() && settings.ranked()) {
            terms.add(new QueryTerm(sought));
        }
        return any(sought.stream().map(QueryTerm.Sought::filter).toList());
    }

    private void requireSearchable(SchemaField field) {
        if (!field.isSearchable()) {
            throw new QueryRejectedException(
                    "field '"
                            + field.field().name()
                            + "' of '"
                            + schema.name()
                            + "' cannot be searched: its indexing names neither index nor"
                            + " attribute");
        }
    }

    private void warnUnknown(String name) {
        warnings.add("Field '" + name + "' does not exist in '" + schema.name() + "'.");
    }

    private Optional<Filter> term(SchemaField field, List<String> words, TermSettings settings) {
        return switch (field.field().type()) {
            case Primitive primitive ->
                    switch (primitive) {
                        case STRING, URI -> Optional.of(text(field, words, settings));
                        case RAW, PREDICATE -> Optional.empty();
                        case BOOL -> Optional.of(boolTerm(field, String.join(" ", words)));
                        case BYTE, INT, LONG, FLOAT16, FLOAT, DOUBLE ->
                                Optional.of(
                                        NumberText.parse(String.join(" ", words))
                                                .map(range -> number(field, range))
                                                .orElseGet(Filter.Nothing::new));
                    };
            case FieldType.ArrayOf array ->
                    array.isText() ? Optional.of(text(field, words, settings)) : Optional.empty();
            case FieldType.WeightedSetOf _,
                    FieldType.MapOf _,
                    FieldType.StructOf _,
                    FieldType.ReferenceOf _,
                    FieldType.TensorOf _ ->
                    Optional.empty();
        };
    }

    private Filter text(SchemaField field, List<String> words, TermSettings settings) {
        String name = field.field().name();
        TextPatterns patterns =
                texts.computeIfAbsent(
                        name,
                        _ ->
                                new TextPatterns(
                                        texts.size(),
                                        fields.number(field.field()),
                                        name,
                                        field.match()));
        return patterns.filter(words, settings.affix());
    }

    private Filter boolTerm(SchemaField field, String text) {
        if (text.equalsIgnoreCase("true")) {
            return number(field, TRUE);
        }
        if (text.equalsIgnoreCase("false")) {
            return number(field, FALSE);
        }
        return NumberText.parse(text)
                .map(range -> number(field, range.lowDouble() > 0 ? TRUE : FALSE))
                .orElseGet(Filter.Nothing::new);
    }

    private Optional<Filter> range(SchemaField field, NumberRange range) {
        return isNumber(field) ? Optional.of(number(field, range)) : Optional.empty();
    }

    private Optional<Filter> bool(SchemaField field, boolean value) {
        return isNumber(field)
                ? Optional.of(number(field, value ? TRUE : FALSE))
                : Optional.empty();
    }

    private static boolean isNumber(SchemaField field) {
        return field.field().type() instanceof Primitive primitive
                && primitive.stored() != Primitive.STRING;
    }

    private Filter number(SchemaField field, NumberRange range) {
        String name = field.field().name();
        return new Filter.InRange(fields.number(field.field()), name, range);
    }

    private Filter nearest(QueryNode.NearestNeighbor search, Place place) {
        Optional<SchemaField> field = schema.field(search.field());
        if (field.isEmpty()) {
            warnUnknown(search.field());
            return new Filter.Nothing();
        }
        requireSearchable(field.get());
        // A condition that itself looks for neighbors would have to wait for this search.
        Filter conditions =
                every(
                        filters(
                                place.conditions().stream()
                                        .filter(condition -> !holdsNearest(condition, false))
                                        .toList(),
                                new Place(List.of(), false)));
        int index = nearest.size();
        nearest.add(NearestSearch.of(search, field.get(), inputs, fields, conditions));
        String name = field.get().field().name();
        Filter selected = new Filter.Selected(index, name);
        if (place.scored()) {
            terms.add(new QueryTerm(List.of(new QueryTerm.Sought(name, selected))));
        }
        return selected;
    }

    /**
     * Returns whether the node looks for neighbors.
     *
     * @param unneeded whether nodes count too that no match depends on
     */
    private static boolean holdsNearest(QueryNode node, boolean unneeded) {
        return switch (node) {
            case QueryNode.And(var children) -> anyHolds(children, unneeded);
            case QueryNode.Or(var children) -> anyHolds(children, unneeded);
            case QueryNode.WeakAnd(var children) -> anyHolds(children, unneeded);
            case QueryNode.Without(var include, var exclude) ->
                    holdsNearest(include, unneeded) || anyHolds(exclude, unneeded);
            case QueryNode.Rank(var required, var others) ->
                    holdsNearest(required, unneeded) || (unneeded && anyHolds(others, true));
            case QueryNode.NearestNeighbor _ -> true;
            case QueryNode.All _,
                    QueryNode.None _,
                    QueryNode.Term _,
                    QueryNode.Phrase _,
                    QueryNode.Range _,
                    QueryNode.BooleanEquals _ ->
                    false;
        };
    }

    private static boolean anyHolds(List<QueryNode> nodes, boolean unneeded) {
        return nodes.stream().anyMatch(node -> holdsNearest(node, unneeded));
    }
}
