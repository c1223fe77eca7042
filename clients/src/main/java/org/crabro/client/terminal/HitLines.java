package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryHit;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The hits of a query as lines for other programs. */
public final class HitLines {
    private static final JsonMapper JSON = new JsonMapper();

    private HitLines() {}

    /**
     * Returns a JSON object for each hit, with {@code id}, {@code relevance} and {@code fields}.
     */
    public static List<String> jsonl(QueryAnswer answer) {
        List<String> lines = new ArrayList<>();
        for (QueryHit hit : answer.hits()) {
            ObjectNode line = JSON.createObjectNode();
            line.put("id", id(hit));
            line.put("relevance", hit.relevance());
            line.set("fields", hit.fields());
            lines.add(line.toString());
        }
        return lines;
    }

    /** Returns a line with names, and a line for each hit. Values that are no texts are JSON. */
    public static List<String> csv(QueryAnswer answer) {
        List<String> fields = HitTable.fields(answer);
        List<String> lines = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("id", "relevance"));
        names.addAll(fields);
        lines.add(CsvLine.of(names));
        for (QueryHit hit : answer.hits()) {
            List<String> values =
                    new ArrayList<>(List.of(id(hit), Double.toString(hit.relevance())));
            for (String field : fields) {
                values.add(HitTable.text(hit.fields().path(field)));
            }
            lines.add(CsvLine.of(values));
        }
        return lines;
    }

    private static String id(QueryHit hit) {
        return hit.fields().path("documentid").asString(hit.id());
    }
}
