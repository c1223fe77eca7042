package org.crabro.client.http;

import java.net.http.HttpResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/** The answers of a server that is full for the moment, and when they ask clients to come back. */
public final class RetryAfter {
    private static final int TOO_MANY_REQUESTS = 429;
    private static final int UNAVAILABLE = 503;

    /** More digits are no number of seconds that anybody waits for. */
    private static final int DIGITS_MAX = 9;

    private RetryAfter() {}

    /** Returns whether a status says that the server is full, and that the client may try again. */
    public static boolean isBusy(int status) {
        return status == TOO_MANY_REQUESTS || status == UNAVAILABLE;
    }

    /**
     * Returns the wait that an answer asks for in its header {@code Retry-After}; empty if it has
     * none, or one that is not valid.
     */
    public static Optional<Duration> of(HttpResponse<?> response) {
        return response.headers()
                .firstValue("Retry-After")
                .flatMap(value -> parse(value.strip(), Instant.now()));
    }

    /**
     * Reads a number of seconds, or a date of HTTP.
     *
     * @param now the wait for a date is counted from here, and is zero for a date before it
     */
    static Optional<Duration> parse(String value, Instant now) {
        if (!value.isEmpty() && value.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return value.length() > DIGITS_MAX
                    ? Optional.of(Duration.ofSeconds(Integer.MAX_VALUE))
                    : Optional.of(Duration.ofSeconds(Long.parseLong(value)));
        }
        try {
            Instant date =
                    ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
            return Optional.of(date.isBefore(now) ? Duration.ZERO : Duration.between(now, date));
        } catch (DateTimeException _) {
            return Optional.empty();
        }
    }
}
