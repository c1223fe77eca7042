package org.crabro.document.json;

/** Skips values that are not used, and checks that they are JSON. */
public final class UnreadJson {
    /** Deeper JSON is left to the complete parser. */
    private static final int DEPTH_MAX = 100;

    private UnreadJson() {}

    /**
     * Skips the next value.
     *
     * @throws JsonScanner.UncommonFormException if it is not JSON, or is nested deeper than {@value
     *     #DEPTH_MAX} levels
     */
    public static void pass(JsonScanner json) {
        pass(json, 1);
    }

    private static void pass(JsonScanner json, int depth) {
        if (depth > DEPTH_MAX) {
            throw json.uncommon();
        }
        switch (json.next()) {
            case '"' -> json.string();
            case '{' -> {
                json.expect('{');
                if (!json.passes('}')) {
                    do {
                        json.name();
                        json.expect(':');
                        pass(json, depth + 1);
                    } while (json.passes(','));
                    json.expect('}');
                }
            }
            case '[' -> {
                json.expect('[');
                if (!json.passes(']')) {
                    do {
                        pass(json, depth + 1);
                    } while (json.passes(','));
                    json.expect(']');
                }
            }
            default -> {
                if (!json.passesNull()) {
                    json.passNumberOrBool();
                }
            }
        }
    }
}
