package org.crabro.docs;

import java.util.Comparator;
import java.util.Locale;

/**
 * A message in the code with which something is refused or warned about.
 *
 * @param message its text, in which {@code %s} and the like are left open; a line's end is {@code
 *     \n}
 */
record Refusal(Stage stage, Effect effect, String message) implements Comparable<Refusal> {
    private static final Comparator<Refusal> ORDER =
            Comparator.comparing(Refusal::stage)
                    .thenComparing(Refusal::effect)
                    .thenComparing(Refusal::message);

    Refusal {
        message = message.replace("\n", "\\n").replace("\t", "\\t").strip();
    }

    @Override
    public int compareTo(Refusal other) {
        return ORDER.compare(this, other);
    }

    /** When users see a message. */
    enum Stage {
        DEPLOY,
        FEED,
        QUERY;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What happens with the message. */
    enum Effect {
        REFUSED,
        WARNED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
