package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.crabro.text.Tokenizer;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonEncoding;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.core.json.JsonFactory;

/**
 * Counts the documents of a feed, or of a visit, that contain each word. Reads texts and arrays of
 * texts, but no nested values. Not thread-safe.
 */
final class DocumentWords {
    /** The maximum number of words of a model. */
    static final int MAX_WORDS = 5_000_000;

    /** The maximum length of a word in characters; longer text is not a word of a language. */
    static final int LONGEST = 100;

    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamWriteFeature.AUTO_CLOSE_TARGET).build();

    private final Set<String> wanted;
    private final Set<String> seen = new TreeSet<>();
    private final Map<String, long[]> counts = new HashMap<>();
    private long documents;
    private long others;

    /**
     * @param fields whose words are counted; empty for all
     */
    DocumentWords(List<String> fields) {
        this.wanted = new TreeSet<>(fields);
    }

    /** Returns how many documents were counted. */
    long documents() {
        return documents;
    }

    /** Returns how many operations were no puts. */
    long others() {
        return others;
    }

    /** Returns how many words there are. */
    long size() {
        return counts.size();
    }

    /**
     * Counts a feed: consecutive operations, or an array of them.
     *
     * @throws IOException if it cannot be read, is not a feed, or has too many words
     */
    void read(InputStream feed) throws IOException {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), feed)) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                switch (token) {
                    case START_ARRAY, END_ARRAY -> {}
                    case START_OBJECT -> operation(parser);
                    default -> throw problem(parser, "expected an operation, an object");
                }
            }
        } catch (JacksonException e) {
            throw new IOException(
                    e.getLocation() == null
                            ? e.getOriginalMessage()
                            : "line %d, column %d: %s"
                                    .formatted(
                                            e.getLocation().getLineNr(),
                                            e.getLocation().getColumnNr(),
                                            e.getOriginalMessage()),
                    e);
        }
    }

    /**
     * Checks that there is something to write.
     *
     * @throws IOException if there are no documents, or no document has a requested field
     */
    void check() throws IOException {
        if (documents == 0) {
            throw new IOException("there are no documents: nothing was put");
        }
        for (String field : wanted) {
            if (!seen.contains(field)) {
                throw new IOException(
                        "no document has a field '%s'; there are %s"
                                .formatted(field, String.join(", ", seen)));
            }
        }
    }

    private static IOException problem(JsonParser parser, String problem) {
        return new IOException(
                "line %d, column %d: %s"
                        .formatted(
                                parser.currentTokenLocation().getLineNr(),
                                parser.currentTokenLocation().getColumnNr(),
                                problem));
    }

    private void operation(JsonParser parser) throws IOException {
        Set<String> words = Set.of();
        boolean isPut = false;
        boolean isOther = false;
        boolean isTold = false;
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String name = parser.currentName();
            parser.nextToken();
            switch (name) {
                case "put", "id" -> isPut = true;
                case "update", "remove" -> isOther = true;
                case "continuation", "sessionStats", "sessionTrace", "message" -> isTold = true;
                case "fields" -> words = words(parser);
                default -> {}
            }
            if (!name.equals("fields")) {
                parser.skipChildren();
            }
        }
        if (isOther) {
            others++;
        } else if (isPut) {
            documents++;
            count(words);
        } else if (!isTold) {
            throw problem(parser, "expected an operation with put, update or remove");
        }
    }

    private Set<String> words(JsonParser parser) throws IOException {
        if (!parser.hasToken(JsonToken.START_OBJECT)) {
            throw problem(parser, "expected fields, an object");
        }
        var words = new HashSet<String>();
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String field = parser.currentName();
            parser.nextToken();
            seen.add(field);
            if (wanted.isEmpty() || wanted.contains(field)) {
                value(parser, words);
            } else {
                parser.skipChildren();
            }
        }
        return words;
    }

    private static void value(JsonParser parser, Set<String> words) {
        switch (parser.currentToken()) {
            case VALUE_STRING -> words.addAll(Tokenizer.words(parser.getString()));
            case START_ARRAY -> {
                while (parser.nextToken() != JsonToken.END_ARRAY) {
                    if (parser.hasToken(JsonToken.VALUE_STRING)) {
                        words.addAll(Tokenizer.words(parser.getString()));
                    } else {
                        parser.skipChildren();
                    }
                }
            }
            default -> parser.skipChildren();
        }
    }

    private void count(Set<String> words) throws IOException {
        for (String word : words) {
            if (word.length() <= LONGEST) {
                counts.computeIfAbsent(word, _ -> new long[1])[0]++;
            }
        }
        if (counts.size() > MAX_WORDS) {
            throw new IOException(
                    "more than %,d different words: count fewer fields or documents"
                            .formatted(MAX_WORDS));
        }
    }

    /**
     * Writes the words in their order, and leaves {@code out} open.
     *
     * @param least words in fewer documents are left out
     * @return how many words were written
     */
    long write(OutputStream out, String id, String language, long least) throws IOException {
        long written = 0;
        try (JsonGenerator json =
                JSON.createGenerator(ObjectWriteContext.empty(), out, JsonEncoding.UTF8)) {
            json.writeStartObject();
            json.writeStringProperty("version", "1.0");
            json.writeStringProperty("id", id);
            json.writeStringProperty(
                    "description",
                    wanted.isEmpty()
                            ? "words of all texts"
                            : "words of " + String.join(", ", wanted));
            json.writeObjectPropertyStart("languages");
            json.writeObjectPropertyStart(language);
            json.writeNumberProperty("document-count", documents);
            json.writeObjectPropertyStart("document-frequencies");
            for (Map.Entry<String, long[]> word : new TreeMap<>(counts).entrySet()) {
                if (word.getValue()[0] >= least) {
                    json.writeNumberProperty(word.getKey(), word.getValue()[0]);
                    written++;
                }
            }
            for (int depth = 0; depth < 4; depth++) {
                json.writeEndObject();
            }
            json.writeRaw('\n');
        }
        return written;
    }
}
