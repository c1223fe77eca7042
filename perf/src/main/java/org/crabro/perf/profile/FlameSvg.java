package org.crabro.perf.profile;

import java.util.Locale;

/**
 * A stack tree as SVG: a rectangle for each frame, as wide as its share of the samples, below its
 * caller. Browsers show the frame and its share when the pointer is over it.
 */
final class FlameSvg {
    private static final int WIDTH = 1_400;
    private static final int LINE = 16;
    private static final int TOP = 28;
    private static final double MIN_WIDTH = 0.5;
    private static final double CHARACTER = 6.2;

    private final StringBuilder shapes = new StringBuilder();
    private final double all;
    private int depth;

    private FlameSvg(StackTree tree) {
        this.all = Math.max(1, tree.root().samples());
    }

    static String of(String title, StackTree tree) {
        var svg = new FlameSvg(tree);
        svg.add(tree.root(), 0, 0);
        int height = TOP + LINE * (svg.depth + 2);
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%1$d\" height=\"%2$d\" viewBox=\"0 0 %1$d %2$d\" font-family=\"monospace\" font-size=\"10\">\n<rect width=\"%1$d\" height=\"%2$d\" fill=\"#ffffff\"/>\n<text x=\"4\" y=\"18\" font-size=\"13\">%3$s</text>\n"
                        .formatted(WIDTH, height, escaped(title))
                + svg.shapes
                + "</svg>\n";
    }

    private void add(StackTree.Node node, double x, int level) {
        double width = WIDTH * node.samples() / all;
        if (width < MIN_WIDTH) {
            return;
        }
        depth = Math.max(depth, level);
        String frame = escaped(node.frame());
        int y = TOP + LINE * level;
        shapes.append(
                String.format(
                        Locale.ROOT,
                        "<g><title>%s, %.1f %%, %d samples</title><rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"0.4\"/>",
                        frame,
                        100 * node.samples() / all,
                        node.samples(),
                        x,
                        y,
                        width,
                        LINE - 1,
                        color(node.frame())));
        int characters = (int) (width / CHARACTER);
        if (characters > 3) {
            String text = node.frame();
            String shown =
                    text.length() <= characters ? text : text.substring(0, characters - 2) + "..";
            shapes.append(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%.1f\" y=\"%d\">%s</text>",
                            x + 2,
                            y + LINE - 5,
                            escaped(shown)));
        }
        shapes.append("</g>\n");
        double at = x;
        for (StackTree.Node callee : node.callees()) {
            add(callee, at, level + 1);
            at += WIDTH * callee.samples() / all;
        }
    }

    /** Frames of this project are orange, others gray. */
    private static String color(String frame) {
        return frame.startsWith("org.crabro.") ? "#f0a860" : "#cfd6da";
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
