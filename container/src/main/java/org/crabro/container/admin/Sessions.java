package org.crabro.container.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The sessions that wait for activation, within bounds. Safe for use by many threads. */
final class Sessions {
    private final ConcurrentSkipListMap<Long, DeploySession> waiting =
            new ConcurrentSkipListMap<>();
    private final SessionLimits limits;

    Sessions(SessionLimits limits) {
        this.limits = limits;
    }

    void add(DeploySession session) {
        waiting.put(session.number(), session);
    }

    void remove(long number) {
        waiting.remove(number);
    }

    /** Returns the session; empty if it is unknown or has expired. */
    Optional<DeploySession> find(long number, Instant now) {
        return Optional.ofNullable(waiting.get(number)).filter(session -> !isOver(session, now));
    }

    /** Returns the expired sessions. */
    List<DeploySession> over(Instant now) {
        return waiting.values().stream().filter(session -> isOver(session, now)).toList();
    }

    Collection<Long> numbers() {
        return List.copyOf(waiting.keySet());
    }

    /** Returns why no further session is accepted; empty if one is. */
    Optional<String> full(Instant now) {
        return waiting.size() < limits.count()
                ? Optional.empty()
                : Optional.of(
                        "%d sessions wait to be activated, which is the limit; %s"
                                .formatted(limits.count(), advice(now)));
    }

    /** Returns why no {@code bytes} more are accepted; empty if they are. */
    Optional<String> full(long bytes, Instant now) {
        long taken = waiting.values().stream().mapToLong(DeploySession::bytes).sum();
        return taken + bytes <= limits.bytes()
                ? Optional.empty()
                : Optional.of(
                        "the files of sessions that wait to be activated would take %,d bytes, more"
                                        .formatted(taken + bytes)
                                + " than the limit of %,d; %s"
                                        .formatted(limits.bytes(), advice(now)));
    }

    private String advice(Instant now) {
        return waiting.values().stream()
                .map(session -> Duration.between(now, session.created().plus(limits.life())))
                .min(Duration::compareTo)
                .map(left -> "the oldest is deleted in %d seconds".formatted(left.toSeconds() + 1))
                .orElse("none is there to be deleted");
    }

    private boolean isOver(DeploySession session, Instant now) {
        return !session.created().plus(limits.life()).isAfter(now);
    }
}
