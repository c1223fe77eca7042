package org.crabro.container.bulk;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.IndexedWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ManyDocuments;
import org.crabro.container.document.ValidatedWrites;
import org.crabro.container.http.Accepted;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.CborSink;
import org.crabro.container.http.CborTranscript;
import org.crabro.container.http.PacedRequest;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Carries out the operations of a body of lines, and answers each when it is durable.
 *
 * <p>Runs on virtual threads, and blocks while the client does not read its answers.
 */
public final class BulkFeed implements ManyDocuments {
    /** The content type of bodies and answers. */
    static final String CONTENT_TYPE = "application/jsonl";

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final BulkBackend backend;
    private final Function<Request, Principal> principals;
    private final BulkAdmission admission;
    private final Duration timeout;
    private final DocumentMetrics metrics;

    /**
     * @param principals returns the sender of a request
     * @param timeout of writes in requests that name none
     */
    public BulkFeed(
            BulkBackend backend,
            Function<Request, Principal> principals,
            BulkAdmission admission,
            Duration timeout,
            MeterRegistry registry) {
        this.backend = backend;
        this.principals = principals;
        this.admission = admission;
        this.timeout = timeout;
        this.metrics = new DocumentMetrics(registry);
    }

    /** Returns whether a request is a bulk request: it sends operations and has no selection. */
    public static boolean isAsked(Request request, DocumentParameters parameters) {
        return request.getMethod().equals("POST")
                && (isOf(request, CONTENT_TYPE) || isArray(request))
                && parameters.text("cluster").isEmpty()
                && parameters.text("selection").isEmpty();
    }

    /** Returns whether the operations of a request are elements of an array. */
    private static boolean isArray(Request request) {
        return isOf(request, "application/json");
    }

    private static boolean isOf(Request request, String contentType) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return type != null && type.split(";", 2)[0].strip().equalsIgnoreCase(contentType);
    }

    @Override
    public void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        BulkOptions options = BulkOptions.of(parameters, timeout);
        // A client may keep a request open and send operations from time to time.
        PacedRequest.allowIdle(request);
        try (BodyMemory.Share place = admission.begin(request.getBeginNanoTime())) {
            run(request, response, callback, target, options, place);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted during a bulk request");
            interrupted.initCause(e);
            throw interrupted;
        }
    }

    /** Returns a body that ends with an error message if the request is ended for another one. */
    private BodySource givingWay(BodySource body) {
        return (into, offset, length, waits) -> {
            try {
                return body.read(into, offset, length, waits);
            } catch (BodyRefusedException _) {
                throw new InvalidRequestException(
                        HttpStatus.TOO_MANY_REQUESTS_429, admission.gaveWay());
            } catch (UnusableBodyException e) {
                throw new InvalidRequestException(e.getCode(), e.getReason());
            }
        };
    }

    private void run(
            ArrivingRequest request,
            Response response,
            Callback callback,
            DocumentPath target,
            BulkOptions options,
            BodyMemory.Share place)
            throws IOException, InterruptedException {
        long begin = System.nanoTime();
        BodySource yielding = givingWay(new ArrivingBody(request, place));
        BodySource body = isArray(request) ? new ArrayBody(yielding) : yielding;
        response.setStatus(HttpStatus.OK_200);
        boolean isCbor = Accepted.isCborSequencePreferred(request.getHeaders());
        response.getHeaders()
                .put(
                        HttpHeader.CONTENT_TYPE,
                        isCbor ? CborTranscript.SEQUENCE : CONTENT_TYPE + "; charset=UTF-8");
        Content.Sink sink = isCbor ? new CborSink(response) : response;
        Principal principal = principals.apply(request);
        var lines = new AnswerLines(options.answersAll());
        var answers = new LineAnswers(lines, sink, metrics);
        var validating = new ValidatedWrites(backend.types());
        var run =
                new BulkRun(
                        new OperationLines(backend, target, options, principal),
                        new LineWork(
                                backend.writes(),
                                options.isDryRun()
                                        ? validating
                                        : backend.filter().filter(backend.writes()),
                                options.isDryRun()
                                        ? new IndexedWrites(backend.reads(), validating)
                                        : new IndexedWrites(backend.filter(), backend.copies()),
                                new LineReads(backend.reads(), principal, options),
                                principal,
                                options),
                        admission,
                        answers);
        Optional<String> problem = run.run(body);
        if (place.hasGivenWay() && !response.isCommitted()) {
            response.setStatus(HttpStatus.TOO_MANY_REQUESTS_429);
            response.getHeaders().put(HttpHeader.RETRY_AFTER, ASK_AGAIN.toSeconds());
        }
        double millis = (System.nanoTime() - begin) / 1e6;
        lines.totals(
                problem,
                options.isTraced()
                        ? List.of(
                                "carried out in %d batches".formatted(answers.batches()),
                                "answered after %.3f ms".formatted(millis))
                        : List.of());
        // Closed before the answer ends, because the client may send the next request at once.
        place.close();
        sink.write(true, lines.take(), callback);
    }
}
