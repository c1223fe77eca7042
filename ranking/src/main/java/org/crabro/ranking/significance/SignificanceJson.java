package org.crabro.ranking.significance;

import java.io.InputStream;
import org.crabro.ranking.json.JsonFile;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.TokenStreamFactory;
import tools.jackson.core.json.JsonFactory;

/** Parses the JSON of a significance model, and reports unexpected content with its place. */
final class SignificanceJson extends JsonFile<InvalidSignificanceException> {
    /** Skipped values may be nested. Values that are read have a depth of at most four. */
    private static final int DEPTH = 50;

    private static final JsonFactory FACTORY =
            JsonFactory.builder()
                    // Words are read once each: remembering them would cost more than it saves.
                    .disable(TokenStreamFactory.Feature.CANONICALIZE_PROPERTY_NAMES)
                    .streamReadConstraints(
                            StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                    .build();

    SignificanceJson(InputStream json) {
        super(FACTORY, json, InvalidSignificanceException::new);
    }

    /** Returns the current text or number, as it is written. */
    String scalar(String what) {
        JsonToken token = parser().currentToken();
        if (token == null || !(token.isNumeric() || token == JsonToken.VALUE_STRING)) {
            throw problem("expected " + what);
        }
        try {
            return parser().getString();
        } catch (JacksonException e) {
            throw malformed(e);
        }
    }

    /**
     * Returns the current whole number, which is at least {@code least}.
     *
     * @param name of the member
     */
    long count(String name, long least) {
        try {
            if (parser().hasToken(JsonToken.VALUE_NUMBER_INT)
                    && parser().getNumberType() != JsonParser.NumberType.BIG_INTEGER
                    && parser().getLongValue() >= least) {
                return parser().getLongValue();
            }
        } catch (JacksonException e) {
            throw malformed(e);
        }
        throw problem("expected '%s', a whole number from %d on".formatted(name, least));
    }
}
