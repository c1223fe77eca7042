package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * JSON objects as rows for other programs and for people. The members of an object in them have
 * columns of their own, such as {@code latencyMillis.mean}. A list is its JSON.
 */
public final class RecordLines {
    private RecordLines() {}

    /** Returns a line with the names of all columns, and a line for each object. */
    public static List<String> csv(List<? extends JsonNode> records) {
        List<Map<String, String>> rows = rows(records);
        List<String> names = names(rows);
        List<String> lines = new ArrayList<>();
        lines.add(CsvLine.of(names));
        rows.forEach(row -> lines.add(CsvLine.of(values(row, names))));
        return lines;
    }

    /** Returns a table with a row for each object. */
    public static ResultTable table(List<? extends JsonNode> records) {
        List<Map<String, String>> rows = rows(records);
        List<String> names = names(rows);
        var table = new ResultTable(names);
        rows.forEach(row -> table.add(values(row, names)));
        return table;
    }

    /** Returns the columns of an object by their names. */
    public static Map<String, String> columns(JsonNode one) {
        Map<String, String> row = new LinkedHashMap<>();
        add("", one, row);
        return row;
    }

    private static List<Map<String, String>> rows(List<? extends JsonNode> records) {
        return records.stream().map(RecordLines::columns).toList();
    }

    private static List<String> names(List<Map<String, String>> rows) {
        Set<String> names = new LinkedHashSet<>();
        rows.forEach(row -> names.addAll(row.keySet()));
        return List.copyOf(names);
    }

    private static List<String> values(Map<String, String> row, List<String> names) {
        return names.stream().map(name -> row.getOrDefault(name, "")).toList();
    }

    private static void add(String prefix, JsonNode members, Map<String, String> into) {
        members.properties()
                .forEach(member -> {
                    String name = prefix + member.getKey();
                    JsonNode value = member.getValue();
                    if (value.isObject()) {
                        add(name + ".", value, into);
                    } else {
                        into.put(name, HitTable.text(value));
                    }
                });
    }
}
