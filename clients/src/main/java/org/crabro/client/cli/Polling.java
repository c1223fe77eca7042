package org.crabro.client.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Predicate;

/** Repeats a call of a server until its reply meets a condition. */
final class Polling {
    private Polling() {}

    /** A call of a server. */
    interface Call<T> {
        T send() throws IOException, InterruptedException;
    }

    /**
     * Waits for {@code pause} and sends {@code next}, until a reply meets {@code isLast}.
     *
     * @param first a reply that was received before; if it meets the condition, nothing is sent
     * @return the first reply that meets the condition
     */
    static <T> T until(Predicate<T> isLast, T first, Call<T> next, Duration pause)
            throws IOException, InterruptedException {
        T reply = first;
        while (!isLast.test(reply)) {
            Thread.sleep(pause);
            reply = next.send();
        }
        return reply;
    }
}
