package org.crabro.container.llm;

import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.crabro.component.Config;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Writes the JSON of a request for a chat completion. */
final class ChatRequest {
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonMapper TREES = new JsonMapper();

    private ChatRequest() {}

    /**
     * The values of the configuration, which parameters of requests override.
     *
     * @param options by the names of parameters
     */
    record Defaults(Map<String, String> options) {
        private static final Duration TIME = Duration.ofSeconds(1);

        Defaults {
            options = Map.copyOf(options);
        }

        /**
         * Reads the configuration.
         *
         * @throws IllegalArgumentException if a number is wrong
         */
        static Defaults of(Config config, String model) {
            var options = new TreeMap<String, String>();
            options.put("model", config.text("model", model));
            for (String name : new String[] {"temperature", "maxTokens", "reasoningEffort"}) {
                if (!config.at(name).isEmpty()) {
                    options.put(name, config.text(name, ""));
                }
            }
            var defaults = new Defaults(options);
            try {
                json(new ModelRequest("", Map.of(), Optional.empty(), TIME, false), defaults);
            } catch (LanguageModelException e) {
                throw new IllegalArgumentException(e.getMessage(), e);
            }
            return defaults;
        }
    }

    /**
     * Returns the body of a request.
     *
     * @throws LanguageModelException if a parameter is wrong
     */
    static byte[] json(ModelRequest request, Defaults defaults) {
        var options = new TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER);
        options.putAll(defaults.options());
        options.putAll(request.options());
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), bytes)) {
            json.writeStartObject();
            json.writeStringProperty("model", options.getOrDefault("model", ""));
            json.writeArrayPropertyStart("messages");
            json.writeStartObject();
            json.writeStringProperty("role", "user");
            json.writeStringProperty("content", request.prompt());
            json.writeEndObject();
            json.writeEndArray();
            json.writeBooleanProperty("stream", request.isStreamed());
            whole(options, "maxTokens", "max_completion_tokens", json);
            decimal(options, "temperature", "temperature", json);
            decimal(options, "topP", "top_p", json);
            whole(options, "seed", "seed", json);
            whole(options, "npredict", "n", json);
            decimal(options, "frequencypenalty", "frequency_penalty", json);
            decimal(options, "presencepenalty", "presence_penalty", json);
            Optional.ofNullable(options.get("reasoningEffort"))
                    .ifPresent(effort ->
                            json.writeStringProperty(
                                    "reasoning_effort", effort.toLowerCase(Locale.ROOT)));
            Optional.ofNullable(options.get("json_schema"))
                    .ifPresent(schema -> schema(schema, json));
            json.writeEndObject();
        }
        return bytes.toByteArray();
    }

    private static void whole(
            Map<String, String> options, String name, String as, JsonGenerator json) {
        number(options, name, "a whole number", Long::parseLong)
                .ifPresent(value -> json.writeNumberProperty(as, value));
    }

    private static void decimal(
            Map<String, String> options, String name, String as, JsonGenerator json) {
        number(options, name, "a number", ChatRequest::finite)
                .ifPresent(value -> json.writeNumberProperty(as, value));
    }

    private static Double finite(String text) {
        double value = Double.parseDouble(text);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(text);
        }
        return value;
    }

    private static <T> Optional<T> number(
            Map<String, String> options, String name, String expected, Function<String, T> reader) {
        String text = options.get(name);
        if (text == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(reader.apply(text.strip()));
        } catch (NumberFormatException _) {
            throw new LanguageModelException(
                    QueryError.Kind.INVALID_QUERY,
                    "%s of the language model: expected %s, but found '%s'"
                            .formatted(name, expected, text));
        }
    }

    /** Writes the schema that the answer follows. The service checks it. */
    private static void schema(String text, JsonGenerator json) {
        JsonNode schema;
        try {
            schema = TREES.readTree(text);
        } catch (JacksonException e) {
            throw noSchema(e.getOriginalMessage());
        }
        if (!schema.isObject()) {
            throw noSchema("it is no object");
        }
        json.writeObjectPropertyStart("response_format");
        json.writeStringProperty("type", "json_schema");
        json.writeObjectPropertyStart("json_schema");
        json.writeStringProperty("name", "schema");
        json.writeBooleanProperty("strict", true);
        json.writeName("schema");
        json.writeRawValue(schema.toString());
        json.writeEndObject();
        json.writeEndObject();
    }

    private static LanguageModelException noSchema(String reason) {
        return new LanguageModelException(
                QueryError.Kind.INVALID_QUERY,
                "json_schema of the language model: expected a JSON schema: " + reason);
    }
}
