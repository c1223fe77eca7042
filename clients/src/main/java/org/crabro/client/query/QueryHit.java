package org.crabro.client.query;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A document that a query found.
 *
 * @param id as the server writes it: the id of the document if it has all fields
 * @param source the content cluster
 * @param fields by name
 */
public record QueryHit(String id, double relevance, String source, JsonNode fields) {
    private static final JsonMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    /**
     * Returns the fields as a value of a class, such as a record with components of the same names.
     * Other fields are ignored.
     *
     * @throws JacksonException if a value does not fit its component
     */
    public <T> T as(Class<T> type) {
        return JSON.treeToValue(fields, type);
    }
}
