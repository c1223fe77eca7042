package org.crabro.container.query;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import org.crabro.protocol.wire.Deadline;

/** Reads how long a request may take. */
final class DeadlineReader {
    /** Listing all features takes long. */
    private static final Duration LISTING_TIMEOUT = Duration.ofMinutes(6);

    private final Parameters parameters;
    private final QueryRequest request;
    private final SearchSettings settings;
    private final Optional<Duration> ofApplication;

    /**
     * @param ofApplication the default timeout of the application, if it sets one
     */
    DeadlineReader(
            Parameters parameters,
            QueryRequest request,
            SearchSettings settings,
            Optional<Duration> ofApplication) {
        this.parameters = parameters;
        this.request = request;
        this.settings = settings;
        this.ofApplication = ofApplication;
    }

    /**
     * Returns the deadline of the content nodes.
     *
     * @param ofStatement the timeout in the statement, which overrides the parameter
     */
    Deadline deadline(Optional<Duration> ofStatement) {
        Duration asked =
                ofStatement
                        .or(() -> parameters.time(Parameter.TIMEOUT))
                        .or(() ->
                                parameters.truth(Parameter.LIST_FEATURES, false)
                                        ? Optional.of(LISTING_TIMEOUT)
                                        : ofApplication)
                        .orElse(settings.times().defaultTimeout());
        Duration timeout =
                asked.compareTo(settings.times().maxTimeout()) > 0
                        ? settings.times().maxTimeout()
                        : asked;
        return new Deadline(
                request.arrivalNanos() + (long) (timeout.toNanos() * softTimeoutFactor()),
                request.sender().cancellation());
    }

    /** Returns the share of the timeout after which content nodes return what they have found. */
    private double softTimeoutFactor() {
        OptionalDouble factor = parameters.decimal(Parameter.SOFT_TIMEOUT_FACTOR);
        if (factor.isEmpty() || !parameters.truth(Parameter.SOFT_TIMEOUT, true)) {
            return 1;
        }
        if (factor.getAsDouble() <= 0 || factor.getAsDouble() > 1) {
            throw illegal(
                    "Could not set '%s': expected a number above 0 and up to 1"
                            .formatted(Parameter.SOFT_TIMEOUT_FACTOR.shown()));
        }
        return factor.getAsDouble();
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
