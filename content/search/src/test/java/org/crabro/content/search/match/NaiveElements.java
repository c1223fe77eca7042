package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.crabro.document.FieldValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.RangeEnd;
import org.crabro.text.Tokenizer;
import org.jspecify.annotations.Nullable;

/**
 * Matches conditions on parts of values as in the specification, with lists of values. It shares no
 * code with the scanner except the tokenizer. Texts of a field called {@code words} are tokenized;
 * all others are compared as whole values in lower case.
 */
final class NaiveElements {
    private NaiveElements() {}

    static boolean matches(QueryNode node, Map<String, FieldValue> fields) {
        return holds(node, name -> values(name, fields), fields);
    }

    /** Returns the values that a name in a condition denotes. */
    private interface Values {
        List<FieldValue> of(String name);
    }

    private static boolean holds(QueryNode node, Values values, Map<String, FieldValue> fields) {
        return switch (node) {
            case QueryNode.And(var children) ->
                    children.stream().allMatch(child -> holds(child, values, fields));
            case QueryNode.Or(var children) ->
                    children.stream().anyMatch(child -> holds(child, values, fields));
            case QueryNode.Equiv(var children) ->
                    children.stream().anyMatch(child -> holds(child, values, fields));
            case QueryNode.Without(var include, var exclude) ->
                    holds(include, values, fields)
                            && exclude.stream().noneMatch(out -> holds(out, values, fields));
            case QueryNode.All() -> true;
            case QueryNode.SameElement(var name, var conditions, var elements) ->
                    sameElement(fields.get(name), conditions, elements);
            case QueryNode.Term(var name, var text, _) ->
                    any(values.of(name), value -> isTerm(name, text, value));
            case QueryNode.Range(var name, var low, var high, _) ->
                    any(values.of(name), value -> isBetween(value, low, high));
            case QueryNode.BooleanEquals(var name, var wanted, _) ->
                    any(values.of(name), new FieldValue.BoolValue(wanted)::equals);
            case QueryNode.Regex(var name, var expression, _) ->
                    any(
                            values.of(name),
                            value ->
                                    text(value)
                                            .filter(text ->
                                                    java.util.regex.Pattern.compile(
                                                                    expression,
                                                                    java.util.regex.Pattern
                                                                            .CASE_INSENSITIVE)
                                                            .matcher(text)
                                                            .find())
                                            .isPresent());
            case QueryNode.Fuzzy fuzzy ->
                    any(
                            values.of(fuzzy.field()),
                            value -> text(value).filter(text -> isLike(fuzzy, text)).isPresent());
            case QueryNode.Near near ->
                    any(
                            values.of(near.field()),
                            value -> text(value).filter(text -> isNear(near, text)).isPresent());
            case QueryNode.AnyOf any -> anyOf(any, values, fields);
            case QueryNode.GeoCircle circle ->
                    any(values.of(circle.field()), value -> isInside(circle, value));
            case QueryNode.GeoBox box -> any(values.of(box.field()), value -> isInside(box, value));
            default -> throw new IllegalArgumentException(node.toString());
        };
    }

    private static boolean any(List<FieldValue> values, Predicate<FieldValue> condition) {
        return values.stream().anyMatch(condition);
    }

    /** Returns all simple values and locations that a name denotes. */
    private static List<FieldValue> values(String name, Map<String, FieldValue> fields) {
        int end = 0;
        while (end < name.length() && name.charAt(end) != '.' && name.charAt(end) != '{') {
            end++;
        }
        FieldValue value = fields.get(name.substring(0, end));
        return value == null ? List.of() : parts(value, name.substring(end));
    }

    private static List<FieldValue> parts(FieldValue value, String path) {
        return switch (value) {
            case FieldValue.ArrayValue(var elements) ->
                    elements.stream().flatMap(element -> parts(element, path).stream()).toList();
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet().stream().flatMap(key -> parts(key, path).stream()).toList();
            case FieldValue.MapValue(var entries) -> {
                var parts = new ArrayList<FieldValue>();
                entries.forEach((key, each) -> parts.addAll(entry(key, each, path)));
                yield parts;
            }
            case FieldValue.StructValue(var members) -> {
                if (members.containsKey("lat")) {
                    yield List.of(value);
                }
                if (path.isEmpty()) {
                    yield members.values().stream()
                            .flatMap(member -> parts(member, "").stream())
                            .toList();
                }
                String tail = path.substring(1);
                int end = tail.indexOf('.') < 0 ? tail.length() : tail.indexOf('.');
                FieldValue member = members.get(tail.substring(0, end));
                yield member == null ? List.of() : parts(member, tail.substring(end));
            }
            default -> path.isEmpty() ? List.of(value) : List.of();
        };
    }

