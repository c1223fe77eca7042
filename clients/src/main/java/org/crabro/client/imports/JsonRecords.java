package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** JSON objects, one after another or in an array. */
final class JsonRecords implements RecordReader {
    private static final JsonMapper JSON = new JsonMapper();

    private final Path file;
    private final JsonParser parser;

    private JsonRecords(Path file, JsonParser parser) {
        this.file = file;
        this.parser = parser;
    }

    static JsonRecords open(Path file) throws IOException {
        return new JsonRecords(file, JSON.createParser(Files.newInputStream(file)));
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        try {
            JsonToken token = parser.nextToken();
            while (token == JsonToken.START_ARRAY || token == JsonToken.END_ARRAY) {
                token = parser.nextToken();
            }
            if (token == null) {
                return Optional.empty();
            }
            if (token != JsonToken.START_OBJECT) {
                throw new IOException(
                        "%s, line %d: expected a JSON object, found %s"
                                .formatted(
                                        file,
                                        parser.currentTokenLocation().getLineNr(),
                                        parser.getString()));
            }
            return Optional.of(object());
        } catch (JacksonException e) {
            throw new IOException(
                    "%s, line %d: not JSON: %s"
                            .formatted(file, e.getLocation().getLineNr(), e.getOriginalMessage()),
                    e);
        }
    }

    private Map<String, Object> object() {
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            Object value = value();
            if (value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private @Nullable Object value() {
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT ->
                    parser.getNumberType() == JsonParser.NumberType.BIG_INTEGER
                            ? (Object) parser.getString()
                            : (Object) parser.getLongValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            default -> parser.getString();
        };
    }

    private List<Object> array() {
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            Object value = value();
            if (value != null) {
                array.add(value);
            }
        }
        return array;
    }

    @Override
    public void close() {
        parser.close();
    }
}
