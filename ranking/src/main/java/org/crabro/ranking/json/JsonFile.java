package org.crabro.ranking.json;

import java.io.InputStream;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Parses the JSON of a file token by token, and reports unexpected content with its place. For one
 * thread.
 *
 * @param <E> the exception that reports a problem
 */
public abstract class JsonFile<E extends RuntimeException> implements AutoCloseable {
    private final JsonParser parser;
    private final Function<String, E> refusal;

    /**
     * Starts before the first token.
     *
     * @param factory with limits that suit the file
     * @param refusal creates the exception from a message that begins with the place
     */
    protected JsonFile(JsonFactory factory, InputStream json, Function<String, E> refusal) {
        this.refusal = refusal;
        try {
            this.parser = factory.createParser(ObjectReadContext.empty(), json);
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Returns the current token. */
    protected final JsonParser parser() {
        return parser;
    }

    /** Advances to the next token; returns whether there is one. */
    public final boolean next() {
        try {
            return parser.nextToken() != null;
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Moves to the next member of an object; returns false at the end of the object. */
    public final boolean nextMember() {
        next();
        return !parser.hasToken(JsonToken.END_OBJECT);
    }

    /** Returns the name of the current member, and advances to its value. */
    public final String member() {
        String name = parser.currentName();
        next();
        return name;
    }

    /** Throws if the current token is no object. */
    public final void requireObject(String what) {
        if (!parser.hasToken(JsonToken.START_OBJECT)) {
            throw problem("expected " + what + ", an object");
        }
    }

    /** Checks that nothing follows. */
    public final void requireEnd() {
        if (next()) {
            throw problem("unexpected content after the model");
        }
    }

    /** Skips the current value. */
    public final void skip() {
        try {
            parser.skipChildren();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Returns an exception for a problem with the current token. */
    public final E problem(String problem) {
        return refusal.apply(place() + problem);
    }

    /** Returns the position of the current token; empty if there is none. */
    public final String place() {
        return parser.currentToken() == null ? "" : place(parser.currentTokenLocation());
    }

    private static String place(@Nullable TokenStreamLocation at) {
        return at == null || at.getLineNr() < 1
                ? ""
                : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
    }

    /** Returns the parser's message as a problem. */
    protected final E malformed(JacksonException e) {
        if (e instanceof JacksonIOException) {
            return refusal.apply("cannot be read: " + e.getOriginalMessage());
        }
        // Errors about names, numbers and nesting above the limits of the parser have no position.
        // The parser appends its source to the message, which is useless here.
        String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at.*", "");
        return refusal.apply(place(e.getLocation()) + "no JSON that is well formed: " + problem);
    }

    @Override
    public final void close() {
        parser.close();
    }
}
