package org.crabro.ranking.significance;

import java.io.InputStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/** Goes through the JSON of a significance model, and says where it is not what is expected. */
final class SignificanceJson implements AutoCloseable {
    /** What is left out may be nested; what is read is no deeper than four. */
    private static final int DEPTH = 50;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    // Words are read once each: remembering them would cost more than it saves.
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                    .build();

    private final JsonParser parser;

    SignificanceJson(InputStream json) {
        try {
            parser = FACTORY.createParser(ObjectReadContext.empty(), json);
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Goes on to the next token; returns whether there is one. */
    boolean next() {
        try {
            return parser.nextToken() != null;
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Goes on to the next member of an object, or says that it has ended. */
    boolean nextMember() {
        next();
        return !parser.hasToken(JsonToken.END_OBJECT);
    }

    /** Returns the name of the member at hand, and goes on to its value. */
    String member() {
        String name = parser.currentName();
        next();
        return name;
    }

    void requireObject(String what) {
        if (!parser.hasToken(JsonToken.START_OBJECT)) {
            throw problem("expected " + what + ", an object");
        }
    }

    void requireEnd() {
        if (next()) {
            throw problem("something follows the model");
        }
    }

    /** Leaves out the value at hand. */
    void skip() {
        try {
            parser.skipChildren();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Returns the text or number at hand, as it is written. */
    String scalar(String what) {
        JsonToken token = parser.currentToken();
        if (token == null || !(token.isNumeric() || token == JsonToken.VALUE_STRING)) {
            throw problem("expected " + what);
        }
        try {
            return parser.getString();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /**
     * Returns the whole number at hand, from {@code least} on.
     *
     * @param name of the member
     */
    long count(String name, long least) {
        try {
            if (parser.hasToken(JsonToken.VALUE_NUMBER_INT)
                    && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER
                    && parser.getLongValue() >= least) {
                return parser.getLongValue();
            }
        } catch (JacksonException e) {
            throw malformed(e);
        }
        throw problem("expected '%s', a whole number from %d on".formatted(name, least));
    }

    /** Returns a problem with the token at hand. */
    InvalidSignificanceException problem(String problem) {
        boolean isThere = parser.currentToken() != null;
        return new InvalidSignificanceException(
                (isThere ? place(parser.currentTokenLocation()) : "") + problem);
    }

    private static String place(@Nullable TokenStreamLocation at) {
        return at == null || at.getLineNr() < 1
                ? ""
                : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
    }

    private static InvalidSignificanceException malformed(JacksonException e) {
        if (e instanceof JacksonIOException) {
            return new InvalidSignificanceException("cannot be read: " + e.getOriginalMessage());
        }
        // Behind the problem the parser says where it read from, which means nothing here.
        String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at.*", "");
        return new InvalidSignificanceException(
                place(e.getLocation()) + "no JSON that is well formed: " + problem);
    }

    @Override
    public void close() {
        parser.close();
    }
}
