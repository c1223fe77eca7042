package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryHit;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The hits of a query as lines for other programs. */
public final class HitLines {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String LINE_END = "\r\n";

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

    /**
     * Returns a line with names, and a line for each hit. Values that are no texts are JSON.
     *
     * <p>As in RFC 4180, a value with a comma, a quote or a line end is in quotes. A quote in it is
     * doubled. Lines themselves have no ends here.
     */
    public static List<String> csv(QueryAnswer answer) {
        List<String> fields = HitTable.fields(answer);
        List<String> lines = new ArrayList<>();
        List<String> names = new ArrayList<>(List.of("id", "relevance"));
        names.addAll(fields);
        lines.add(line(names));
        for (QueryHit hit : answer.hits()) {
            List<String> values =
                    new ArrayList<>(List.of(id(hit), Double.toString(hit.relevance())));
            for (String field : fields) {
                values.add(HitTable.text(hit.fields().path(field)));
            }
            lines.add(line(values));
        }
        return lines;
    }

    private static String id(QueryHit hit) {
        return hit.fields().path("documentid").asString(hit.id());
    }

    private static String line(List<String> values) {
        return values.stream().map(HitLines::quoted).collect(Collectors.joining(","));
    }

    private static String quoted(String value) {
        boolean isPlain =
                value.chars().noneMatch(c -> c == ',' || c == '"' || LINE_END.indexOf(c) >= 0);
        return isPlain ? value : '"' + value.replace("\"", "\"\"") + '"';
    }
}
