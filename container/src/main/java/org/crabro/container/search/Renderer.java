package org.crabro.container.search;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.ResultError;

/** Writes results in one format. Used by many requests at once. */
public interface Renderer {
    /** Returns the media type for the header. */
    String contentType(Presentation presentation);

    /** Writes a part of a generated answer as an event. */
    void event(AnswerEvent event, OutputStream out) throws IOException;

    /** Writes an error as an event. */
    void error(ResultError error, OutputStream out) throws IOException;

    /** Writes the end of a stream of events. */
    void end(OutputStream out) throws IOException;

    /**
     * Writes {@code result} to {@code out} without building it in memory.
     *
     * @param queryTime the time since the arrival of the query
     * @param out stays open
     */
    void render(SearchResult result, Duration queryTime, OutputStream out) throws IOException;
}
