package org.crabro.content.result;

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
import org.crabro.config.schema.DocumentSummary.Elements;
import org.crabro.config.schema.DocumentSummary.Transform;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.content.match.Matcher;
import org.crabro.content.match.text.TextMarks;
import org.crabro.content.query.WorkMeter;
import org.crabro.document.FieldValue;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.Marking;

/** Transforms values as document summaries declare it. For one query and one thread. */
final class SummaryTransforms {
    private final Matcher matcher;
    private final SnippetRules rules;
    private final Marking marking;
    private final Map<String, TextMarks> marks = new HashMap<>();
    private final Function<SchemaField, BitSet> sought;
    private final Selection selected;
    private final WorkMeter work;

    /** Returns which of the first {@code count} elements a feature of the current row selects. */
    interface Selection {
        BitSet elements(String feature, int count);
    }

    /**
     * @param sought returns which elements of a field of the current row match the query
     * @param work counts the work on long texts
     */
    SummaryTransforms(
            Matcher matcher,
            SnippetRules rules,
            Marking marking,
            Function<SchemaField, BitSet> sought,
            Selection selected,
            WorkMeter work) {
        this.matcher = matcher;
        this.rules = rules;
        this.marking = marking;
        this.sought = sought;
        this.selected = selected;
        this.work = work;
    }

    /**
     * Returns the value of a field of a hit; empty if the hit does not have it.
     *
     * @param values the values of the sources that are set
     */
    Optional<FieldValue> shown(Map<SchemaField, FieldValue> values, SummaryFields.Shown field) {
        if (values.isEmpty()) {
            return Optional.empty();
        }
        var shaped = new ArrayList<FieldValue>();
        values.forEach((source, value) -> shaped(value, source, field).ifPresent(shaped::add));
        if (field.sources().size() == 1 || shaped.isEmpty()) {
            return shaped.stream().findFirst();
        }
        String between = field.transform() == Transform.DYNAMIC ? marking.separator() : " ";
        var texts = new ArrayList<String>();
        shaped.forEach(value -> addTexts(value, texts));
        return Optional.of(new FieldValue.StringValue(String.join(between, texts)));
    }

    /** Selects elements first, and then transforms each. */
    private Optional<FieldValue> shaped(
            FieldValue value, SchemaField field, SummaryFields.Shown shown) {
        Optional<FieldValue> selected =
                switch (shown.elements()) {
                    case Elements.All() -> Optional.of(value);
                    case Elements.Matched() -> only(sought.apply(field), value);
                    case Elements.SelectedBy(var feature) ->
                            only(this.selected.elements(feature, elements(value)), value);
                };
        return selected.map(each -> formed(each, field, shown.transform()));
    }

    private FieldValue formed(FieldValue value, SchemaField field, Transform transform) {
        return switch (transform) {
            case NONE -> value;
            case BOLDED ->
                    eachText(
                            value, text -> Highlighter.whole(text, marks(field).of(text), marking));
            case DYNAMIC ->
                    eachText(
                            value,
                            text ->
                                    Highlighter.parts(
                                            text, marks(field).of(text), snippets(field), marking));
            case TOKENS -> tokens(value, field);
        };
    }

    private SnippetSettings snippets(SchemaField field) {
        return rules.of(field.field().name());
    }

    private TextMarks marks(SchemaField field) {
        return marks.computeIfAbsent(
                field.field().name(), _ -> matcher.marks(field, snippets(field), work));
    }

    private static FieldValue eachText(FieldValue value, UnaryOperator<String> change) {
        return switch (value) {
            case FieldValue.StringValue(var text) -> new FieldValue.StringValue(change.apply(text));
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(each -> eachText(each, change)).toList());
            case FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _,
                    FieldValue.WeightedSetValue _,
                    FieldValue.MapValue _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    value;
        };
    }

    /** Turns a text into its words, and a collection into an array of the words of each text. */
    private static FieldValue tokens(FieldValue value, SchemaField field) {
        return switch (value) {
            case FieldValue.StringValue(var text) ->
                    new FieldValue.ArrayValue(
                            tokens(text, field.matching().mode()).stream()
                                    .<FieldValue>map(FieldValue.StringValue::new)
                                    .toList());
            case FieldValue.ArrayValue(var elements) ->
                    new FieldValue.ArrayValue(
                            elements.stream().map(each -> tokens(each, field)).toList());
            case FieldValue.WeightedSetValue(var weights) ->
                    new FieldValue.ArrayValue(
                            weights.keySet().stream().map(each -> tokens(each, field)).toList());
            case FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _,
                    FieldValue.MapValue _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    value;
        };
    }

    private static List<String> tokens(String text, MatchMode match) {
        return match.unit() == MatchMode.Unit.VALUE
                ? List.of(match.folding().of(text))
                : TextMarks.words(text, match.folding());
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
                    case FieldValue.StringValue _,
                            FieldValue.BoolValue _,
                            FieldValue.IntValue _,
                            FieldValue.LongValue _,
                            FieldValue.FloatValue _,
                            FieldValue.DoubleValue _,
                            FieldValue.StructValue _,
                            FieldValue.TensorValue _,
                            FieldValue.MixedTensorValue _ ->
                            value;
                });
    }

    private static int elements(FieldValue value) {
        return switch (value) {
            case FieldValue.ArrayValue(var all) -> all.size();
            case FieldValue.WeightedSetValue(var all) -> all.size();
            case FieldValue.MapValue(var all) -> all.size();
            case FieldValue.StringValue _,
                    FieldValue.BoolValue _,
                    FieldValue.IntValue _,
                    FieldValue.LongValue _,
                    FieldValue.FloatValue _,
                    FieldValue.DoubleValue _,
                    FieldValue.StructValue _,
                    FieldValue.TensorValue _,
                    FieldValue.MixedTensorValue _ ->
                    0;
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
        var kept = new LinkedHashMap<FieldValue, T>();
        int index = 0;
        for (Map.Entry<FieldValue, T> entry : all.entrySet()) {
            if (numbers.get(index++)) {
                kept.put(entry.getKey(), entry.getValue());
            }
        }
        return kept;
    }

    private static void addTexts(FieldValue value, List<String> into) {
        switch (value) {
            case FieldValue.StringValue(var text) -> into.add(text);
            case FieldValue.BoolValue(var bool) -> into.add(String.valueOf(bool));
            case FieldValue.IntValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.LongValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.FloatValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.DoubleValue(var number) -> into.add(String.valueOf(number));
            case FieldValue.ArrayValue(var elements) ->
                    elements.forEach(element -> addTexts(element, into));
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet().forEach(element -> addTexts(element, into));
            case FieldValue.MapValue(var entries) ->
                    entries.values().forEach(entry -> addTexts(entry, into));
            case FieldValue.StructValue(var fields) ->
                    fields.values().forEach(member -> addTexts(member, into));
            case FieldValue.TensorValue _, FieldValue.MixedTensorValue _ -> {
                // No text.
            }
        }
    }
}
