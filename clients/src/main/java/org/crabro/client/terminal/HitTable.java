package org.crabro.client.terminal;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.crabro.client.query.QueryAnswer;
import org.crabro.client.query.QueryHit;
import tools.jackson.databind.JsonNode;

/** The hits and the groups of a query as tables. */
public final class HitTable {
    /** Fields that say where a hit is from. */
    private static final Set<String> NOT_SHOWN = Set.of("sddocname", "documentid");

    private HitTable() {}

    /**
     * How tables are shown.
     *
     * @param columns the width
     * @param isColored whether names and marked words are bold
     * @param marked the words to mark; texts are cut so that they show one of them
     * @param all what shows the columns that do not fit
     */
    public record Form(int columns, boolean isColored, MarkedWords marked, String all) {
        /** A form of a command. */
        public Form(int columns, boolean isColored, MarkedWords marked) {
            this(columns, isColored, marked, "--format csv");
        }

        /** A form without words. */
        public Form(int columns, boolean isColored) {
            this(columns, isColored, MarkedWords.NONE);
        }
    }

    /** Returns the lines of a table of hits, if there are any, and of a table for each grouping. */
    public static List<String> lines(QueryAnswer answer, Form form) {
        List<String> lines = new ArrayList<>();
        List<GroupingTable> groups = GroupingTable.of(answer);
        if (!answer.hits().isEmpty()) {
            lines.addAll(hits(answer, form));
        }
        for (GroupingTable each : groups) {
            if (!lines.isEmpty()) {
                lines.add("");
            }
            lines.addAll(each.table().lines(form.columns(), form.isColored()));
            each.remaining().ifPresent(lines::add);
        }
        return lines;
    }

    private static List<String> hits(QueryAnswer answer, Form form) {
        MarkedWords marked = form.marked();
        for (QueryHit hit : answer.hits()) {
            marked = marked.withServersMarks(hit.fields());
        }
        HitColumns columns = columns(answer, marked);
        List<String> lines = columns.lines(form.columns(), form.isColored());
        List<String> shown = new ArrayList<>(lines.subList(0, 1));
        for (String line : lines.subList(1, lines.size())) {
            shown.add(form.isColored() ? marked.bold(line) : line);
        }
        columns.leftOut(form.columns(), form.all()).ifPresent(shown::add);
        return shown;
    }

    /** Returns the columns: one for each field, with a text for each hit. */
    private static HitColumns columns(QueryAnswer answer, MarkedWords marked) {
        List<QueryHit> hits = answer.hits();
        var columns = new HitColumns();
        columns.add(
                "relevance",
                hits.stream()
                        .map(hit -> String.format(Locale.ROOT, "%.4f", hit.relevance()))
                        .toList());
        List<String> ids = hits.stream().map(HitTable::id).toList();
        columns.add("id", ids);
        for (String field : fields(answer)) {
            List<String> texts = new ArrayList<>();
            boolean isMatching = false;
            for (QueryHit hit : hits) {
                String text = marked.passage(text(hit.fields().path(field)));
                isMatching |= marked.isIn(text);
                texts.add(ResultTable.line(text));
            }
            columns.add(field, texts, ids, isMatching);
        }
        return columns;
    }

    /** Returns the fields of hits that tables show, in the order in which they occur. */
    static List<String> fields(QueryAnswer answer) {
        Set<String> fields = new LinkedHashSet<>();
        for (QueryHit hit : answer.hits()) {
            fields.addAll(hit.fields().propertyNames());
        }
        fields.removeAll(NOT_SHOWN);
        return List.copyOf(fields);
    }

    /** Returns the last part of the document's id, if the hit has it. */
    private static String id(QueryHit hit) {
        String id = hit.fields().path("documentid").asString(hit.id());
        return id.startsWith("id:") ? id.split(":", 5)[id.split(":", 5).length - 1] : "";
    }

    static String text(JsonNode value) {
        return value.isMissingNode() ? "" : value.isString() ? value.asString() : value.toString();
    }
}
