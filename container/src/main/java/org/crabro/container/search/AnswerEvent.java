package org.crabro.container.search;

/**
 * A part of a generated answer.
 *
 * @param type such as {@code token}; also the name of its field
 * @param text the text of the part; JSON for {@link #HITS}
 */
public record AnswerEvent(String type, String text) {
    /** The type of the search result, whose text is JSON. */
    public static final String HITS = "hits";

    /** The type of the reason why the text ends, as the model says it. */
    public static final String FINISH_REASON = "finish_reason";

    static final String TOKEN = "token";
    static final String COMPLETION = "completion";
    static final String PROMPT = "prompt";
    static final String STATS = "stats";
}
