package org.crabro.docs.pages;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.crabro.docs.SourceTree;

/**
 * The plot of Crabro and other programs. It is made from the table below the heading "Compared with
 * other programs" on the page about performance: a bar for each row, as long as its figure over the
 * largest one of its task.
 */
final class PeersPlot {
    static final String PATH = "docs/images/peers.svg";

    private static final String PAGE = "docs/performance.md";
    private static final String HEADING = "## Compared with other programs";

    private static final int WIDTH = 720;
    private static final int LINE = 22;
    private static final int GAP = 14;
    private static final int BARS_AT = 210;
    private static final int BAR_MAX = 420;

    private PeersPlot() {}

    private record Bar(String program, String figure) {
        double value() {
            return Double.parseDouble(figure.replace(",", ""));
        }
    }

    /** Returns the SVG that the table asks for. */
    static String of(SourceTree tree) {
        Map<String, List<Bar>> tasks = tasks(tree.text(PAGE));
        var lines = new StringBuilder();
        int y = LINE;
        for (Map.Entry<String, List<Bar>> task : tasks.entrySet()) {
            lines.append(text(0, y, "bold", task.getKey()));
            double max = task.getValue().stream().mapToDouble(Bar::value).max().orElse(1);
            for (Bar bar : task.getValue()) {
                y += LINE;
                lines.append(line(y, bar, (int) Math.round(BAR_MAX * bar.value() / max)));
            }
            y += LINE + GAP;
        }
        int height = y - LINE;
        return """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" font-family="sans-serif" font-size="14">
        <rect width="%1$d" height="%2$d" fill="#ffffff"/>
        """
                        .formatted(WIDTH, height)
                + lines
                + "</svg>\n";
    }

    private static Map<String, List<Bar>> tasks(String page) {
        Map<String, List<Bar>> tasks = new LinkedHashMap<>();
        String task = "";
        List<String> rows =
                page.lines()
                        .dropWhile(line -> !line.equals(HEADING))
                        .skip(1)
                        .takeWhile(line -> !line.startsWith("## "))
                        .filter(line -> line.startsWith("| "))
                        .skip(1)
                        .toList();
        for (String row : rows) {
            String[] cells = row.split("\\|", -1);
            task = cells[1].isBlank() ? task : cells[1].strip();
            tasks.computeIfAbsent(task, _ -> new ArrayList<>())
                    .add(new Bar(cells[2].strip(), cells[3].strip()));
        }
        return tasks;
    }

    private static String line(int y, Bar bar, int length) {
        boolean isOurs = bar.program().toLowerCase(Locale.ROOT).startsWith("crabro");
        return text(16, y, "normal", bar.program())
                + "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"14\" fill=\"%s\"/>\n"
                        .formatted(
                                BARS_AT,
                                y - 12,
                                Math.max(length, 1),
                                isOurs ? "#1f5fa8" : "#a9b4c2")
                + text(BARS_AT + length + 8, y, "normal", bar.figure());
    }

    private static String text(int x, int y, String weight, String text) {
        return "<text x=\"%d\" y=\"%d\" font-weight=\"%s\" fill=\"#1b1f24\">%s</text>\n"
                .formatted(x, y, weight, text.replace("&", "&amp;").replace("<", "&lt;"));
    }
}