    private static List<FieldValue> entry(FieldValue key, FieldValue value, String path) {
        if (path.isEmpty()) {
            var both = new ArrayList<>(parts(key, ""));
            both.addAll(parts(value, ""));
            return both;
        }
        if (path.startsWith(".key")) {
            return parts(key, path.substring(4));
        }
        if (path.startsWith(".value")) {
            return parts(value, path.substring(6));
        }
        int close = path.indexOf('}');
        return key.equals(new FieldValue.StringValue(path.substring(1, close)))
                ? parts(value, path.substring(close + 1))
                : List.of();
    }

    private static boolean sameElement(
            @Nullable FieldValue value, List<QueryNode> conditions, List<Integer> chosen) {
        var elements = new ArrayList<Values>();
        switch (value) {
            case FieldValue.ArrayValue(var each) ->
                    each.forEach(element -> elements.add(name -> parts(element, dotted(name))));
            case FieldValue.WeightedSetValue(var weights) ->
                    weights.keySet()
                            .forEach(element -> elements.add(name -> parts(element, dotted(name))));
            case FieldValue.MapValue(var entries) ->
                    entries.forEach(
                            (key, each) -> elements.add(name -> entry(key, each, dotted(name))));
            case null, default -> {}
        }
        for (int i = 0; i < elements.size(); i++) {
            Values element = elements.get(i);
            boolean asked = chosen.isEmpty() || chosen.contains(i);
            if (asked
                    && conditions.stream()
                            .allMatch(condition -> holds(condition, element, Map.of()))) {
                return true;
            }
        }
        return false;
    }

    private static String dotted(String name) {
        return name.isEmpty() ? "" : "." + name;
    }

    private static Optional<String> text(FieldValue value) {
        return value instanceof FieldValue.StringValue(var text)
                ? Optional.of(text)
                : Optional.empty();
    }

    private static boolean isTerm(String field, String wanted, FieldValue value) {
        if (text(value).isPresent()) {
            return field.equals("words")
                    ? contains(Tokenizer.tokens(text(value).get()), Tokenizer.tokens(wanted))
                    : text(value)
                            .get()
                            .toLowerCase(Locale.ROOT)
                            .equals(wanted.toLowerCase(Locale.ROOT));
        }
        return wanted.matches("-?[0-9]+")
                && isBetween(
                        value,
                        new RangeEnd.Whole(Long.parseLong(wanted), true),
                        new RangeEnd.Whole(Long.parseLong(wanted), true));
    }

    private static boolean contains(List<String> words, List<String> wanted) {
        return !wanted.isEmpty() && java.util.Collections.indexOfSubList(words, wanted) >= 0;
    }

    private static boolean isBetween(FieldValue value, RangeEnd low, RangeEnd high) {
        Optional<Double> number = number(value);
        return number.isPresent()
                && order(number.get(), low) >= 0
                && order(number.get(), high) <= 0
                && !isOpenAt(number.get(), low)
                && !isOpenAt(number.get(), high);
    }

    private static Optional<Double> number(@Nullable FieldValue value) {
        return switch (value) {
            case FieldValue.IntValue(int number) -> Optional.of((double) number);
            case FieldValue.LongValue(long number) -> Optional.of((double) number);
            case FieldValue.DoubleValue(double number) -> Optional.of(number);
            case null, default -> Optional.empty();
        };
    }

