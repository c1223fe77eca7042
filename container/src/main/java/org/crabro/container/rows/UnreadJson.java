package org.crabro.container.rows;

/** Passes over values that nobody reads, and finds out whether they are JSON. */
public final class UnreadJson {
    private static final byte[] TRUE = {'t', 'r', 'u', 'e'};
    private static final byte[] FALSE = {'f', 'a', 'l', 's', 'e'};

    /** Whoever reads all of JSON takes more, and refuses some. */
    private static final int DEPTH_MAX = 100;

    private UnreadJson() {}

    /**
     * Passes over the value that stands here.
     *
     * @throws JsonScanner.UncommonFormException if it is none, or is nested deeper than anybody
     *     does
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
                if (!json.passes(TRUE) && !json.passes(FALSE) && !json.passes(JsonScanner.NULL)) {
                    json.number();
                }
            }
        }
    }
}
