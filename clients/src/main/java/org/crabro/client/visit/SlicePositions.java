package org.crabro.client.visit;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** How far each slice of a visit has come. Not thread-safe. */
final class SlicePositions {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String NOT_BEGUN = "";
    private static final String FINISHED = ".";

    private final List<String> tokens;

    private SlicePositions(List<String> tokens) {
        this.tokens = tokens;
    }

    /** Returns the positions of slices that have not begun. */
    static SlicePositions none(int slices) {
        return new SlicePositions(new ArrayList<>(Collections.nCopies(slices, NOT_BEGUN)));
    }

    /**
     * Reads the text of {@link #toString}.
     *
     * @throws IllegalArgumentException if it is another text
     */
    static SlicePositions parse(String text) {
        try {
            String json = new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
            List<String> tokens = new ArrayList<>();
            for (JsonNode token : JSON.readTree(json)) {
                tokens.add(token.asString(NOT_BEGUN));
            }
            if (tokens.isEmpty() || tokens.size() > ClientVisit.MOST_SLICES) {
                throw new IllegalArgumentException("not a position of a visit: " + text);
            }
            return new SlicePositions(tokens);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("not a position of a visit: " + text, e);
        }
    }

    int count() {
        return tokens.size();
    }

    boolean isFinished(int slice) {
        return tokens.get(slice).equals(FINISHED);
    }

    /** Returns the token that a slice continues from; empty if it begins. */
    String token(int slice) {
        return tokens.get(slice);
    }

    void reached(int slice, String token) {
        tokens.set(slice, token);
    }

    void finished(int slice) {
        tokens.set(slice, FINISHED);
    }

    @Override
    public String toString() {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(JSON.writeValueAsBytes(tokens));
    }
}
