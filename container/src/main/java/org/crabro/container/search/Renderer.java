package org.crabro.container.search;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.crabro.container.query.Presentation;

/** Writes results in one format. Used by many requests at once. */
public interface Renderer {
    /** Returns the media type, as the header says it. */
    String contentType(Presentation presentation);

    /**
     * Writes {@code result}, piece by piece as it goes.
     *
     * @param queryTime how long the query took until now, counted from its arrival
     * @param out left open
     */
    void render(SearchResult result, Duration queryTime, OutputStream out) throws IOException;
}
