package org.crabro.perf.scoreboard;

import java.util.List;
import java.util.Locale;
import org.crabro.perf.harness.Figures;

/** Groups of horizontal bars as SVG. The longest bar of each group has the full width. */
final class BarPlot {
    private static final int WIDTH = 760;
    private static final int LINE = 20;
    private static final int GAP = 12;
    private static final int BARS_AT = 170;
    private static final int BAR_MAX = 480;

    private final StringBuilder shapes = new StringBuilder();
    private int y;

    /** A bar, whose value is 0 or more. */
    record Bar(String name, double value) {}

    BarPlot(String title) {
        text(0, "bold", title);
        y = LINE + GAP;
    }

    /** Adds a group of bars below a heading. */
    void add(String heading, List<Bar> bars) {
        text(0, "bold", heading);
        y += LINE;
        double max = bars.stream().mapToDouble(Bar::value).max().orElse(0);
        for (Bar bar : bars) {
            text(0, "normal", bar.name());
            double width = max > 0 ? BAR_MAX * bar.value() / max : 0;
            shapes.append(
                    String.format(
                            Locale.ROOT,
                            "<rect x=\"%d\" y=\"%d\" width=\"%.0f\" height=\"%d\" fill=\"%s\"/>%n",
                            BARS_AT,
                            y + 3,
                            Math.max(1, width),
                            LINE - 6,
                            bar.name().equals("Crabro") ? "#d35400" : "#7f8c8d"));
            text(BARS_AT + (int) width + 6, "normal", Figures.number(bar.value()));
            y += LINE;
        }
        y += GAP;
    }

    private void text(int x, String weight, String text) {
        shapes.append(
                "<text x=\"%d\" y=\"%d\" font-weight=\"%s\">%s</text>\n"
                        .formatted(x, y + LINE - 6, weight, escaped(text)));
    }

    /** Returns text that can be in an element. */
    static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    String svg() {
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"%1$d\" height=\"%2$d\" fill=\"#ffffff\"/>\n"
                        .formatted(WIDTH, y + GAP)
                + shapes
                + "</svg>\n";
    }
}
