package org.crabro.container.llm;

import java.time.Duration;

/**
 * The bounds of calls of language models.
 *
 * @param maxInFlight the largest number of concurrent calls; further calls return 429
 * @param maxPerMinute the largest number of calls that start in a minute; further calls return 429
 * @param timeout the time for an answer if the request sets no timeout
 * @param size the bounds of one call
 */
public record LanguageModelSettings(
        int maxInFlight, int maxPerMinute, Duration timeout, Size size) {
    /** The bounds of a server that sets none. */
    public static final LanguageModelSettings DEFAULT =
            new LanguageModelSettings(64, 600, Duration.ofSeconds(60), new Size(4 << 20, 4 << 20));

    public LanguageModelSettings {
        if (maxInFlight < 0 || maxPerMinute < 0 || !timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "maxInFlight is %d, maxPerMinute %d, timeout %s; at least 0, 0 and 1 ms are needed"
                            .formatted(maxInFlight, maxPerMinute, timeout));
        }
    }

    /**
     * The bounds of one call.
     *
     * @param maxPromptBytes the size of the longest prompt; a longer one returns 400
     * @param maxAnswerBytes the size of the longest answer; a longer one ends with an error
     */
    public record Size(int maxPromptBytes, int maxAnswerBytes) {
        public Size {
            if (maxPromptBytes < 1 || maxAnswerBytes < 1) {
                throw new IllegalArgumentException(
                        "maxPromptBytes is %d, maxAnswerBytes %d; at least 1 is needed"
                                .formatted(maxPromptBytes, maxAnswerBytes));
            }
        }
    }

    /** Returns these bounds with other numbers of calls. */
    public LanguageModelSettings withCalls(int inFlight, int perMinute) {
        return new LanguageModelSettings(inFlight, perMinute, timeout, size);
    }
}
