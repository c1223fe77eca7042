package org.crabro.content.search.match;

import java.util.ArrayList;
import java.util.List;
import org.crabro.protocol.search.PlanCondition;

/**
 * Wraps conditions so that they count their work, and returns the counts as lines of text or as a
 * tree. Conditions are listed in the order of evaluation; in lines, nested conditions are indented.
 */
final class Explanation {
    private static final String STEP = "  ";

    private Explanation() {}

    /**
     * Returns a condition that matches the same rows as {@code filter}. It and all its parts count
     * their work.
     */
    static Filter counted(Filter filter) {
        Filter inside =
                switch (filter) {
                    case Filter.Every(var parts) ->
                            new Filter.Every(parts.stream().map(Explanation::counted).toList());
                    case Filter.Any(var parts) ->
                            new Filter.Any(parts.stream().map(Explanation::counted).toList());
                    case Filter.Except(var included, var out) ->
                            new Filter.Except(counted(included), counted(out));
                    case Filter.Counted(var of, _) -> of;
                    case Filter.Leaf _ -> filter;
                };
        return new Filter.Counted(inside, new FilterCounts());
    }

    /** Returns one line of text for each counting condition. */
    static List<String> lines(Filter filter) {
        var lines = new ArrayList<String>();
        add(filter, "", lines);
        return lines;
    }

    /**
     * Returns the tree of a counting condition.
     *
     * @param searches the nearest-neighbor searches, which count their conditions too
     */
    static PlanCondition tree(Filter filter, ConditionText texts, List<NearestSearch> searches) {
        if (!(filter instanceof Filter.Counted counted)) {
            throw new IllegalArgumentException("a condition that does not count: " + filter.text());
        }
        Filter of = counted.of();
        List<Filter> parts =
                switch (of) {
                    case Filter.Every(var all) -> all;
                    case Filter.Any(var any) -> any;
                    case Filter.Except(var included, var out) -> List.of(included, out);
                    case Filter.Selected(int search, _) -> List.of(searches.get(search).compared());
                    case Filter.Counted _, Filter.Leaf _ -> List.of();
                };
        return new PlanCondition(
                operator(of),
                texts.of(of),
                counted.counts().plan(),
                parts.stream().map(part -> tree(part, texts, searches)).toList());
    }

    private static String operator(Filter filter) {
        return switch (filter) {
            case Filter.Every _ -> "and";
            case Filter.Any _ -> "or";
            case Filter.Except _ -> "without";
            case Filter.Everything _ -> "all";
            case Filter.Nothing _ -> "none";
            case NumberFilter _ -> "number";
            case Filter.Text _ -> "text";
            case Filter.Values _ -> "value";
            case Filter.Selected _ -> "nearest";
            case Filter.Counted(var of, _) -> operator(of);
        };
    }

    private static void add(Filter filter, String indent, List<String> lines) {
        if (!(filter instanceof Filter.Counted(var of, var counts))) {
            return;
        }
        lines.add("%s%s: %s".formatted(indent, name(of), counts.text()));
        switch (of) {
            case Filter.Every(var parts) -> parts.forEach(part -> add(part, indent + STEP, lines));
            case Filter.Any(var parts) -> parts.forEach(part -> add(part, indent + STEP, lines));
            case Filter.Except(var included, var out) -> {
                add(included, indent + STEP, lines);
                add(out, indent + STEP + "not ", lines);
            }
            case Filter.Counted _, Filter.Leaf _ -> {}
        }
    }

    private static String name(Filter filter) {
        return switch (filter) {
            case Filter.Every _ -> "and";
            case Filter.Any _ -> "or";
            case Filter.Except _ -> "without";
            case Filter.Everything _ -> "everything";
            case Filter.Nothing _ -> "nothing";
            case NumberFilter range ->
                    "number %s %s (cost %d a row)"
                            .formatted(range.name(), range.range().text(), range.cost());
            case Filter.Text text -> "text %s (cost %d a row)".formatted(text.name(), text.cost());
            case Filter.Values values ->
                    "values %s (cost %d a row)".formatted(values.name(), values.cost());
            case Filter.Selected selected -> "nearest " + selected.name();
            case Filter.Counted counted -> name(counted.of());
        };
    }
}
