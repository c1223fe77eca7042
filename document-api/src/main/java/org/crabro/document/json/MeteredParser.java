package org.crabro.document.json;

import org.crabro.document.memory.MemoryShare;
import org.crabro.document.memory.ValueMeter;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Charges the memory of the current request for the values that tokens become, before they are
 * made. Tokens that are skipped with {@link #skipChildren} are free.
 *
 * <p>The costs are upper bounds in bytes of heap, for references of 4 bytes: a value with its
 * wrapper and its place in a list or map, while the list or map is copied.
 */
public final class MeteredParser extends JsonParserDelegate {
    /** The map of a struct and its copy, without entries; a list of labels. */
    private static final int OBJECT = 200;

    /** A list and its copy, without elements. */
    private static final int ARRAY = 120;

    /** An entry of a map and of its copy, with the key as a value. */
    private static final int NAME = 160;

    /** A text value and its place in a list. */
    private static final int TEXT = 96;

    /** A number and its place in a list. */
    private static final int SCALAR = 32;

    /** Characters may need 16 bits. */
    private static final int CHARACTER = 2;

    private final ValueMeter meter;

    private MeteredParser(JsonParser parser, MemoryShare share) {
        super(parser);
        this.meter = new ValueMeter(share);
    }

    /**
     * Returns a parser that charges the current request; outside of requests, the parser itself.
     */
    public static JsonParser of(JsonParser parser) {
        MemoryShare share = MemoryShare.current();
        return share == MemoryShare.UNLIMITED ? parser : new MeteredParser(parser, share);
    }

    /**
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for the token
     */
    @Override
    public @Nullable JsonToken nextToken() {
        JsonToken token = delegate.nextToken();
        if (token != null) {
            meter.add(cost(token));
        }
        return token;
    }

    private long cost(JsonToken token) {
        return switch (token) {
            case START_OBJECT -> OBJECT;
            case START_ARRAY -> ARRAY;
            case PROPERTY_NAME -> NAME + (long) CHARACTER * delegate.currentName().length();
            case VALUE_STRING -> TEXT + (long) CHARACTER * delegate.getStringLength();
            case VALUE_NUMBER_INT,
                    VALUE_NUMBER_FLOAT,
                    VALUE_TRUE,
                    VALUE_FALSE,
                    VALUE_NULL,
                    VALUE_EMBEDDED_OBJECT ->
                    SCALAR;
            case END_OBJECT, END_ARRAY, NOT_AVAILABLE -> 0;
        };
    }
}
