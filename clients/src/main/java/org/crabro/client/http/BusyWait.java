package org.crabro.client.http;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The waits of one request for a server that is full. It has no clock and no thread. Not
 * thread-safe.
 */
public final class BusyWait {
    /** The part of a wait by which it may be longer, so that clients do not come back together. */
    private static final int SPREAD = 4;

    private final BusyServers busy;
    private int answers;
    private long sinceNanos;

    public BusyWait(BusyServers busy) {
        this.busy = busy;
    }

    /**
     * Returns how long to wait after an answer that said that the server is full: at least as long
     * as it asked for, or a pause that doubles if it named no time.
     *
     * @param asked the wait that the server asked for
     * @param reason of the server, for the notice
     * @return empty if the wait would end after the time limit
     */
    public Optional<Duration> next(Optional<Duration> asked, long nowNanos, String reason) {
        if (answers++ == 0) {
            sinceNanos = nowNanos;
        }
        Duration pause =
                asked.map(BusyWait::spread)
                        .orElseGet(() -> RetryPauses.DEFAULT.after(Math.min(answers, 1 << 10)));
        Duration over = busy.timeout().minus(Duration.ofNanos(nowNanos - sinceNanos));
        if (pause.compareTo(over) > 0) {
            return Optional.empty();
        }
        if (answers == 1) {
            busy.notices()
                    .accept(
                            "The server is full, and the client waits for it, at most %d s: %s"
                                    .formatted(busy.timeout().toSeconds(), reason));
        }
        return Optional.of(pause);
    }

    /** Records that the server did a part of the request: the time limit begins again. */
    public void progressed() {
        answers = 0;
    }

    /** Returns why {@link #next} returned no wait. */
    public String over() {
        return "the server is full, and was for %d s or asks for a longer wait than that"
                .formatted(busy.timeout().toSeconds());
    }

    private static Duration spread(Duration asked) {
        long millis = asked.toMillis() / SPREAD;
        return asked.plus(RetryPauses.DEFAULT.after(1))
                .plusMillis(ThreadLocalRandom.current().nextLong(millis + 1));
    }
}
