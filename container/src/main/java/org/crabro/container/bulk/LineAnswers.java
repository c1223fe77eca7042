package org.crabro.container.bulk;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.document.operation.DocumentOperation;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;

/** Sends and counts the outcomes of lines, batch by batch. For one thread. */
final class LineAnswers {
    /** Answers are sent at this size in bytes, also within a batch. */
    private static final int FLUSHED_BYTES = 256 << 10;

    private final AnswerLines answers;
    private final Content.Sink sink;
    private final DocumentMetrics metrics;
    private long batches;

    LineAnswers(AnswerLines answers, Content.Sink sink, DocumentMetrics metrics) {
        this.answers = answers;
        this.sink = sink;
        this.metrics = metrics;
    }

    /** Returns the count of answered batches. */
    long batches() {
        return batches;
    }

    /**
     * Sends the outcomes of a batch.
     *
     * @param nanos the time of the batch
     * @throws IOException if the client has disconnected
     */
    void answer(LineBatch batch, LineOutcome[] outcomes, long nanos) throws IOException {
        batches++;
        List<BulkLine> lines = batch.lines();
        int puts = 0;
        int removes = 0;
        for (int i = 0; i < outcomes.length; i++) {
            BulkLine line = lines.get(i);
            LineOutcome outcome = outcomes[i];
            if (line instanceof BulkLine.Unconditional(_, var row, boolean isRemove, String note)
                    && outcome instanceof WriteStatus status
                    && status.isPlain()
                    && note.isEmpty()) {
                // Plain successes are the common case, and are counted together.
                answers.ok(batch.number(i), row.bytes());
                if (isRemove) {
                    removes++;
                } else {
                    puts++;
                }
            } else {
                metrics.count(operation(line), answer(batch.number(i), line, outcome), nanos);
            }
            flush(FLUSHED_BYTES);
        }
        if (puts > 0) {
            metrics.count(Operation.PUT, HttpStatus.OK_200, nanos, puts);
        }
        if (removes > 0) {
            metrics.count(Operation.REMOVE, HttpStatus.OK_200, nanos, removes);
        }
        flush(0);
    }

    private static Operation operation(BulkLine line) {
        return switch (line) {
            case BulkLine.Unconditional write ->
                    write.isRemove() ? Operation.REMOVE : Operation.PUT;
            case BulkLine.Dependent dependent ->
                    switch (dependent.operation().operation()) {
                        case DocumentOperation.Put _ -> Operation.PUT;
                        case DocumentOperation.Update _ -> Operation.UPDATE;
                        case DocumentOperation.Remove _ -> Operation.REMOVE;
                    };
            case BulkLine.Conditional _ -> Operation.PUT;
            case BulkLine.Get _ -> Operation.GET;
            case BulkLine.Refused refused -> refused.asked();
        };
    }

    /** Writes an answer, and returns its status. */
    private int answer(long number, BulkLine line, LineOutcome outcome) {
        return switch (outcome) {
            case WriteStatus status -> answer(number, line, status);
            case LineOutcome.Found(ByteBuffer json) -> {
                answers.writeDocument(number, json);
                yield HttpStatus.OK_200;
            }
            case LineOutcome.NotFound() -> {
                answers.missing(number, id(line));
                yield HttpStatus.NOT_FOUND_404;
            }
        };
    }

    private int answer(long number, BulkLine line, WriteStatus status) {
        WriteStatus told =
                switch (line) {
                    case BulkLine.Unconditional write -> status.or(write.note());
                    case BulkLine.ByItself each -> status.or(each.note());
                    case BulkLine.Get _, BulkLine.Refused _ -> status;
                };
        answers.told(number, id(line), told);
        return told.status();
    }

    private static Optional<String> id(BulkLine line) {
        return switch (line) {
            case BulkLine.Unconditional write -> Optional.of(write.row().id().toString());
            case BulkLine.ByItself each -> Optional.of(each.id().toString());
            case BulkLine.Get get -> Optional.of(get.id().toString());
            case BulkLine.Refused refused -> refused.id();
        };
    }

    /** Sends the answers if they have more than {@code retained} bytes. */
    private void flush(int retained) throws IOException {
        if (answers.size() > retained) {
            Content.Sink.write(sink, false, answers.take());
        }
    }
}
