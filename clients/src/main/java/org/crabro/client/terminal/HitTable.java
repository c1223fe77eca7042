package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryHit;
import tools.jackson.databind.JsonNode;

/** The hits and the groups of a query as a table. */
public final class HitTable {
    /** Fields that say where a hit is from. */
    private static final Set<String> NOT_SHOWN = Set.of("sddocname", "documentid");

    private HitTable() {}

    /** Returns a row for each hit, with a column for each field; without hits, rows of groups. */
    public static ResultTable of(QueryAnswer answer) {
        if (answer.hits().isEmpty()) {
            var groups = new ResultTable(List.of("group", "values"));
            answer.root().path("children").forEach(each -> addGroups(groups, each, ""));
            return groups;
        }
        Set<String> fields = new LinkedHashSet<>();
        for (QueryHit hit : answer.hits()) {
            fields.addAll(hit.fields().propertyNames());
        }
        fields.removeAll(NOT_SHOWN);
        List<String> names = new ArrayList<>(List.of("relevance", "id"));
        names.addAll(fields);
        var table = new ResultTable(names);
        for (QueryHit hit : answer.hits()) {
            List<String> texts = new ArrayList<>();
            texts.add(String.format(Locale.ROOT, "%.4f", hit.relevance()));
            texts.add(id(hit));
            for (String field : fields) {
                texts.add(text(hit.fields().path(field)));
            }
            table.add(texts);
        }
        return table;
    }

    /** Returns the last part of the document's id, if the hit has it. */
    private static String id(QueryHit hit) {
        String id = hit.fields().path("documentid").asString(hit.id());
        return id.startsWith("id:") ? id.split(":", 5)[id.split(":", 5).length - 1] : "";
    }

    private static void addGroups(ResultTable table, JsonNode node, String path) {
        String name = node.path("value").asString("");
        String here = path.isEmpty() ? name : name.isEmpty() ? path : path + " / " + name;
        if (node.has("fields") && node.has("value")) {
            table.add(List.of(here, node.get("fields").toString()));
        }
        node.path("children").forEach(each -> addGroups(table, each, here));
    }

    private static String text(JsonNode value) {
        return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
    }
}
