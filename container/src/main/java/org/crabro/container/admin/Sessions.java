package org.crabro.container.admin;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;

/** The sessions that wait to be activated, within bounds. Safe for use by many threads. */
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

    /** Returns the session, unless there is none or its time is over. */
    Optional<DeploySession> find(long number, Instant now) {
        return Optional.ofNullable(waiting.get(number)).filter(session -> !isOver(session, now));
    }

    /** Returns the sessions whose time is over. */
    List<DeploySession> over(Instant now) {
        return waiting.values().stream().filter(session -> isOver(session, now)).toList();
    }

    Collection<Long> numbers() {
        return List.copyOf(waiting.keySet());
    }

    /** Returns why there is no room for a session more, if there is none. */
    Optional<String> full(Instant now) {
        return waiting.size() < limits.count()
                ? Optional.empty()
                : Optional.of(
                        "%d sessions wait to be activated, which is the limit; %s"
                                .formatted(limits.count(), advice(now)));
    }

    /** Returns why there is no room for {@code bytes} more, if there is none. */
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
