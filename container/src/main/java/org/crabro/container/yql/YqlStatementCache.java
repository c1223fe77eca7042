package org.crabro.container.yql;

import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Function;

/**
 * The statements that were parsed last. Applications send few texts, with values in parameters.
 * Safe for use by many threads.
 *
 * <p>A new statement replaces the one with the same place. The cache takes at most about 4 MB: a
 * statement takes up to 40 times the memory of its text.
 */
final class YqlStatementCache {
    /** A power of two. */
    private static final int PLACES = 128;

    /** Longer texts are parsed each time. */
    private static final int LENGTH_MAX = 800;

    private final AtomicReferenceArray<YqlStatement> places = new AtomicReferenceArray<>(PLACES);

    /**
     * Returns the statement of a text.
     *
     * @param parser parses the text if the cache does not contain it; its exceptions are thrown
     */
    YqlStatement statement(String text, Function<String, YqlStatement> parser) {
        if (text.length() > LENGTH_MAX) {
            return parser.apply(text);
        }
        int hash = text.hashCode();
        int place = (hash ^ (hash >>> 16)) & (PLACES - 1);
        YqlStatement cached = places.get(place);
        if (cached != null && cached.text().equals(text)) {
            return cached;
        }
        YqlStatement parsed = parser.apply(text);
        places.set(place, parsed);
        return parsed;
    }
}
