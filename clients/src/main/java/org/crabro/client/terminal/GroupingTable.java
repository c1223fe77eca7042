package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.client.query.QueryAnswer;
import tools.jackson.databind.JsonNode;

/**
 * The groups of a grouping as a table.
 *
 * @param table a row for each group, with a column for each of its values
 * @param remaining how many groups are not shown, and what shows them
 */
record GroupingTable(ResultTable table, Optional<String> remaining) {
    /** The message of a server that leaves out groups. */
    private static final Pattern PARTLY = Pattern.compile("^(\\d+) of (\\d+) groups\\b.*");

    /** A row: the values of the group and of those around it, and its outputs. */
    private record Row(String path, JsonNode outputs) {}

    /** Returns a table for each grouping of a result. */
    static List<GroupingTable> of(QueryAnswer answer) {
        List<GroupingTable> tables = new ArrayList<>();
        for (JsonNode root : answer.root().path("children")) {
            if (!root.path("id").asString("").startsWith("group:root")) {
                continue;
            }
            if (root.path("fields").isObject() && !root.path("fields").isEmpty()) {
                tables.add(
                        new GroupingTable(
                                table("all", List.of(new Row("", root.path("fields")))),
                                Optional.empty()));
            }
            root.path("children")
                    .forEach(list -> {
                        if (list.has("label")) {
                            tables.add(ofList(list));
                        }
                    });
        }
        return tables;
    }

    private static GroupingTable ofList(JsonNode list) {
        List<Row> rows = new ArrayList<>();
        list.path("children").forEach(group -> add(group, "", rows));
        Matcher partly = PARTLY.matcher(list.path("message").asString(""));
        return new GroupingTable(
                table(list.path("label").asString("group"), rows),
                partly.matches()
                        ? Optional.of(
                                "%s of %s groups, --groups %s for all"
                                        .formatted(
                                                partly.group(1), partly.group(2), partly.group(2)))
                        : Optional.empty());
    }

    private static void add(JsonNode node, String path, List<Row> rows) {
        String here = path;
        if (node.has("value")) {
            String value = HitTable.text(node.get("value"));
            here = path.isEmpty() ? value : path + " / " + value;
            rows.add(new Row(here, node.path("fields")));
        }
        String below = here;
        node.path("children")
                .forEach(child -> {
                    if (child.has("value") || child.has("label")) {
                        add(child, below, rows);
                    }
                });
    }

    private static ResultTable table(String label, List<Row> rows) {
        Set<String> outputs = new LinkedHashSet<>();
        rows.forEach(row -> outputs.addAll(row.outputs().propertyNames()));
        List<String> names = new ArrayList<>(List.of(label));
        names.addAll(outputs);
        var table = new ResultTable(names);
        for (Row row : rows) {
            List<String> texts = new ArrayList<>(List.of(row.path()));
            outputs.forEach(name -> texts.add(HitTable.text(row.outputs().path(name))));
            table.add(texts);
        }
        return table;
    }
}