    private static int order(double number, RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> 0;
            case RangeEnd.Whole(long value, _) -> Double.compare(number, (double) value);
            case RangeEnd.Real(double value, _) -> Double.compare(number, value);
        };
    }

    private static boolean isOpenAt(double number, RangeEnd end) {
        return switch (end) {
            case RangeEnd.Unbounded() -> false;
            case RangeEnd.Whole(long value, boolean included) -> !included && number == value;
            case RangeEnd.Real(double value, boolean included) -> !included && number == value;
        };
    }

    private static boolean isLike(QueryNode.Fuzzy fuzzy, String text) {
        String wanted = fuzzy.text().toLowerCase(Locale.ROOT);
        String folded = text.toLowerCase(Locale.ROOT);
        int fixed = Math.min(fuzzy.prefixLength(), wanted.length());
        if (!folded.startsWith(wanted.substring(0, fixed))) {
            return false;
        }
        for (int end = fuzzy.prefix() ? 0 : folded.length(); end <= folded.length(); end++) {
            if (edits(wanted, folded.substring(0, end)) <= fuzzy.maxEdits()) {
                return true;
            }
        }
        return false;
    }

    private static int edits(String a, String b) {
        if (a.isEmpty() || b.isEmpty()) {
            return a.length() + b.length();
        }
        var table = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    table[i][j] = i + j;
                } else {
                    int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                    table[i][j] =
                            Math.min(
                                    table[i - 1][j - 1] + same,
                                    Math.min(table[i - 1][j], table[i][j - 1]) + 1);
                }
            }
        }
        return table[a.length()][b.length()];
    }

    /** Tries every combination of positions. */
    private static boolean isNear(QueryNode.Near near, String text) {
        List<String> words = Tokenizer.tokens(text);
        List<List<Integer>> places = near.near().stream().map(node -> places(node, words)).toList();
        List<Integer> out =
                near.exclude().stream().flatMap(node -> places(node, words).stream()).toList();
        return isNear(near, places, out, new ArrayList<>());
    }

    private static boolean isNear(
            QueryNode.Near near,
            List<List<Integer>> places,
            List<Integer> out,
            List<Integer> chosen) {
        if (chosen.size() == places.size()) {
            int low = chosen.stream().mapToInt(Integer::intValue).min().orElseThrow();
            int high = chosen.stream().mapToInt(Integer::intValue).max().orElseThrow();
            int room = near.exclusionDistance();
            return high - low <= near.distance()
                    && out.stream().noneMatch(each -> each >= low - room && each <= high + room);
        }
        for (int place : places.get(chosen.size())) {
            boolean inOrder = chosen.isEmpty() || chosen.getLast() < place;
            if (inOrder || !near.ordered()) {
                chosen.add(place);
                if (isNear(near, places, out, chosen)) {
                    return true;
                }
                chosen.removeLast();
            }
        }
        return false;
    }

    private static List<Integer> places(QueryNode node, List<String> words) {
        var places = new ArrayList<Integer>();
        switch (node) {
            case QueryNode.Term(_, var text, _) -> addPlaces(Tokenizer.tokens(text), words, places);
            case QueryNode.Phrase(_, var phrase, _) ->
                    addPlaces(
                            phrase.stream()
                                    .flatMap(each -> Tokenizer.tokens(each).stream())
                                    .toList(),
                            words,
                            places);
            case QueryNode.Equiv(var alternatives) ->
                    alternatives.forEach(each -> places.addAll(places(each, words)));
            default -> throw new IllegalArgumentException(node.toString());
        }
        return places;
    }

    private static void addPlaces(List<String> wanted, List<String> words, List<Integer> into) {
        for (int at = 0; !wanted.isEmpty() && at + wanted.size() <= words.size(); at++) {
            if (words.subList(at, at + wanted.size()).equals(wanted)) {
                into.add(at);
            }
        }
    }

    private static boolean anyOf(
            QueryNode.AnyOf any, Values values, Map<String, FieldValue> fields) {
        if (any.kind() != QueryNode.AnyOf.Kind.DOT_PRODUCT || any.threshold() <= 0) {
            return any(
                    values.of(any.field()),
                    value ->
                            any.keys().stream()
                                    .anyMatch(key -> isTerm(any.field(), key.key(), value)));
        }
        double sum = 0;
        for (QueryNode.WeightedKey key : any.keys()) {
            switch (fields.get(any.field())) {
                case FieldValue.WeightedSetValue(var weights) -> {
                    for (Map.Entry<FieldValue, Integer> each : weights.entrySet()) {
                        sum +=
                                isTerm(any.field(), key.key(), each.getKey())
                                        ? key.weight() * each.getValue()
                                        : 0;
                    }
                }
                case FieldValue.ArrayValue(var elements) -> {
                    for (FieldValue each : elements) {
                        sum += isTerm(any.field(), key.key(), each) ? key.weight() : 0;
                    }
                }
                case null -> {}
                case FieldValue value ->
                        sum += isTerm(any.field(), key.key(), value) ? key.weight() : 0;
            }
        }
        return sum > any.threshold();
    }

    private static double coordinate(FieldValue place, String name) {
        return number(((FieldValue.StructValue) place).fields().get(name)).orElseThrow();
    }

    private static boolean isInside(QueryNode.GeoCircle circle, FieldValue place) {
        double north = coordinate(place, "lat") - circle.latitude();
        double east =
                (coordinate(place, "lng") - circle.longitude())
                        * Math.cos(Math.toRadians(circle.latitude()));
        return circle.radius() < 0 || Math.hypot(north, east) <= circle.radius();
    }

    private static boolean isInside(QueryNode.GeoBox box, FieldValue place) {
        double north = coordinate(place, "lat");
        double east = coordinate(place, "lng");
        boolean between =
                box.west() <= box.east()
                        ? east >= box.west() && east <= box.east()
                        : east >= box.west() || east <= box.east();
        return north >= box.south() && north <= box.north() && between;
    }
}
