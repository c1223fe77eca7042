package org.crabro.client.imports;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/** JSON objects, one after another or in an array. */
final class JsonRecords implements RecordReader {
    /** Members with the name of a chat. */
    private static final Set<String> CHAT_NAMES = Set.of("name", "room_name");

    /** Depth is limited here, with a message of our own. */
    private static final JsonMapper JSON =
            new JsonMapper(
                    JsonFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder()
                                            .maxNestingDepth(2 * ImportLimits.DEPTH_MAX)
                                            .build())
                            .build());

    private final Path file;
    private final JsonParser parser;
    private final ImportLosses losses;

    /** The line in which the record begins. */
    private int line;

    /** The values of the record that is read, and how deep the current one is. */
    private int values;

    private int depth;

    /** The form of messages of chats; empty for other objects. */
    private final Optional<ChatForm> chats;

    /** The name of the chat, and whether the next object is a message of it. */
    private String chat = "";

    private boolean isAmongMessages;

    private JsonRecords(
            Path file, JsonParser parser, Optional<ChatForm> chats, ImportLosses losses) {
        this.file = file;
        this.chats = chats;
        this.isAmongMessages = chats.filter(ChatForm::isInside).isEmpty();
        this.parser = parser;
        this.losses = losses;
    }

    static JsonRecords open(Path file, ImportLosses losses) throws IOException {
        return new JsonRecords(
                file, JSON.createParser(Files.newInputStream(file)), ChatForm.of(file), losses);
    }

    /** Opens a file whose objects are read as they are, also if they are messages of chats. */
    static JsonRecords plain(Path file, ImportLosses losses) throws IOException {
        return new JsonRecords(
                file, JSON.createParser(Files.newInputStream(file)), Optional.empty(), losses);
    }

    @Override
    public String place() {
        return "line " + line;
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        try {
            @Nullable JsonToken token = nextRecord();
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
            values = 0;
            depth = 0;
            line = parser.currentTokenLocation().getLineNr();
            Map<String, Object> record = object();
            return Optional.of(chats.map(form -> form.record(record, chat)).orElse(record));
        } catch (TooLargeException e) {
            throw new IOException(
                    "%s, line %d: %s"
                            .formatted(
                                    file,
                                    parser.currentTokenLocation().getLineNr(),
                                    e.getMessage()),
                    e);
        } catch (StreamConstraintsException e) {
            throw new IOException(
                    "%s, line %d: too large: %s"
                            .formatted(
                                    file,
                                    parser.currentTokenLocation().getLineNr(),
                                    e.getOriginalMessage()),
                    e);
        } catch (JacksonException e) {
            throw new IOException(
                    "%s, line %d: not JSON: %s".formatted(file, line(e), e.getOriginalMessage()),
                    e);
        }
    }

    /** Goes to the begin of the next record, and returns its token; null at the end. */
    private @Nullable JsonToken nextRecord() {
        boolean isInside = chats.filter(ChatForm::isInside).isPresent();
        while (true) {
            @Nullable JsonToken token = parser.nextToken();
            if (token == null) {
                return null;
            }
            if (isInside && !isAmongMessages) {
                chatMember(token);
            } else if (token == JsonToken.END_ARRAY) {
                isAmongMessages = !isInside;
            } else if (token != JsonToken.START_ARRAY) {
                return token;
            }
        }
    }

    /** Reads a token outside of the messages of chats. */
    private void chatMember(JsonToken token) {
        if (ChatForm.isMessages(parser, token)) {
            isAmongMessages = true;
        } else if (token == JsonToken.VALUE_STRING
                && CHAT_NAMES.contains(String.valueOf(parser.currentName()))) {
            chat = parser.getString();
        }
    }

    /** Returns the line of an error. Some have no place; then it is that of the last token. */
    private int line(JacksonException e) {
        @Nullable TokenStreamLocation place = e.getLocation();
        return (place == null ? parser.currentTokenLocation() : place).getLineNr();
    }

    /** A record exceeds a limit. */
    private static final class TooLargeException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        TooLargeException(String what, int limit) {
            super(ImportLimits.tooMany(what, limit));
        }
    }

    private Map<String, Object> object() {
        enter();
        Map<String, Object> object = new LinkedHashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            if (object.containsKey(name)) {
                losses.add(
                        name,
                        "several values in one object, of which the last is stored",
                        "line " + parser.currentTokenLocation().getLineNr());
            }
            @Nullable Object value = value();
            if (value != null) {
                object.put(name, value);
            }
            if (depth == 1 && object.size() > ImportLimits.FIELDS_MAX) {
                throw new TooLargeException("members in an object", ImportLimits.FIELDS_MAX);
            }
        }
        depth--;
        return object;
    }

    private void enter() {
        if (++depth > ImportLimits.DEPTH_MAX) {
            throw new TooLargeException(
                    "lists and objects inside each other", ImportLimits.DEPTH_MAX);
        }
    }

    private @Nullable Object value() {
        if (++values > ImportLimits.VALUES_MAX) {
            throw new TooLargeException("values in an object", ImportLimits.VALUES_MAX);
        }
        return switch (parser.currentToken()) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> number(parser.getString());
            default -> parser.getString();
        };
    }

    private static Object number(String text) {
        return text.length() <= ExactNumber.CHARS_MAX ? ExactNumber.of(text) : text;
    }

    private List<Object> array() {
        enter();
        List<Object> array = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            @Nullable Object value = value();
            array.add(value == null ? NullElement.NULL : value);
        }
        depth--;
        return array;
    }

    @Override
    public void close() {
        parser.close();
    }
}
