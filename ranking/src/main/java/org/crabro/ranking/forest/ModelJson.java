package org.crabro.ranking.forest;

import java.io.InputStream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;

/** Goes through the JSON of a model, and says where it is not what is expected. */
final class ModelJson implements AutoCloseable {
    /** An object and an array for each level of a tree, and what is around them. */
    private static final int LEVELS = 10;

    private final JsonParser parser;
    private final ForestLimits limits;
    private int nodes;

    ModelJson(InputStream json, ForestLimits limits) {
        this.limits = limits;
        JsonFactory factory =
                JsonFactory.builder()
                        .streamReadConstraints(
                                StreamReadConstraints.builder()
                                        .maxNestingDepth(2 * limits.depth() + LEVELS)
                                        .build())
                        .build();
        try {
            parser = factory.createParser(ObjectReadContext.empty(), json);
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /** Goes on to the next token; one for which there is none is the end of the file. */
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

    /** Goes on to the next element of an array, or says that it has ended. */
    boolean nextElement() {
        next();
        return !parser.hasToken(JsonToken.END_ARRAY);
    }

    /** Returns the name of the member at hand, and goes on to its value. */
    String member() {
        String name = parser.currentName();
        next();
        return name;
    }

    boolean isArray() {
        return parser.hasToken(JsonToken.START_ARRAY);
    }

    boolean isObject() {
        return parser.hasToken(JsonToken.START_OBJECT);
    }

    boolean isText() {
        return parser.hasToken(JsonToken.VALUE_STRING);
    }

    boolean isNull() {
        return parser.hasToken(JsonToken.VALUE_NULL);
    }

    void requireArray(String what) {
        if (!isArray()) {
            throw problem("expected " + what + ", an array");
        }
    }

    void requireObject(String what) {
        if (!isObject()) {
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

    /** Returns the number at hand, which may stand in quotes. */
    double number(String what) {
        double value;
        try {
            value =
                    parser.currentToken() != null && parser.currentToken().isNumeric()
                            ? parser.getDoubleValue()
                            : isText() ? Double.parseDouble(parser.getString()) : Double.NaN;
        } catch (JacksonException e) {
            throw malformed(e);
        } catch (NumberFormatException _) {
            value = Double.NaN;
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw problem("expected " + what + ", a finite number");
        }
        return value;
    }

    /** Returns the whole number at hand. */
    int integer(String what) {
        double value = number(what);
        if (value != Math.rint(value) || Math.abs(value) > Integer.MAX_VALUE) {
            throw problem("expected " + what + ", a whole number");
        }
        return (int) value;
    }

    String text(String what) {
        if (!isText()) {
            throw problem("expected " + what + ", a text");
        }
        try {
            return parser.getString();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    boolean truth(String what) {
        if (!parser.hasToken(JsonToken.VALUE_TRUE) && !parser.hasToken(JsonToken.VALUE_FALSE)) {
            throw problem("expected " + what + ", true or false");
        }
        return parser.hasToken(JsonToken.VALUE_TRUE);
    }

    /** Notes that a node begins at hand, {@code depth} nodes from its root. */
    void node(int depth) {
        requireObject("a node of a tree");
        if (++nodes > limits.nodes()) {
            throw problem("more than %,d nodes".formatted(limits.nodes()));
        }
        if (depth > limits.depth()) {
            throw problem("a tree deeper than %,d nodes".formatted(limits.depth()));
        }
    }

    /** Returns a problem with the token at hand. */
    InvalidForestException problem(String problem) {
        return new InvalidForestException(place() + problem);
    }

    /** Returns where the token at hand stands. */
    String place() {
        TokenStreamLocation at = parser.currentTokenLocation();
        return "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
    }

    private static InvalidForestException malformed(JacksonException e) {
        // There is no place where a name, a number or the nesting is beyond the parser's limits.
        TokenStreamLocation at = e.getLocation();
        String place =
                at == null
                        ? ""
                        : "line %d, column %d: ".formatted(at.getLineNr(), at.getColumnNr());
        // Behind the problem the parser says where it read from, which means nothing here.
        String problem = e.getOriginalMessage().replaceFirst("(?s) \\(start marker at.*", "");
        return new InvalidForestException(place + "no JSON that is well formed: " + problem);
    }

    @Override
    public void close() {
        parser.close();
    }
}
