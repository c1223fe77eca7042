package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jline.utils.WCWidth;
import picocli.CommandLine.Help.Ansi;

/** Rows of texts in columns, as wide as a terminal. */
public final class ResultTable {
    private static final String GAP = "  ";
    private static final int LEAST_WIDTH = 6;
    private static final String ELLIPSIS = "…";

    private final List<String> names;
    private final int[] least;
    private final List<List<String>> rows = new ArrayList<>();

    public ResultTable(List<String> names) {
        this(names, Collections.nCopies(names.size(), LEAST_WIDTH));
    }

    /**
     * @param least the widths at which no more is taken from columns
     */
    ResultTable(List<String> names, List<Integer> least) {
        this.names = List.copyOf(names);
        this.least = least.stream().mapToInt(Integer::intValue).toArray();
    }

    /** Adds a row with a text for each column. Line ends and control characters become spaces. */
    public void add(List<String> texts) {
        if (texts.size() != names.size()) {
            throw new IllegalArgumentException(
                    texts.size() + " texts, " + names.size() + " columns");
        }
        rows.add(texts.stream().map(ResultTable::line).toList());
    }

    static String line(String text) {
        return text.replaceAll("[\\p{Cntrl}\\s]+", " ").strip();
    }

    /**
     * Returns the lines: names, then rows. Long texts are cut at the end, and end with an ellipsis.
     * No text is read beyond the width of the terminal.
     *
     * @param columns the width of the terminal
     * @param isColored whether names are bold
     */
    public List<String> lines(int columns, boolean isColored) {
        int[] widths = widths(columns);
        List<String> lines = new ArrayList<>();
        String head = line(names, widths);
        lines.add(isColored ? Ansi.ON.string("@|bold " + head + "|@") : head);
        for (List<String> row : rows) {
            lines.add(line(row, widths));
        }
        return lines;
    }

    /** Takes from the widest columns until all fit. */
    private int[] widths(int columns) {
        int[] widths = new int[names.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = width(names.get(i), columns);
            for (List<String> row : rows) {
                widths[i] = Math.max(widths[i], width(row.get(i), columns));
            }
        }
        int left = columns - GAP.length() * (widths.length - 1);
        for (int sum = sum(widths); sum > left; sum = sum(widths)) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                if (widths[i] > least[i] && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0) {
                break;
            }
            widths[widest] =
                    Math.max(least[widest], widths[widest] - Math.max(1, (sum - left) / 4));
        }
        return widths;
    }

    private static int sum(int[] widths) {
        int sum = 0;
        for (int width : widths) {
            sum += width;
        }
        return sum;
    }

    private static String line(List<String> texts, int[] widths) {
        var line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            if (i > 0) {
                line.append(GAP);
            }
            String text = cut(texts.get(i), widths[i]);
            line.append(text).repeat(' ', widths[i] - width(text, widths[i]));
        }
        return line.toString().stripTrailing();
    }

    private static String cut(String text, int width) {
        int fitting = end(text, width);
        return fitting == text.length()
                ? text
                : text.substring(0, end(text, width - ELLIPSIS.length())) + ELLIPSIS;
    }

    /** Returns the width on a terminal; {@code most} if it is larger. */
    static int width(String text, int most) {
        int width = 0;
        for (int at = 0; at < text.length(); ) {
            int character = text.codePointAt(at);
            width += width(character);
            if (width >= most) {
                return most;
            }
            at += Character.charCount(character);
        }
        return width;
    }

    /** Returns the end of the longest begin of a text that fits. */
    private static int end(String text, int most) {
        int width = 0;
        int at = 0;
        while (at < text.length()) {
            int character = text.codePointAt(at);
            width += width(character);
            if (width > most) {
                return at;
            }
            at += Character.charCount(character);
        }
        return at;
    }

    /** East Asian characters are twice as wide as others, and combining ones have no width. */
    private static int width(int character) {
        return Math.max(0, WCWidth.wcwidth(character));
    }
}
