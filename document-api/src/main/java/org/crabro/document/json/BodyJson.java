package org.crabro.document.json;

import java.io.InputStream;
import java.util.regex.Pattern;
import org.crabro.document.InvalidDocumentException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** The common parts of the bodies of all operations: limits, members and errors. */
final class BodyJson {
    static final JsonFactory FACTORY =
            JsonFactory.builder()
                    .enable(StreamReadFeature.USE_FAST_DOUBLE_PARSER)
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DocumentReader.DEPTH_MAX)
                                    .maxStringLength(DocumentReader.STRING_LENGTH_MAX)
                                    .build())
                    .build();

    private static final Pattern OF_THE_PARSER =
            Pattern.compile(
                    " \\(start marker at \\[Source: [^]]*]\\)| \\(not recognized as one since"
                            + " Feature [^)]*\\)|: enable `JsonReadFeature[^`]*` to allow");

    private BodyJson() {}

    /** The reader of a body, from its first token on. */
    interface Reading<T> {
        T read(JsonParser parser);
    }

    /**
     * Reads a body, an object, to its end.
     *
     * @param prefix the start of errors that refer to no field
     */
    static <T> T whole(InputStream json, String prefix, Reading<T> reading) {
        var watched = new WatchedStream(json);
        try (JsonParser parser =
                MeteredParser.of(FACTORY.createParser(ObjectReadContext.empty(), watched))) {
            return whole(parser, prefix, reading);
        } catch (JacksonException e) {
            if (watched.hasFailed()) {
                throw e;
            }
            throw malformed(prefix, e);
        }
    }

    private static <T> T whole(JsonParser parser, String prefix, Reading<T> reading) {
        if (parser.nextToken() != JsonToken.START_OBJECT) {
            throw unexpected(prefix, "the start of an object, the body,", parser);
        }
        T read = reading.read(parser);
        if (parser.nextToken() != null) {
            throw unexpected(prefix, "the end after the body,", parser);
        }
        return read;
    }

    static InvalidDocumentException malformed(String prefix, JacksonException e) {
        return new InvalidDocumentException(
                prefix + "the body is no well-formed JSON: " + problem(e) + at(e.getLocation()), e);
    }

    /** Returns the parser's message without its internal details. */
    static String problem(JacksonException e) {
        return OF_THE_PARSER.matcher(String.valueOf(e.getOriginalMessage())).replaceAll("");
    }

    /** Checks that the parser is at the start of the object of fields. */
    static void expectFields(String prefix, JsonParser parser) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw unexpected(prefix, "an object as \"fields\",", parser);
        }
    }

    static InvalidDocumentException missingFields(String prefix) {
        return new InvalidDocumentException(
                prefix + "the document is missing the required \"fields\" field");
    }

    static String condition(String prefix, JsonParser parser) {
        if (parser.currentToken() != JsonToken.VALUE_STRING) {
            throw unexpected(prefix, "a string as \"condition\",", parser);
        }
        return parser.getString();
    }

    static boolean create(String prefix, JsonParser parser) {
        return switch (parser.currentToken()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw unexpected(prefix, "true or false as \"create\",", parser);
        };
    }

    static InvalidDocumentException unexpected(String prefix, String expected, JsonParser parser) {
        return new InvalidDocumentException(
                "%sexpected %s but found %s%s"
                        .formatted(prefix, expected, FieldValueReader.actual(parser), at(parser)));
    }

    /** Returns the position of the current token as text; empty if it is not known. */
    static String at(JsonParser parser) {
        return at(parser.currentTokenLocation());
    }

    private static String at(TokenStreamLocation location) {
        return location == null || location.getLineNr() < 1
                ? ""
                : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }
}
