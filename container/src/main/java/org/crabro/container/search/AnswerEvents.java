package org.crabro.container.search;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.llm.GeneratedAnswer;
import org.crabro.container.llm.ModelEvent;
import org.crabro.container.query.ResultError;
import org.crabro.protocol.wire.CancellationToken;

/** Takes the parts of an answer in order. For one answer and one thread. */
final class AnswerEvents {
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double MILLIS_PER_SECOND = 1e3;

    private final PageAnswer answer;
    private final Function<SearchResult, String> json;
    private final OwnResults results = new OwnResults();
    private final StringBuilder whole = new StringBuilder();
    private final long begin = System.nanoTime();
    private long first;
    private int tokens;

    /** Takes a part of an answer. */
    interface Sink {
        void event(AnswerEvent event) throws IOException;
    }

    /**
     * @param json writes a result
     */
    AnswerEvents(PageAnswer answer, Function<SearchResult, String> json) {
        this.answer = answer;
        this.json = json;
    }

    /** How an answer ends. */
    sealed interface End {
        /** The answer is complete. */
        record Complete() implements End {}

        /** The answer ends with an error. */
        record Failed(ResultError error) implements End {}

        /** The client has disconnected. */
        record Disconnected() implements End {}
    }

    /**
     * Waits for all parts. Closes the call.
     *
     * @throws IOException if {@code sink} throws it
     * @throws InterruptedException if the thread is interrupted
     */
    End take(CancellationToken token, Sink sink) throws IOException, InterruptedException {
        GeneratedAnswer generated = answer.generated();
        try (var call = generated.call()) {
            if (generated.prompt().isPresent()) {
                sink.event(new AnswerEvent(AnswerEvent.PROMPT, generated.prompt().get()));
            }
            if (answer.result().isPresent()) {
                sink.event(new AnswerEvent(AnswerEvent.HITS, json.apply(answer.result().get())));
            }
            while (true) {
                Optional<ModelEvent> event = call.next(token);
                if (event.isEmpty()) {
                    return new End.Disconnected();
                }
                switch (event.get()) {
                    case ModelEvent.Part(var text) -> part(text, sink);
                    case ModelEvent.Complete(var reason) -> {
                        end(reason, sink);
                        return new End.Complete();
                    }
                    case ModelEvent.Failed(var error) -> {
                        return new End.Failed(results.of(error));
                    }
                }
            }
        }
    }

    private void part(String text, Sink sink) throws IOException {
        if (tokens++ == 0) {
            first = System.nanoTime();
        }
        if (answer.generated().isStreamed()) {
            sink.event(new AnswerEvent(AnswerEvent.TOKEN, text));
        } else {
            whole.append(text);
        }
    }

    private void end(Optional<String> reason, Sink sink) throws IOException {
        if (!answer.generated().isStreamed()) {
            sink.event(new AnswerEvent(AnswerEvent.COMPLETION, whole.toString()));
        }
        if (reason.isPresent()) {
            sink.event(new AnswerEvent(AnswerEvent.FINISH_REASON, reason.get()));
        }
        if (answer.generated().showsTimes() && tokens > 0) {
            sink.event(new AnswerEvent(AnswerEvent.STATS, times(System.nanoTime())));
        }
    }

    private String times(long now) {
        double untilFirst = (first - begin) / NANOS_PER_MILLI;
        double generating = (now - first) / NANOS_PER_MILLI;
        double rate = generating > 0 ? tokens * MILLIS_PER_SECOND / generating : tokens;
        return String.format(
                Locale.ROOT,
                "Time to first token: %.0f ms, Generation time: %.0f ms, Generated tokens: %d (%.2f tokens/sec)",
                untilFirst,
                generating,
                tokens,
                rate);
    }
}
