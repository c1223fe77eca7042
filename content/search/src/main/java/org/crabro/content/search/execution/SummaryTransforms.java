package org.crabro.content.search.execution;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.search.execution.SummaryFields.Source;
import org.crabro.content.search.match.Matcher;
import org.crabro.content.search.match.text.TextMarks;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.Marking;

/** Transforms values as document summaries declare it. For one query and one thread. */
final class SummaryTransforms {
    private static final String BLANK = " ";

    private final Matcher matcher;
    private final SnippetRules rules;
    private final Marking marking;
    private final Map<MarkedSource, TextMarks> marks = new HashMap<>();
    private final Function<SchemaField, BitSet> matchedElements;
    private final Selection selected;
    private final WorkMeter work;

    private record MarkedSource(String field, String path, boolean anyField) {}

    /** Returns which of the first {@code count} elements a feature of the current row selects. */
    interface Selection {
        BitSet elements(String feature, int count);
    }

    /**
     * @param matchedElements returns which elements of a field of the current row match the query
     * @param work counts the work on long texts
     */
    SummaryTransforms(
            Matcher matcher,
            SnippetRules rules,
            Marking marking,
            Function<SchemaField, BitSet> matchedElements,
            Selection selected,
            WorkMeter work) {
        this.matcher = matcher;
        this.rules = rules;
        this.marking = marking;
        this.matchedElements = matchedElements;
        this.selected = selected;
        this.work = work;
    }

    /**
     * Returns the value of a field of a hit; empty if the hit does not have it.
     *
     * @param values the values of the fields that are set
     */
    Optional<FieldValue> shown(Map<SchemaField, FieldValue> values, SummaryFields.Shown field) {
        if (field.filtered()) {
            return filtered(values, field);
        }
        var shaped = new ArrayList<FieldValue>();
        for (Source source : field.sources()) {
            FieldValue value = values.get(source.field());
            if (value != null) {
                shaped(value, source, field).ifPresent(shaped::add);
            }
        }
        if (field.isWhole() || shaped.isEmpty()) {
            return shaped.stream().findFirst();
        }
        String between = field.transform() == Transform.DYNAMIC ? marking.separator() : BLANK;
        return Optional.of(
                new FieldValue.StringValue(
                        shaped.stream()
                                .flatMap(value -> ValuePaths.texts(value).stream())
                                .collect(Collectors.joining(between))));
    }

    private Optional<FieldValue> filtered(
            Map<SchemaField, FieldValue> values, SummaryFields.Shown field) {
        SchemaField around = field.sources().getFirst().field();
        return Optional.ofNullable(values.get(around))
                .flatMap(value -> selected(value, around, field.elements()))
                .flatMap(value ->
                        ValuePaths.only(
                                value, field.sources().stream().map(Source::path).toList()));
    }

    /** Selects elements first, then takes the part, and then transforms each text. */
    private Optional<FieldValue> shaped(
            FieldValue value, Source source, SummaryFields.Shown shown) {
        Optional<FieldValue> selected =
                selected(value, source.field(), shown.elements())
                        .flatMap(each -> ValuePaths.at(each, source.path()));
        if (source.isPart() && shown.transform() == Transform.DYNAMIC) {
            selected = selected.map(SummaryTransforms::joined);
        }
        boolean anyField = shown.sources().size() > 1;
        return selected.map(each -> formed(each, source, shown.transform(), anyField));
    }

    private static FieldValue joined(FieldValue value) {
        return new FieldValue.StringValue(String.join(BLANK, ValuePaths.texts(value)));
    }

    private Optional<FieldValue> selected(FieldValue value, SchemaField field, Elements elements) {
        return switch (elements) {
            case Elements.All() -> Optional.of(value);
            case Elements.Matched() -> only(matchedElements.apply(field), value);
            case Elements.SelectedBy(var feature) ->
                    only(selected.elements(feature, elements(value)), value);
        };
    }

    private FieldValue formed(
            FieldValue value, Source source, Transform transform, boolean anyField) {
        return switch (transform) {
            case NONE -> value;
            case BOLDED ->
                    eachText(
                            value,
                            text ->
                                    Highlighter.whole(
                                            text, marks(source, anyField).of(text), marking));
            case DYNAMIC ->
                    eachText(
                            value,
                            text ->
                                    Highlighter.parts(
                                            text,
                                            marks(source, anyField).of(text),
                                            snippets(source),
                                            marking));
            case TOKENS -> tokens(value, source.field().matching().of(source.path()));
        };
    }

    private SnippetSettings snippets(Source source) {
        return rules.of(source.field().field().name());
    }

    /** Returns the marks of a source; several sources together are marked by terms of any field. */
    private TextMarks marks(Source source, boolean anyField) {
        return marks.computeIfAbsent(
                new MarkedSource(source.field().field().name(), source.path(), anyField),
                _ ->
                        matcher.marks(
                                source.field(), source.path(), anyField, snippets(source), work));
    }

    private static FieldValue eachText(FieldValue value, UnaryOperator<String> change) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> new FieldValue.StringValue(change.apply(text));
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(each -> eachText(each, change)).toList());
            default -> value;
        };
    }

    /** Turns a text into its words, and a collection into an array of the words of each text. */
    private static FieldValue tokens(FieldValue value, MatchMode match) {
        return switch (value) {
            case FieldValue.StringValue(var text) ->
                    new FieldValue.ArrayValue(
                            tokens(text, match).stream()
                                    .<FieldValue>map(FieldValue.StringValue::new)
                                    .toList());
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(each -> tokens(each, match)).toList());
            case FieldValue.WeightedSetValue(var weights) ->
                    new FieldValue.ArrayValue(
                            weights.keySet().stream().map(each -> tokens(each, match)).toList());
            default -> value;
        };
    }

    private static List<String> tokens(String text, MatchMode match) {
        return match.unit() == MatchMode.Unit.VALUE
                ? List.of(match.folding().of(text))
                : TextMarks.words(text, match.analysis());
    }

    /** Returns a value with only the given elements; empty if there are none. */
    private static Optional<FieldValue> only(BitSet numbers, FieldValue value) {
        if (numbers.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(
                switch (value) {
                    case FieldValue.ArrayValue(var all) ->
                            new FieldValue.ArrayValue(numbers.stream().mapToObj(all::get).toList());
                    case FieldValue.WeightedSetValue(var all) ->
                            new FieldValue.WeightedSetValue(inOrder(only(all, numbers)));
                    case FieldValue.MapValue(var all) ->
                            new FieldValue.MapValue(only(all, numbers));
                    default -> value;
                });
    }

    private static int elements(FieldValue value) {
        return switch (value) {
            case FieldValue.ArrayValue(var all) -> all.size();
            case FieldValue.WeightedSetValue(var all) -> all.size();
            case FieldValue.MapValue(var all) -> all.size();
            default -> 0;
        };
    }

    private static Map<FieldValue, Integer> inOrder(Map<FieldValue, Integer> weights) {
        var ordered = new LinkedHashMap<FieldValue, Integer>();
        weights.keySet().stream()
                .sorted((a, b) -> HitOrder.compare(a, b, Comparator.naturalOrder()))
                .forEach(key -> ordered.put(key, weights.get(key)));
        return ordered;
    }

    private static <T> Map<FieldValue, T> only(Map<FieldValue, T> all, BitSet numbers) {
        var selected = new LinkedHashMap<FieldValue, T>();
        int index = 0;
        for (Map.Entry<FieldValue, T> entry : all.entrySet()) {
            if (numbers.get(index++)) {
                selected.put(entry.getKey(), entry.getValue());
            }
        }
        return selected;
    }
}
