package org.crabro.container.llm;

import java.net.URI;
import java.time.Duration;
import java.util.Set;

/**
 * The bounds of calls of language models.
 *
 * @param endpoints the addresses to which texts may be sent
 * @param maxInFlight the largest number of concurrent calls; further calls return 429
 * @param maxPerMinute the largest number of calls that start in a minute; further calls return 429
 * @param timeout the time for an answer if the request sets no timeout
 * @param size the bounds of one call
 */
public record LanguageModelSettings(
        Endpoints endpoints, int maxInFlight, int maxPerMinute, Duration timeout, Size size) {
    /** The bounds of a server that sets none. */
    public static final LanguageModelSettings DEFAULT =
            new LanguageModelSettings(
                    Endpoints.NONE, 64, 600, Duration.ofSeconds(60), new Size(4 << 20, 4 << 20));

    public LanguageModelSettings {
        if (maxInFlight < 0 || maxPerMinute < 0 || !timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "maxInFlight is %d, maxPerMinute %d, timeout %s; at least 0, 0 and 1 ms are needed"
                            .formatted(maxInFlight, maxPerMinute, timeout));
        }
    }

    /** The addresses to which texts may be sent. */
    public enum Endpoints {
        NONE,
        /** Services on the same machine. */
        LOCAL,
        ANY;

        private static final Set<String> HERE = Set.of("localhost", "127.0.0.1", "[::1]");

        /** Returns whether texts may be sent to {@code endpoint}. */
        boolean allow(URI endpoint) {
            return switch (this) {
                case NONE -> false;
                case LOCAL -> HERE.contains(endpoint.getHost());
                case ANY -> true;
            };
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

    /** Returns these bounds with other addresses. */
    public LanguageModelSettings withEndpoints(Endpoints other) {
        return new LanguageModelSettings(other, maxInFlight, maxPerMinute, timeout, size);
    }

    /** Returns these bounds with other numbers of calls. */
    public LanguageModelSettings withCalls(int inFlight, int perMinute) {
        return new LanguageModelSettings(endpoints, inFlight, perMinute, timeout, size);
    }
}
