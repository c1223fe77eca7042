package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The columns of a table of hits, and which of them fit a terminal. A column that does not get a
 * readable width is left out: those that repeat the id first, then the last ones. Titles and
 * matching texts stay longest.
 */
final class HitColumns {
    private static final Set<String> TITLES = Set.of("title", "subject", "name", "headline");
    private static final int GAP = 2;

    /** From this width on, columns are wide. */
    private static final int WIDE = 160;

    private static final int READABLE = 20;
    private static final int READABLE_WIDE = 32;
    private static final int LEAST = 6;

    /** Ids and titles are first. */
    private static final int FIRST = 0;

    private static final int RELEVANCE = 1;
    private static final int MATCHING = 2;
    private static final int OTHERS = 3;

    private final List<Column> columns = new ArrayList<>();

    /**
     * A column.
     *
     * @param rank columns with high ranks are left out first
     */
    private record Column(String name, List<String> texts, int rank) {
        /** Returns the width at which the column is readable. */
        int readable(int columns) {
            int most = columns < WIDE ? READABLE : READABLE_WIDE;
            int width = ResultTable.width(name, most);
            for (String text : texts) {
                width = Math.max(width, ResultTable.width(text, most));
            }
            return width;
        }
    }

    /** Adds the relevance or the id. */
    void add(String name, List<String> texts) {
        columns.add(new Column(name, texts, name.equals("relevance") ? RELEVANCE : FIRST));
    }

    /**
     * Adds a field.
     *
     * @param ids of the hits
     * @param isMatching whether a text has a word of the search
     */
    void add(String name, List<String> texts, List<String> ids, boolean isMatching) {
        int rank = OTHERS + columns.size();
        if (repeats(texts, ids)) {
            rank = Integer.MAX_VALUE;
        } else if (TITLES.contains(name)) {
            rank = FIRST;
        } else if (isMatching) {
            rank = MATCHING;
        }
        columns.add(new Column(name, texts, rank));
    }

    private static boolean repeats(List<String> texts, List<String> ids) {
        for (int i = 0; i < texts.size(); i++) {
            if (!texts.get(i).isEmpty() && !texts.get(i).equals(ids.get(i))) {
                return false;
            }
        }
        return true;
    }

    /** Returns the columns that fit. At least two are shown. */
    private List<Column> fitting(int width) {
        var shown = new ArrayList<>(columns);
        while (shown.size() > 2 && sum(shown, width) > width) {
            Column last = shown.getFirst();
            for (Column each : shown) {
                if (each.rank >= last.rank) {
                    last = each;
                }
            }
            shown.remove(last);
        }
        return shown;
    }

    private static int sum(List<Column> shown, int width) {
        return shown.stream().mapToInt(each -> each.readable(width) + GAP).sum() - GAP;
    }

    /** Returns the lines of the table. */
    List<String> lines(int width, boolean isColored) {
        List<Column> shown = fitting(width);
        boolean isReadable = sum(shown, width) <= width;
        var table =
                new ResultTable(
                        shown.stream().map(Column::name).toList(),
                        shown.stream()
                                .map(each -> isReadable ? each.readable(width) : LEAST)
                                .toList());
        int rows = columns.getFirst().texts.size();
        for (int row = 0; row < rows; row++) {
            int at = row;
            table.add(shown.stream().map(each -> each.texts.get(at)).toList());
        }
        return table.lines(width, isColored);
    }

    /**
     * Returns a line with the columns that do not fit.
     *
     * @param all what shows all
     */
    Optional<String> leftOut(int width, String all) {
        List<Column> shown = fitting(width);
        List<String> names =
                columns.stream()
                        .filter(each -> !shown.contains(each))
                        .sorted(Comparator.comparingInt(Column::rank))
                        .map(Column::name)
                        .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "columns without room here: %s (%s shows all)"
                                .formatted(String.join(", ", names), all));
    }
}
