package org.crabro.client.query;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * The result of a query.
 *
 * @param totalCount how many documents match
 * @param isComplete whether all selected documents were searched, in time and without an error
 * @param hits the best documents
 * @param errors messages; the hits are those that were found nevertheless
 * @param root the JSON member {@code root}, with groupings and coverage
 * @param trace the JSON member {@code trace}, with lines and the plan; a missing node if the query
 *     does not ask for them
 */
public record QueryAnswer(
        long totalCount,
        boolean isComplete,
        List<QueryHit> hits,
        List<String> errors,
        JsonNode root,
        JsonNode trace) {
    public QueryAnswer {
        hits = List.copyOf(hits);
        errors = List.copyOf(errors);
    }

    static QueryAnswer of(JsonNode answer) {
        JsonNode root = answer.path("root");
        List<QueryHit> hits = new ArrayList<>();
        for (JsonNode child : root.path("children")) {
            // Groups have children instead of fields, or values of their own.
            if (!child.has("children")
                    && !child.path("id").asString("").startsWith("group:root:")) {
                hits.add(
                        new QueryHit(
                                child.path("id").asString(""),
                                child.path("relevance").asDouble(0),
                                child.path("source").asString(""),
                                child.path("fields")));
            }
        }
        List<String> errors = new ArrayList<>();
        for (JsonNode error : root.path("errors")) {
            errors.add(error.path("message").asString(error.path("summary").asString("")));
        }
        return new QueryAnswer(
                root.path("fields").path("totalCount").asLong(0),
                errors.isEmpty() && root.path("coverage").path("full").asBoolean(true),
                hits,
                errors,
                root,
                answer.path("trace"));
    }
}
