package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/**
 * Files of JSON with the messages of chats, recognized by the members of the first message. Their
 * messages get the fields {@code date}, {@code sender} and {@code text}, and keep all other
 * members.
 */
enum ChatForm {
    /** An object with {@code messages}, or a list of such objects. */
    TELEGRAM(Set.of("id", "type", "date", "text"), "date_unixtime", "from"),
    /** As DiscordChatExporter writes it. */
    DISCORD(Set.of("id", "timestamp", "content", "author"), "timestamp", "author"),
    /** As Element writes it. */
    MATRIX(
            Set.of("event_id", "origin_server_ts", "sender", "content"),
            "origin_server_ts",
            "sender"),
    /** A list of messages. */
    SLACK(Set.of("type", "ts", "text"), "ts", "user");

    /** The first message is within so many bytes. */
    private static final int HEAD_BYTES = 1 << 20;

    /** The parts of a text of Telegram with their forms. */
    private static final String ENTITIES = "text_entities";

    private static final String MESSAGES = "messages";
    private static final JsonMapper JSON = new JsonMapper();

    @SuppressWarnings("ImmutableEnumChecker") // an immutable copy
    private final Set<String> members;

    private final String date;
    private final String sender;

    ChatForm(Set<String> members, String date, String sender) {
        this.members = Set.copyOf(members);
        this.date = date;
        this.sender = sender;
    }

    /** Returns the form of a file; empty if it has no messages of a chat. */
    static Optional<ChatForm> of(Path file) throws IOException {
        byte[] head;
        try (InputStream in = Files.newInputStream(file)) {
            head = in.readNBytes(HEAD_BYTES);
        }
        try (JsonParser parser = JSON.createParser(head)) {
            JsonToken first = parser.nextToken();
            if (first == JsonToken.START_ARRAY) {
                return parser.nextToken() == JsonToken.START_OBJECT
                        ? form(names(parser), true)
                        : Optional.empty();
            }
            if (first != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                if (isMessages(parser, token) && parser.nextToken() == JsonToken.START_OBJECT) {
                    return form(names(parser), false);
                }
            }
        } catch (JacksonException _) {
            // The end of the head, or no JSON: the reader of objects says what is wrong.
            return Optional.empty();
        }
        return Optional.empty();
    }

    /** Returns whether a token begins the list of messages. */
    static boolean isMessages(JsonParser parser, @Nullable JsonToken token) {
        return token == JsonToken.START_ARRAY && MESSAGES.equals(parser.currentName());
    }

    private static Set<String> names(JsonParser parser) {
        Set<String> names = new HashSet<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            names.add(parser.currentName());
            parser.nextToken();
            parser.skipChildren();
        }
        return names;
    }

    private static Optional<ChatForm> form(Set<String> names, boolean isList) {
        for (ChatForm each : values()) {
            if ((each == SLACK) == isList && names.containsAll(each.members)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }

    /** Returns whether messages are in an object, and not the file itself. */
    boolean isInside() {
        return this != SLACK;
    }

    /**
     * Returns the record of a message.
     *
     * @param chat the name of the chat; empty if it has none
     */
    Map<String, Object> record(Map<String, Object> message, String chat) {
        Map<String, Object> left = new LinkedHashMap<>(message);
        Map<String, Object> record = new LinkedHashMap<>();
        Object name = left.get(this == MATRIX ? "event_id" : "id");
        if (name != null) {
            record.put("id", name);
            left.remove(this == MATRIX ? "event_id" : "id");
        }
        date(left.get(date))
                .ifPresent(time -> {
                    left.remove(date);
                    left.remove("date");
                    record.put("date", time);
                });
        sender(left.get(sender))
                .ifPresent(each -> {
                    if (left.get(sender) instanceof String) {
                        left.remove(sender);
                    }
                    record.put("sender", each);
                });
        if (!chat.isEmpty()) {
            record.put("chat", chat);
        }
        text(left).ifPresent(text -> record.put("text", text));
        if (left.get(ENTITIES) instanceof List<?> parts
                && parts.stream().allMatch(ChatForm::isPlain)) {
            left.remove(ENTITIES);
        }
        left.forEach(record::putIfAbsent);
        return record;
    }

    private static boolean isPlain(Object part) {
        return part instanceof Map<?, ?> map && "plain".equals(map.get("type")) && map.size() == 2;
    }

    private static Optional<String> sender(@Nullable Object given) {
        return switch (given) {
            case String text when !text.isBlank() -> Optional.of(text);
            case Map<?, ?> author ->
                    author.get("nickname") instanceof String nickname && !nickname.isBlank()
                            ? Optional.of(nickname)
                            : Optional.ofNullable(author.get("name")).map(String::valueOf);
            case null, default -> Optional.empty();
        };
    }

    /** Returns the text, and removes it from the members if it is all that a member has. */
    private Optional<String> text(Map<String, Object> left) {
        Object given = left.get(this == TELEGRAM || this == SLACK ? "text" : "content");
        return switch (given) {
            case String text -> {
                left.remove("text", text);
                left.remove("content", text);
                yield Optional.of(text);
            }
            case List<?> parts -> {
                left.remove("text");
                if (!left.containsKey(ENTITIES) && parts.stream().anyMatch(Map.class::isInstance)) {
                    left.put("text_parts", parts);
                }
                yield Optional.of(joined(parts));
            }
            case Map<?, ?> content -> Optional.ofNullable(content.get("body")).map(String::valueOf);
            case null, default -> Optional.empty();
        };
    }

    /** Telegram has a list of texts and of formatted texts, whose forms are in text_entities. */
    private static String joined(List<?> parts) {
        var text = new StringBuilder();
        for (Object part : parts) {
            text.append(
                    part instanceof Map<?, ?> formatted && formatted.get("text") != null
                            ? formatted.get("text")
                            : part instanceof String plain ? plain : "");
        }
        return text.toString();
    }

    /** Returns a time, or a text that is one; empty for other values. */
    private Optional<Object> date(@Nullable Object given) {
        return time(given)
                .<Object>map(time -> time)
                .or(() ->
                        given instanceof String text && DateText.parse(text).isPresent()
                                ? Optional.of(text)
                                : Optional.empty());
    }

    /** Returns the time of seconds, of milliseconds, or of a text; empty for other values. */
    private Optional<Instant> time(@Nullable Object given) {
        return switch (given) {
            case Long millis when this == MATRIX -> Optional.of(Instant.ofEpochMilli(millis));
            case Long seconds when Math.abs(seconds) < 100_000_000_000L ->
                    Optional.of(Instant.ofEpochSecond(seconds));
            case String text when text.matches("-?[0-9]{1,11}(\\.[0-9]{1,9})?") -> {
                var seconds = new BigDecimal(text);
                long nanos = seconds.remainder(BigDecimal.ONE).movePointRight(9).longValueExact();
                yield Optional.of(Instant.ofEpochSecond(seconds.longValue(), nanos));
            }
            case null, default -> Optional.empty();
        };
    }
}
