package org.crabro.container.llm;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.crabro.component.LanguageModel;
import org.crabro.component.LanguageModelException;
import org.crabro.component.ModelRequest;
import org.crabro.component.QueryError;
import org.crabro.container.llm.LanguageModelMeters.End;
import org.crabro.protocol.trace.Spans;
import org.crabro.protocol.wire.CancellationToken;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running call of a language model. A virtual thread generates, another thread takes the parts.
 * If that thread is slow, the model waits after {@value #PARTS_WAITING} parts.
 */
public final class ModelCall implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ModelCall.class);

    /** The parts that wait for a slow client. */
    private static final int PARTS_WAITING = 256;

    /** After this time, a thread that waits for a part checks whether its client is connected. */
    private static final long CHECK_MILLIS = 100;

    private final LanguageModel model;
    private final ModelRequest request;
    private final int maxBytes;
    private final long deadlineNanos;
    private final BlockingQueue<ModelEvent> events = new ArrayBlockingQueue<>(PARTS_WAITING);
    private final ModelCalls.CountedCall counted;
    private volatile @Nullable Thread generator;
    private volatile boolean isClosed;

    /** Of the text so far; for the generating thread. */
    private long bytes;

    /** Why a part was not taken, for the generating thread; the text then is not complete. */
    private Optional<QueryError> cut = Optional.empty();

    /** Ends {@link LanguageModel#generate} because the call was closed. */
    private static final class ClosedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        ClosedException() {
            super("the call was closed", null, false, false);
        }
    }

    private ModelCall(
            LanguageModel model,
            ModelRequest request,
            int maxBytes,
            ModelCalls.CountedCall counted) {
        this.model = model;
        this.request = request;
        this.maxBytes = maxBytes;
        this.deadlineNanos = System.nanoTime() + request.timeout().toNanos();
        this.counted = counted;
    }

    static ModelCall start(
            LanguageModel model,
            ModelRequest request,
            int maxBytes,
            ModelCalls.CountedCall counted) {
        var call = new ModelCall(model, request, maxBytes, counted);
        call.generator =
                Thread.ofVirtual().name("language-model").start(Spans.carried(call::generate));
        return call;
    }

    private void generate() {
        End end = new End.Disconnected();
        try {
            ModelEvent last = generated();
            boolean isTaken = !isClosed && events.offer(last, nanosLeft(), TimeUnit.NANOSECONDS);
            end = isTaken ? end(last) : left();
        } catch (InterruptedException _) {
            // Closed: no thread waits for the end.
            isClosed = true;
            end = left();
        } finally {
            counted.ended(end);
        }
    }

    private static End end(ModelEvent last) {
        return last instanceof ModelEvent.Failed(var error)
                ? new End.Failed(error.kind())
                : new End.Complete();
    }

    /** Returns why no thread takes the text any more. */
    private End left() {
        return nanosLeft() == 0
                ? new End.Failed(QueryError.Kind.TIMED_OUT)
                : new End.Disconnected();
    }

    private ModelEvent generated() throws InterruptedException {
        Optional<String> reason = Optional.empty();
        try {
            reason = model.generateToEnd(request, this::add);
        } catch (LanguageModelException e) {
            return new ModelEvent.Failed(e.error());
        } catch (ClosedException _) {
            // The reason is in the field.
        } catch (RuntimeException | LinkageError | StackOverflowError | AssertionError e) {
            if (cut.isEmpty() && !isClosed) {
                String problem =
                        "the language model failed: class %s threw %s"
                                .formatted(model.getClass().getName(), e.getClass().getName());
                LOG.error("{}", problem, e);
                return new ModelEvent.Failed(new QueryError(QueryError.Kind.FAILED, problem));
            }
        }
        // A model may have caught the exception, and returned as if the text were complete.
        return cut.isPresent() ? new ModelEvent.Failed(cut.get()) : new ModelEvent.Complete(reason);
    }

    private void add(String text) {
        bytes += text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > maxBytes) {
            var problem =
                    new LanguageModelException(
                            QueryError.Kind.FAILED,
                            "the answer has more than %,d bytes (search.models.maxAnswerBytes)"
                                    .formatted(maxBytes));
            cut = Optional.of(problem.error());
            throw problem;
        }
        if (text.isEmpty()) {
            return;
        }
        counted.part();
        try {
            boolean isTaken =
                    !isClosed
                            && events.offer(
                                    new ModelEvent.Part(text), nanosLeft(), TimeUnit.NANOSECONDS);
            if (isTaken) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        cut = Optional.of(timedOut());
        throw new ClosedException();
    }

    private QueryError timedOut() {
        return new QueryError(
                QueryError.Kind.TIMED_OUT,
                "the language model did not end within %,d ms"
                        .formatted(request.timeout().toMillis()));
    }

    private long nanosLeft() {
        return Math.max(0, deadlineNanos - System.nanoTime());
    }

    /**
     * Waits for the next event. For one thread.
     *
     * @param token whether the client has disconnected
     * @return empty if the client has disconnected; the call is closed then
     * @throws InterruptedException if the thread is interrupted
     */
    public Optional<ModelEvent> next(CancellationToken token) throws InterruptedException {
        while (true) {
            long nanos = Math.min(nanosLeft(), TimeUnit.MILLISECONDS.toNanos(CHECK_MILLIS));
            ModelEvent event = events.poll(nanos, TimeUnit.NANOSECONDS);
            if (event != null) {
                return Optional.of(event);
            }
            if (token.isCancelled()) {
                close();
                return Optional.empty();
            }
            if (nanosLeft() == 0) {
                close();
                return Optional.of(new ModelEvent.Failed(timedOut()));
            }
        }
    }

    /** Stops the model if it has not ended. */
    @Override
    public void close() {
        isClosed = true;
        Thread running = generator;
        if (running != null) {
            running.interrupt();
        }
    }
}
