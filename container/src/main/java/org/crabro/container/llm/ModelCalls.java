package org.crabro.container.llm;

import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.container.llm.LanguageModelMeters.End;

/**
 * Starts calls of language models and limits their number: those in flight, and those that start in
 * a minute. For all models of a process. Safe for use by many threads.
 */
public final class ModelCalls {
    private static final long MINUTE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final LanguageModelSettings settings;
    private final LongSupplier nanoTime;
    private final LanguageModelMeters meters;
    private final Semaphore free;

    // A token bucket with a full minute of calls; guarded by this.
    private double allowance;
    private long filledAt;

    /**
     * @param nanoTime as {@link System#nanoTime()}
     */
    public ModelCalls(
            LanguageModelSettings settings, LongSupplier nanoTime, LanguageModelMeters meters) {
        this.settings = settings;
        this.meters = meters;
        this.nanoTime = nanoTime;
        this.free = new Semaphore(settings.maxInFlight());
        this.allowance = settings.maxPerMinute();
        this.filledAt = nanoTime.getAsLong();
    }

    public LanguageModelSettings settings() {
        return settings;
    }

    /** Returns the meters of all calls. */
    LanguageModelMeters meters() {
        return meters;
    }

    /** Returns how many calls are in flight. */
    public int inFlight() {
        return settings.maxInFlight() - free.availablePermits();
    }

    /**
     * Starts a call on a virtual thread, and returns at once.
     *
     * @throws LanguageModelException if the prompt is too long or a bound is reached
     */
    public ModelCall start(NamedModel model, ModelRequest request) {
        try {
            takePlace(request);
        } catch (LanguageModelException e) {
            meters.refused(model.id(), e.error().kind());
            throw e;
        }
        LanguageModelMeters.Measured measured = meters.begin(model.id());
        try {
            return ModelCall.start(
                    model.model(),
                    request,
                    settings.size().maxAnswerBytes(),
                    new CountedCall(measured));
        } catch (RuntimeException | Error e) {
            new CountedCall(measured).ended(new End.Failed(QueryError.Kind.FAILED));
            throw e;
        }
    }

    /**
     * The place of a call, which is free again when the call ends. The thread that runs the model
     * calls it.
     */
    final class CountedCall {
        private final LanguageModelMeters.Measured measured;

        CountedCall(LanguageModelMeters.Measured measured) {
            this.measured = measured;
        }

        /** A part of the text was generated. */
        void part() {
            measured.part();
        }

        /** The model has ended. Called once. */
        void ended(End how) {
            measured.end(how);
            free.release();
        }
    }

    private void takePlace(ModelRequest request) {
        int bytes = request.prompt().getBytes(StandardCharsets.UTF_8).length;
        if (bytes > settings.size().maxPromptBytes()) {
            throw new LanguageModelException(
                    QueryError.Kind.INVALID_QUERY,
                    "the prompt has %,d bytes; at most %,d are allowed (search.models.maxPromptBytes)"
                            .formatted(bytes, settings.size().maxPromptBytes()));
        }
        if (!free.tryAcquire()) {
            throw new LanguageModelException(
                    QueryError.Kind.OVERLOADED,
                    "%,d calls of language models are in flight already (search.models.maxInFlight)"
                            .formatted(settings.maxInFlight()));
        }
        if (!mayStart()) {
            free.release();
            throw new LanguageModelException(
                    QueryError.Kind.OVERLOADED,
                    "%,d calls of language models have started in a minute (search.models.maxPerMinute)"
                            .formatted(settings.maxPerMinute()));
        }
    }

    private synchronized boolean mayStart() {
        long now = nanoTime.getAsLong();
        double added = (double) (now - filledAt) / MINUTE_NANOS * settings.maxPerMinute();
        allowance = Math.min(settings.maxPerMinute(), allowance + added);
        filledAt = now;
        if (allowance < 1) {
            return false;
        }
        allowance--;
        return true;
    }
}
