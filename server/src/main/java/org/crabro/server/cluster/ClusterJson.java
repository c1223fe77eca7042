package org.crabro.server.cluster;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The values of this package as JSON. Members that are not known are left out. */
final class ClusterJson {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                    .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
                    .build();

    private ClusterJson() {}

    static byte[] write(Object value) {
        return JSON.writeValueAsBytes(value);
    }

    /** Returns a record as an object that can get more members. */
    static ObjectNode object(Object record) {
        return JSON.valueToTree(record);
    }

    /**
     * Reads a value.
     *
     * @throws tools.jackson.core.JacksonException if {@code bytes} are no such value
     * @throws IllegalArgumentException if they are {@code null}
     */
    static <T> T read(byte[] bytes, Class<T> type) {
        T value = JSON.readValue(bytes, type);
        if (value == null) {
            throw new IllegalArgumentException("null is no " + type.getSimpleName());
        }
        return value;
    }
}
