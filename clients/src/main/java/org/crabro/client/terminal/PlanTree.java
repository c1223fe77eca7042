package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import picocli.CommandLine.Help.Ansi;
import tools.jackson.databind.JsonNode;

/** The plan of a query, drawn as a tree. {@code docs/explain.md} describes its JSON. */
public final class PlanTree {
    private static final String BRANCH = "├─ ";
    private static final String LAST = "└─ ";
    private static final String TRUNK = "│  ";
    private static final String NOTHING = "   ";

    private final boolean isColored;

    /**
     * @param isColored whether the names of what is listed are bold
     */
    public PlanTree(boolean isColored) {
        this.isColored = isColored;
    }

    /** A line of the tree and the lines below it. */
    private record Node(String text, List<Node> children) {
        Node(String text) {
            this(text, List.of());
        }
    }

    /** Returns the lines of a plan. */
    public List<String> lines(JsonNode plan) {
        var lines = new ArrayList<String>();
        lines.add(bold("query") + ": " + millis(plan) + phases(plan));
        plan.path("searches").forEach(search -> draw(search(search), lines));
        if (!plan.path("hits").isEmpty()) {
            draw(new Node(bold("hits"), nodes(plan.path("hits"), PlanTree::hit)), lines);
        }
        return lines;
    }

    private static void draw(Node node, List<String> lines) {
        lines.add(node.text());
        drawChildren(node, "", lines);
    }

    private static void drawChildren(Node node, String indent, List<String> lines) {
        for (int i = 0; i < node.children().size(); i++) {
            Node child = node.children().get(i);
            boolean isLast = i == node.children().size() - 1;
            lines.add(indent + (isLast ? LAST : BRANCH) + child.text());
            drawChildren(child, indent + (isLast ? NOTHING : TRUNK), lines);
        }
    }

    private interface Drawing {
        Node of(JsonNode json);
    }

    private static List<Node> nodes(JsonNode list, Drawing drawing) {
        var nodes = new ArrayList<Node>();
        list.forEach(each -> nodes.add(drawing.of(each)));
        return nodes;
    }

    private Node search(JsonNode search) {
        return new Node(
                "%s, rank profile %s"
                        .formatted(
                                bold(
                                        search.path("cluster").asString("")
                                                + "."
                                                + search.path("schema").asString("")),
                                search.path("profile").asString("")),
                nodes(search.path("nodes"), this::node));
    }

    private Node node(JsonNode node) {
        var children = new ArrayList<Node>();
        children.add(new Node(bold("times") + phases(node)));
        children.add(new Node(bold("read"), nodes(node.path("reads"), PlanTree::read)));
        children.add(new Node(bold("conditions"), List.of(condition(node.path("condition")))));
        return new Node(
                String.format(
                        Locale.ROOT,
                        "%s of %s match; %s, %s, %.1f ms of CPU, %s from the disk",
                        count(node, "matches"),
                        counted(node, "documents", "document"),
                        counted(node, "partitions", "partition"),
                        counted(node, "threads", "thread"),
                        node.path("cpuMillis").asDouble(0),
                        bytes(node, "deviceBytes")),
                children);
    }

    private static Node read(JsonNode read) {
        String place = read.path("place").asString("");
        return new Node(
                switch (place) {
                    case "cache" ->
                            "cache: %s of blocks used, %s"
                                    .formatted(
                                            counted(read, "blocks", "entry", "entries"),
                                            bytes(read, "bytes"));
                    case "runs" -> counted(read, "runs", "run") + ": " + blocks(read);
                    default -> place + " documents: " + blocks(read);
                });
    }

    private static String blocks(JsonNode read) {
        return "%s read, %s skipped, %s, %s"
                .formatted(
                        counted(read, "blocks", "block"),
                        count(read, "skippedBlocks"),
                        counted(read, "rows", "document"),
                        bytes(read, "bytes"));
    }

    private static Node condition(JsonNode condition) {
        String text = condition.path("text").asString("");
        String operator = condition.path("operator").asString("");
        long skipped = condition.path("skippedBlocks").asLong(0);
        return new Node(
                "%s: %s of %s (%s expected)%s, %s"
                        .formatted(
                                text.isEmpty() ? operator : text,
                                count(condition, "matches"),
                                count(condition, "candidates"),
                                count(condition, "expected"),
                                skipped == 0
                                        ? ""
                                        : ", skipped "
                                                + counted(condition, "skippedBlocks", "block"),
                                millis(condition)),
                nodes(condition.path("children"), PlanTree::condition));
    }

    private static Node hit(JsonNode hit) {
        var text = new StringBuilder();
        text.append(String.format(Locale.ROOT, "%.4f", hit.path("relevance").asDouble(0)));
        text.append("  ").append(hit.path("id").asString(""));
        hit.path("features")
                .properties()
                .forEach(feature ->
                        text.append("  ")
                                .append(feature.getKey())
                                .append(' ')
                                .append(value(feature.getValue())));
        return new Node(text.toString());
    }

    private static String value(JsonNode value) {
        return value.isNumber()
                ? String.format(Locale.ROOT, "%.4g", value.asDouble())
                : value.toString();
    }

    private static String phases(JsonNode of) {
        var text = new StringBuilder();
        String separator = ": ";
        for (JsonNode phase : of.path("phases")) {
            text.append(separator)
                    .append(phase.path("name").asString(""))
                    .append(' ')
                    .append(millis(phase));
            separator = ", ";
        }
        return text.toString();
    }

    private static String millis(JsonNode of) {
        return String.format(Locale.ROOT, "%.3f ms", of.path("millis").asDouble(0));
    }

    private static String count(JsonNode of, String member) {
        return String.format(Locale.ROOT, "%,d", of.path(member).asLong(0));
    }

    private static String counted(JsonNode of, String member, String one) {
        return counted(of, member, one, one + "s");
    }

    private static String counted(JsonNode of, String member, String one, String several) {
        return count(of, member) + " " + (of.path(member).asLong(0) == 1 ? one : several);
    }

    private static String bytes(JsonNode of, String member) {
        long bytes = of.path(member).asLong(0);
        return bytes < 10_000
                ? counted(of, member, "byte")
                : String.format(Locale.ROOT, "%,d KiB", Math.round(bytes / 1024.0));
    }

    private String bold(String text) {
        return isColored ? Ansi.ON.string("@|bold " + text + "|@") : text;
    }
}
