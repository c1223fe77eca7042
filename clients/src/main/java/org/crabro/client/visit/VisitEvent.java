package org.crabro.client.visit;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A part of a visit. */
public sealed interface VisitEvent {
    /**
     * A document, or a removed document.
     *
     * @param line {@code {"put": id, "fields": {…}}} or {@code {"remove": id}}, which can be fed
     */
    record Visited(String line) implements VisitEvent {
        private static final JsonMapper JSON = new JsonMapper();

        /** Returns the JSON of the line. */
        public JsonNode json() {
            return JSON.readTree(line);
        }
    }

    /**
     * How far the visit has come. It covers all documents before it, and none after it.
     *
     * @param position to continue from, see {@link ClientVisit#from}
     * @param percent how much is visited, 0 to 100; 100 at the end only
     */
    record Progress(String position, double percent) implements VisitEvent {}
}
