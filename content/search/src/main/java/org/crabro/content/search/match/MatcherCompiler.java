package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.match.text.TextScan;
import org.crabro.content.search.match.text.WordRule;
import org.crabro.content.search.query.QueryFields;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.protocol.query.GramMatch;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankOverrides;

/**
 * Compiles one query tree: resolves its fields, orders conditions by cost, and numbers its terms.
 *
 * <p>One recursion over the tree makes the filters, and numbers terms, scans and neighbor searches.
 */
final class MatcherCompiler {
    private static final Comparator<Filter> CHEAPEST_FIRST = Comparator.comparingInt(Filter::cost);

    private final Schema schema;
    private final Map<String, QueryInput> inputs;
    private final Map<String, Integer> elementGaps;
    private final QueryFields fields;
    private final Map<String, TextPatterns> texts = new LinkedHashMap<>();
    private final ValuePredicateCompiler values = new ValuePredicateCompiler();
    private final Set<String> readTexts = new LinkedHashSet<>();
    private final List<NearestSearch> nearest = new ArrayList<>();
    private final List<QueryTerm> terms = new ArrayList<>();

    /** By condition, a cheaper one without which it does not hold. */
    private final Map<Filter, Filter> requirements = new HashMap<>();

    private final Set<String> warnings = new LinkedHashSet<>();

    /**
     * @param elementGaps by field, the number of words added to the distance between words of
     *     consecutive elements; in a field without an entry, such words are never near each other
     */
    MatcherCompiler(
            Schema schema,
            Map<String, QueryInput> inputs,
            Map<String, Integer> elementGaps,
            QueryFields fields) {
        this.elementGaps = elementGaps;
        this.schema = schema;
        this.inputs = inputs;
        this.fields = fields;
    }

    /** Compiles a tree in which {@link TypeConditions} are decided. */
    Matcher compile(QueryNode tree) {
        Filter root = filter(tree, new Place(List.of(), true));
        var scans = new ArrayList<TextScan>();
        for (TextPatterns each : texts.values()) {
            scans.add(each.scan());
        }
        MatchedElements elements =
                schema.showsMatchedElements()
                        ? MatchedElements.compile(tree, schema, values)
                        : MatchedElements.NONE;
        return new Matcher(
                root,
                new TextSearch(
                        scans, values.textPredicates(), readTexts, new MarkedTerms(tree, schema)),
                nearest,
                terms,
                elements,
                List.copyOf(warnings));
    }

    /**
     * The context of a node in the tree.
     *
     * @param conditions further conditions on documents, from the nodes above
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
                QueryNode remainder = new QueryNode.Without(new QueryNode.All(), exclude);
                Filter included = filter(include, place.with(List.of(remainder)));
                Filter out = any(filters(exclude, place.with(List.of(include)).unscored()));
                yield new Filter.Except(included, out);
            }
            case QueryNode.Rank(var required, var others) -> {
                Filter ranked = filter(required, place);
                // Compiled only to register the terms, which features see.
                filters(others, place.with(List.of(required)));
                yield ranked;
            }
            case QueryNode.Term term ->
                    leaf(
                            term.field(),
                            term.settings(),
                            place,
                            path -> words(path, term, List.of(term.text()), term.settings()));
            case QueryNode.Phrase phrase -> {
                TermSettings settings = phrase.settings().with(GramMatch.PHRASE);
                yield leaf(
                        phrase.field(),
                        phrase.settings(),
                        place,
                        path -> words(path, phrase, phrase.words(), settings));
            }
            case QueryNode.Range range ->
                    leaf(
                            range.field(),
                            range.settings(),
                            place,
                            path ->
                                    equal(
                                            path,
                                            range,
                                            NumberRange.between(range.low(), range.high()),
                                            range.word(),
                                            range.settings()));
            case QueryNode.BooleanEquals equals ->
                    leaf(
                            equals.field(),
                            equals.settings(),
                            place,
                            path ->
                                    equal(
                                            path,
                                            equals,
                                            equals.value() ? NumberRange.TRUE : NumberRange.FALSE,
                                            Optional.of(Boolean.toString(equals.value())),
                                            equals.settings()));
            case QueryNode.Regex regex ->
                    leaf(regex.field(), regex.settings(), place, path -> value(path, regex));
            case QueryNode.Fuzzy fuzzy -> {
                requireAttribute(fuzzy);
                yield leaf(
                        fuzzy.field(),
                        fuzzy.settings(),
                        place,
                        path -> hasWholeTexts(path) ? value(path, fuzzy) : Optional.empty());
            }
            case QueryNode.GeoCircle circle ->
                    leaf(circle.field(), circle.settings(), place, path -> value(path, circle));
            case QueryNode.GeoBox box ->
                    leaf(box.field(), box.settings(), place, path -> value(path, box));
            case QueryNode.Predicate predicate ->
                    leaf(
                            predicate.field(),
                            predicate.settings(),
                            place,
                            path -> value(path, predicate));
            case QueryNode.AnyOf any ->
                    leaf(any.field(), any.settings(), place, path -> anyOf(path, any));
            case QueryNode.Near near -> near(near, place);
            case QueryNode.Equiv(var alternatives) -> equiv(alternatives, place);
            case QueryNode.SameElement same ->
                    leaf(
                            same.field(),
                            TermSettings.DEFAULT,
                            place,
                            path -> Optional.of(passing(path, values.sameElement(path, same))));
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
            default -> new Filter.Every(cheapestFirst(parts));
        };
    }

    private static Filter any(List<Filter> parts) {
        return switch (parts.size()) {
            case 0 -> new Filter.Nothing();
            case 1 -> parts.getFirst();
            default -> new Filter.Any(cheapestFirst(parts));
        };
    }

    private static List<Filter> cheapestFirst(List<Filter> parts) {
        var sorted = new ArrayList<>(parts);
        sorted.sort(CHEAPEST_FIRST);
        return List.copyOf(sorted);
    }

    /** Compiles a leaf for one field; empty if the leaf cannot search fields of this type. */
    private interface InField {
        Optional<Filter> filter(FieldPath path);
    }

