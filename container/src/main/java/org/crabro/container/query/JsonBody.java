package org.crabro.container.query;

import org.crabro.container.yql.JsonProblem;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads the parameters of a POST whose body is a JSON object.
 *
 * <p>The names of nested objects are joined with dots, and scalars become texts. Arrays stay JSON.
 * So do objects that are the value of an input, of {@code select.where} or of {@code
 * select.grouping}.
 */
final class JsonBody {
    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .enable(JsonReadFeature.ALLOW_SINGLE_QUOTES)
                    .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
                    .build();

    private final String body;
    private final JsonParser parser;
    private final ParameterValues values;

    private JsonBody(String body, JsonParser parser, ParameterValues values) {
        this.body = body;
        this.parser = parser;
        this.values = values;
    }

    /**
     * Adds the parameters in {@code body} to {@code values}.
     *
     * @throws IllegalQueryException if the body is no JSON object; the message contains the place
     */
    static void parameters(String body, ParameterValues values) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw illegal("Expected start of object: the body has to be a JSON object");
            }
            var reader = new JsonBody(body, parser, values);
            reader.object("");
            if (parser.nextToken() != null) {
                throw illegal("Json parse error: something follows the object");
            }
        } catch (JacksonException e) {
            throw illegal(
                    "Json parse error: %s at line %d, column %d"
                            .formatted(
                                    JsonProblem.of(e),
                                    e.getLocation() == null ? 1 : e.getLocation().getLineNr(),
                                    e.getLocation() == null ? 1 : e.getLocation().getColumnNr()));
        }
    }

    private void object(String prefix) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = prefix + parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_ARRAY
                    || (value == JsonToken.START_OBJECT && staysJson(name))) {
                values.put(name, raw());
            } else if (value == JsonToken.START_OBJECT) {
                object(name + ".");
            } else {
                values.put(name, parser.getString());
            }
        }
    }

    private static boolean staysJson(String name) {
        return name.startsWith("input.")
                || name.startsWith("ranking.features.query(")
                || name.equals("select.where")
                || name.equals("select.fields")
                || name.equals("select.grouping");
    }

    private String raw() {
        int start = (int) parser.currentTokenLocation().getCharOffset();
        parser.skipChildren();
        int end = (int) parser.currentLocation().getCharOffset();
        return body.substring(start, end);
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
