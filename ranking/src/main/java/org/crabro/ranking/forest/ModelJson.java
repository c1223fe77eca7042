package org.crabro.ranking.forest;

import java.io.InputStream;
import org.crabro.ranking.json.JsonFile;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/** Parses the JSON of a model, and reports unexpected content with its place. */
final class ModelJson extends JsonFile<InvalidForestException> {
    /** Each level of a tree has an object and an array; the model adds a few levels around them. */
    private static final int LEVELS = 10;

    private final ForestLimits limits;
    private int nodes;

    ModelJson(InputStream json, ForestLimits limits) {
        super(factory(limits), json, InvalidForestException::new);
        this.limits = limits;
    }

    private static JsonFactory factory(ForestLimits limits) {
        return JsonFactory.builder()
                // XGBoost writes NaN for missing numbers.
                .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                .streamReadConstraints(
                        StreamReadConstraints.builder()
                                .maxNestingDepth(2 * limits.depth() + LEVELS)
                                .build())
                .build();
    }

    /** Moves to the next element of an array, or reports its end. */
    boolean nextElement() {
        next();
        return !parser().hasToken(JsonToken.END_ARRAY);
    }

    boolean isArray() {
        return parser().hasToken(JsonToken.START_ARRAY);
    }

    boolean isObject() {
        return parser().hasToken(JsonToken.START_OBJECT);
    }

    boolean isText() {
        return parser().hasToken(JsonToken.VALUE_STRING);
    }

    boolean isNull() {
        return parser().hasToken(JsonToken.VALUE_NULL);
    }

    /** Returns whether the current value is true or false, which older models use for 1 and 0. */
    boolean isTruth() {
        return parser().hasToken(JsonToken.VALUE_TRUE) || parser().hasToken(JsonToken.VALUE_FALSE);
    }

    void requireArray(String what) {
        if (!isArray()) {
            throw problem("expected " + what + ", an array");
        }
    }

    /** Returns the current number, which may be in quotes. */
    double number(String what) {
        double value = anyNumber(what);
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw noNumber(what);
        }
        return value;
    }

    /** Returns the current number, which may be in quotes, NaN or infinite. */
    double anyNumber(String what) {
        try {
            if (parser().currentToken() != null && parser().currentToken().isNumeric()) {
                return parser().getDoubleValue();
            }
            return Double.parseDouble(isText() ? parser().getString() : "");
        } catch (JacksonException e) {
            throw malformed(e);
        } catch (NumberFormatException _) {
            throw noNumber(what);
        }
    }

    private InvalidForestException noNumber(String what) {
        return problem("expected " + what + ", a finite number");
    }

    /** Returns the current value, a whole number. */
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
            return parser().getString();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    boolean truth(String what) {
        if (!isTruth()) {
            throw problem("expected " + what + ", true or false");
        }
        return parser().hasToken(JsonToken.VALUE_TRUE);
    }

    /** Begins a node at the current value, {@code depth} nodes from its root. */
    void node(int depth) {
        requireObject("a node of a tree");
        if (++nodes > limits.nodes()) {
            throw problem("more than %,d nodes".formatted(limits.nodes()));
        }
        if (depth > limits.depth()) {
            throw problem("a tree deeper than %,d nodes".formatted(limits.depth()));
        }
    }
}