    private Filter leaf(String name, TermSettings settings, Place place, InField inField) {
        var fieldFilters = new ArrayList<QueryTerm.FieldFilter>();
        Fieldset fieldset = schema.fieldset(name).orElse(null);
        Optional<FieldPath> path =
                fieldset == null || schema.field(name).isPresent()
                        ? FieldPath.orPart(name, schema)
                        : Optional.empty();
        if (path.isPresent()) {
            requireSearchable(path.get().field());
            Filter filter =
                    inField.filter(path.get()).orElseThrow(() -> unfit(name, path.get().field()));
            fieldFilters.add(new QueryTerm.FieldFilter(path.get().field().field().name(), filter));
        } else if (fieldset != null) {
            for (String member : fieldset.fields()) {
                FieldPath.orPart(member, schema)
                        .filter(each -> each.field().isSearchable())
                        .flatMap(inField::filter)
                        .ifPresent(filter ->
                                fieldFilters.add(new QueryTerm.FieldFilter(member, filter)));
            }
            if (fieldFilters.isEmpty()) {
                warnings.add("No field of fieldset '" + name + "' can be searched this way.");
            }
        } else {
            warnUnknown(name);
        }
        if (place.scored() && settings.ranked()) {
            terms.add(new QueryTerm(fieldFilters, settings));
        }
        var filters = new ArrayList<Filter>(fieldFilters.size());
        for (QueryTerm.FieldFilter each : fieldFilters) {
            Filter required = required(each.filter());
            filters.add(
                    required.equals(each.filter())
                            ? required
                            : new Filter.Every(List.of(required, each.filter())));
        }
        return any(filters);
    }

    /** Returns a cheaper condition without which a condition does not hold. */
    private Filter required(Filter filter) {
        return requirements.getOrDefault(filter, filter);
    }

