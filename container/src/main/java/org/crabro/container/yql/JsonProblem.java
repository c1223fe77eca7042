package org.crabro.container.yql;

import tools.jackson.core.JacksonException;

/** What is wrong with a text that was to be JSON, in words for whoever wrote it. */
public final class JsonProblem {
    /** Behind it stand settings of the parser. */
    private static final String PLACE = " (start marker at ";

    private JsonProblem() {}

    /** Returns the problem without its place. */
    public static String of(JacksonException problem) {
        String message = problem.getOriginalMessage();
        int place = message.indexOf(PLACE);
        return place < 0 ? message : message.substring(0, place);
    }
}
