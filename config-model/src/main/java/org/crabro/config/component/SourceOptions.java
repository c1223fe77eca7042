package org.crabro.config.component;

import java.time.Duration;
import java.util.Optional;

/**
 * How a federation asks a source. An empty option is that of the elements around.
 *
 * @param timeout how long the federation waits
 * @param requestTimeout how long the source itself may take, if that is not the same
 * @param optional whether the federation waits for the source only as long as for others
 * @param byDefault whether queries that name no sources ask this one
 */
public record SourceOptions(
        Optional<Duration> timeout,
        Optional<Duration> requestTimeout,
        Optional<Boolean> optional,
        Optional<Boolean> byDefault) {
    /** No options. */
    public static final SourceOptions NONE =
            new SourceOptions(
                    Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

    /** Returns these options, and those of {@code around} where these are empty. */
    public SourceOptions within(SourceOptions around) {
        return new SourceOptions(
                timeout.or(around::timeout),
                requestTimeout.or(around::requestTimeout),
                optional.or(around::optional),
                byDefault.or(around::byDefault));
    }

    /** Returns whether the federation waits for the source only as long as for others. */
    public boolean isOptional() {
        return optional.orElse(false);
    }

    /** Returns whether queries that name no sources ask this one. */
    public boolean isByDefault() {
        return byDefault.orElse(true);
    }
}