    private static QueryRejectedException unfit(String name, SchemaField field) {
        return new QueryRejectedException(
                "field '%s' of type %s cannot be searched this way"
                        .formatted(name, field.field().type().text()));
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

    /** Texts with an index alone are searched by words, so that no whole value is compared. */
    private static boolean hasWholeTexts(FieldPath path) {
        return !path.steps().isEmpty()
                || !path.field().isText()
                || path.field().aspects().contains(Aspect.ATTRIBUTE)
                // Parts are compared as whole values too.
                || path.field().field().name().indexOf('.') >= 0;
    }

    private void requireAttribute(QueryNode.Fuzzy fuzzy) {
        Fieldset fieldset = schema.names().fieldsets().get(fuzzy.field());
        List<String> names =
                fieldset == null || schema.field(fuzzy.field()).isPresent()
                        ? List.of(fuzzy.field())
                        : fieldset.fields();
        List<FieldPath> paths =
                names.stream().flatMap(name -> FieldPath.orPart(name, schema).stream()).toList();
        if (!paths.isEmpty() && paths.stream().noneMatch(MatcherCompiler::hasWholeTexts)) {
            throw new QueryRejectedException(
                    "fuzzy() is for attributes, and field '%s' of '%s' has none; {token: true} compares its words"
                            .formatted(fuzzy.field(), schema.name()));
        }
    }

    /** In mode index, a schema without the field matches nothing, and clients see no warning. */
    private void warnUnknown(String name) {
        if (!schema.summaries().indexed()) {
            warnings.add("Field '" + name + "' does not exist in '" + schema.name() + "'.");
        }
    }

    private Optional<Filter> words(
            FieldPath path, QueryNode.Leaf leaf, List<String> words, TermSettings settings) {
        FieldType type = path.field().field().type();
        if (path.steps().isEmpty() && path.field().isText()) {
            return Optional.of(text(path.field(), words, settings));
        }
        return ValuePredicateCompiler.isNumber(type)
                ? number(
                        path,
                        leaf,
                        NumberRangeParser.range(type == Primitive.BOOL, String.join(" ", words)))
                : value(path, leaf);
    }

    private Filter text(SchemaField field, List<String> words, TermSettings settings) {
        Filter filter = texts(field).filter(words, settings);
        if (field.matching().mode().gramSize() > 0 && settings.grams().isByPosition()) {
            // Tokens decide which rows have all grams. Only the texts of these rows are read.
            requirements.put(filter, texts(field).filter(words, settings.with(GramMatch.ALL)));
        }
        return filter;
    }

    private TextPatterns texts(SchemaField field) {
        String name = field.field().name();
        return texts.computeIfAbsent(
                name,
                _ -> {
                    // Blocks store no words of parts, so their texts are read.
                    schema.part(name).ifPresent(part -> readTexts.add(part.whole().name()));
                    return new TextPatterns(
                            texts.size(),
                            fields.number(field, schema),
                            name,
                            field.matching().mode());
                });
    }

    /** Compiles a comparison; in a text it searches {@code word}, which denotes the number. */
    private Optional<Filter> equal(
            FieldPath path,
            QueryNode.Leaf leaf,
            NumberRange range,
            Optional<String> word,
            TermSettings settings) {
        return path.steps().isEmpty() && path.field().isText() && word.isPresent()
                ? Optional.of(text(path.field(), List.of(word.get()), settings))
                : number(path, leaf, range);
    }

    private Optional<Filter> number(FieldPath path, QueryNode.Leaf leaf, NumberRange range) {
        Field field = path.field().field();
        return path.steps().isEmpty() && ValuePredicateCompiler.isNumber(field.type())
                ? Optional.of(
                        new NumberFilter(fields.number(path.field(), schema), field.name(), range))
                : value(path, leaf);
    }

    /** Compiles a condition that neither a column of plain values nor a dictionary can answer. */
    private Optional<Filter> value(FieldPath path, QueryNode.Leaf leaf) {
        return values.test(path, values.leaf(leaf, path.field().field().name()))
                .map(test -> passing(path, test));
    }

    private Filter passing(FieldPath path, ValuePredicate test) {
        Field field = path.field().field();
        readTexts.add(schema.whole(field).name());
        return new Filter.Values(
                fields.number(path.field(), schema), field.name(), test, Filter.VALUE_COST);
    }

    private Optional<Filter> anyOf(FieldPath path, QueryNode.AnyOf any) {
        return switch (any.kind()) {
            case IN -> in(path, any);
            case WEIGHTED_SET -> value(path, any);
            case DOT_PRODUCT ->
                    values.product(path, any)
                            .map(test -> passing(path, test))
                            .or(() -> value(path, any));
        };
    }

    /** Compiled as an any with one part: for {@code in}, features see only whether it matches. */
    private Optional<Filter> in(FieldPath path, QueryNode.AnyOf any) {
        FieldType type = path.field().field().type();
        if (!path.steps().isEmpty()
                || !(path.field().isText() || ValuePredicateCompiler.isNumber(type))) {
            return value(path, any).<Filter>map(filter -> new Filter.Any(List.of(filter)));
        }
        var parts = new ArrayList<Filter>();
        for (QueryNode.WeightedKey key : any.keys()) {
            words(path, any, List.of(key.key()), any.settings()).ifPresent(parts::add);
        }
        return Optional.of(new Filter.Any(cheapestFirst(parts)));
    }

    private Filter near(QueryNode.Near near, Place place) {
        // Compiled only to register the terms, which features see.
        for (QueryNode word : near.near()) {
            nearWord(near.field(), word, place);
        }
        return leaf(near.field(), TermSettings.DEFAULT.unranked(), place, path -> near(path, near));
    }

    /**
     * Within {@code near}, regular expressions and fuzzy terms match words. Elsewhere they match
     * whole values.
     */
    private void nearWord(String field, QueryNode word, Place place) {
        switch (word) {
            case QueryNode.Regex(_, _, var settings) -> byRule(field, word, settings, place);
            case QueryNode.Fuzzy fuzzy -> byRule(field, word, fuzzy.settings(), place);
            default -> filter(word, place);
        }
    }

    private void byRule(String field, QueryNode word, TermSettings settings, Place place) {
        var alone = new QueryNode.Near(field, List.of(word), List.of(), 0, 0, true);
        leaf(field, settings, place, path -> near(path, alone));
    }

    /** Searches each word by itself first, in dictionaries: most rows lack one of the words. */
    private Optional<Filter> near(FieldPath path, QueryNode.Near near) {
        boolean isText = path.steps().isEmpty() && path.field().isText();
        if (!isText || path.field().matching().mode().unit() != MatchMode.Unit.TOKEN) {
            return overElements(path, near).or(() -> value(path, near));
        }
        var parts = new ArrayList<Filter>();
        near.near().forEach(word -> parts.add(word(path.field(), word)));
        if (near.near().size() == 1
                && near.exclude().isEmpty()
                && WordRule.word(near.near().getFirst(), path.field().matching().mode())
                        .isPresent()) {
            return Optional.of(parts.getFirst());
        }
        return overElements(path, near)
                .or(() -> value(path, near))
                .map(close -> {
                    parts.add(close);
                    return every(parts);
                });
    }

    private Optional<Filter> overElements(FieldPath path, QueryNode.Near near) {
        Integer ofField = elementGaps.get(schema.whole(path.field().field()).name());
        return Optional.ofNullable(elementGaps.getOrDefault(near.field(), ofField))
                .filter(gap -> gap != RankOverrides.NO_NEARNESS)
                .flatMap(gap -> values.nearElements(path, near, gap))
                .map(test -> passing(path, test));
    }

    private Filter word(SchemaField field, QueryNode node) {
        return switch (node) {
            case QueryNode.Term(_, var text, var settings) -> text(field, List.of(text), settings);
            case QueryNode.Phrase(_, var words, var settings) -> text(field, words, settings);
            case QueryNode.Equiv(var alternatives) ->
                    any(alternatives.stream().map(each -> word(field, each)).toList());
            case QueryNode.Regex _, QueryNode.Fuzzy _ ->
                    WordRule.word(node, field.matching().mode())
                            .<Filter>map(each -> texts(field).filter(each))
                            .orElseGet(Filter.Everything::new);
            default -> new Filter.Everything();
        };
    }

    /** Compiles alternatives as one term of the query; it has the settings of the first one. */
    private Filter equiv(List<QueryNode> alternatives, Place place) {
        int before = terms.size();
        List<Filter> filters = filters(alternatives, place);
        List<QueryTerm> own = terms.subList(before, terms.size());
        List<QueryTerm.FieldFilter> fieldFilters =
                own.stream().flatMap(term -> term.filters().stream()).toList();
        TermSettings settings = own.isEmpty() ? TermSettings.DEFAULT : own.getFirst().settings();
        own.clear();
        if (place.scored()) {
            terms.add(new QueryTerm(fieldFilters, settings));
        }
        return any(filters);
    }

    private Filter nearest(QueryNode.NearestNeighbor search, Place place) {
        Optional<SchemaField> field = schema.field(search.field());
        if (field.isEmpty()) {
            warnUnknown(search.field());
            return new Filter.Nothing();
        }
        requireSearchable(field.get());
        // Conditions that contain a nearest-neighbor search are left out, because they depend on
        // the result of a search.
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
        if (place.scored() && search.settings().ranked()) {
            terms.add(
                    new QueryTerm(
                            List.of(new QueryTerm.FieldFilter(name, selected)), search.settings()));
        }
        return selected;
    }

    /**
     * Returns whether the subtree contains a nearest-neighbor search.
     *
     * @param unneeded whether to include nodes that do not affect matching
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
            case QueryNode.All _, QueryNode.None _, QueryNode.Equiv _, QueryNode.FieldCondition _ ->
                    false;
        };
    }

    private static boolean anyHolds(List<QueryNode> nodes, boolean unneeded) {
        for (QueryNode node : nodes) {
            if (holdsNearest(node, unneeded)) {
                return true;
            }
        }
        return false;
    }
}
