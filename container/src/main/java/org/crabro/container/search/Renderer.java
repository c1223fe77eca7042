package org.crabro.container.search;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.crabro.container.query.Presentation;

/** Writes results in one format. Used by many requests at once. */
public interface Renderer {
    /** Returns the media type for the header. */
    String contentType(Presentation presentation);

    /**
     * Writes {@code result} to {@code out} without building it in memory.
     *
     * @param queryTime the time since the arrival of the query
     * @param out stays open
     */
    void render(SearchResult result, Duration queryTime, OutputStream out) throws IOException;
}
