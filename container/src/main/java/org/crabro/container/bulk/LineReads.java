package org.crabro.container.bulk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.ReadReply;
import org.crabro.container.document.ShownFields;
import org.crabro.container.http.JsonReply;
import org.crabro.document.Document;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Permission;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;

/**
 * Reads documents of lines, some of them concurrently. Until a line is answered, only the JSON of
 * its document stays in memory, which is much smaller than its values.
 */
final class LineReads {
    /** Documents that are read concurrently. */
    static final int AT_ONCE = 64;

    private static final int HEAP_PART = 16;

    private final DocumentReads reads;
    private final Principal principal;
    private final BulkOptions options;
    private final long mostBytes;

    LineReads(DocumentReads reads, Principal principal, BulkOptions options) {
        this(reads, principal, options, Runtime.getRuntime().maxMemory() / HEAP_PART);
    }

    /**
     * @param mostBytes of JSON in memory; a single document may be larger
     */
    LineReads(DocumentReads reads, Principal principal, BulkOptions options, long mostBytes) {
        this.reads = reads;
        this.principal = principal;
        this.options = options;
        this.mostBytes = mostBytes;
    }

    /** Returns the outcome of each line, in their order. */
    List<LineOutcome> read(List<BulkLine.Get> lines) throws InterruptedException {
        Deadline deadline = Deadline.after(options.timeout());
        var reserved = new AtomicLong();
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("bulk-read").factory())) {
            List<Future<LineOutcome>> reading = new ArrayList<>(lines.size());
            for (BulkLine.Get line : lines) {
                reading.add(threads.submit(() -> read(line, deadline, reserved)));
            }
            List<LineOutcome> outcomes = new ArrayList<>(lines.size());
            for (Future<LineOutcome> each : reading) {
                outcomes.add(each.get());
            }
            return outcomes;
        } catch (ExecutionException e) {
            throw new IllegalStateException("a document could not be read", e.getCause());
        }
    }

    private LineOutcome read(BulkLine.Get line, Deadline deadline, AtomicLong reserved) {
        // A bulk request needs permission to write only.
        if (!principal.may(Permission.READ)) {
            return new WriteStatus(
                    HttpStatus.FORBIDDEN_403,
                    "'%s' lacks permission %s"
                            .formatted(principal.name(), Permission.READ.shown()));
        }
        while (true) {
            try (var hold = new ReadHold()) {
                switch (reads.read(principal, deadline, line.id(), hold)) {
                    case ReadReply.Forbidden(String reason) -> {
                        return new WriteStatus(HttpStatus.FORBIDDEN_403, reason);
                    }
                    case ReadReply.Answered(GetReply reply) -> {
                        // The node has waited before it replied that it is overloaded.
                        if (!(reply instanceof GetReply.Overloaded) || deadline.hasPassed()) {
                            return outcome(line, reply, reserved);
                        }
                    }
                }
            }
        }
    }

    private LineOutcome outcome(BulkLine.Get line, GetReply reply, AtomicLong reserved) {
        return switch (reply) {
            case GetReply.Found(Document document, _) -> document(line, document, reserved);
            case GetReply.Missing() -> new LineOutcome.NotFound();
            case GetReply.Overloaded _ ->
                    new WriteStatus(
                            HttpStatus.TOO_MANY_REQUESTS_429,
                            "overload: " + GetReply.Overloaded.REASON);
            case GetReply.TimedOut() -> WriteStatus.timedOut(options.timeout());
            case GetReply.Failed(String reason) ->
                    new WriteStatus(HttpStatus.INTERNAL_SERVER_ERROR_500, reason);
            case GetReply.Unavailable(String reason) ->
                    new WriteStatus(HttpStatus.SERVICE_UNAVAILABLE_503, reason);
            case GetReply.WrongOwner(long stateVersion) ->
                    new WriteStatus(
                            HttpStatus.INTERNAL_SERVER_ERROR_500,
                            "no node owns the document's partition by cluster state "
                                    + stateVersion);
        };
    }

    private LineOutcome document(BulkLine.Get line, Document document, AtomicLong reserved) {
        var shown =
                new ShownFields(
                        line.shown(),
                        options.shown().tensors(),
                        options.shown().withEmpties(),
                        Map.of());
        byte[] json =
                JsonReply.bytes(out -> {
                    out.writeStartObject();
                    out.writeStringProperty("id", document.id().toString());
                    out.writeNumberProperty("status", HttpStatus.OK_200);
                    shown.write(out, document);
                    out.writeEndObject();
                });
        long others = reserved.getAndAdd(json.length);
        if (others > 0 && others + json.length > mostBytes) {
            reserved.addAndGet(-json.length);
            return new WriteStatus(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "overload: the documents asked for together are too large, at most %d bytes"
                            .formatted(mostBytes));
        }
        return new LineOutcome.Found(ByteBuffer.wrap(json));
    }
}
