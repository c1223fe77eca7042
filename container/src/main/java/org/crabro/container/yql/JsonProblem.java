package org.crabro.container.yql;

import tools.jackson.core.JacksonException;

/** The error of a text that is no JSON, for the client. */
public final class JsonProblem {
    /** The parser adds places to its messages; the text from here on is removed. */
    private static final String PLACE = " (start marker at ";

    private JsonProblem() {}

    /** Returns the problem without its place. */
    public static String of(JacksonException problem) {
        String message = problem.getOriginalMessage();
        int place = message.indexOf(PLACE);
        return place < 0 ? message : message.substring(0, place);
    }
}
