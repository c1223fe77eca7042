package org.crabro.container.bulk;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ManyDocuments;
import org.crabro.container.document.ServedTypes;
import org.crabro.document.json.TensorFormat;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;

/**
 * Carries out the operations of a body of lines, and answers each as it becomes durable.
 *
 * <p>Runs on the server's virtual threads, and blocks while the client does not read its answers.
 */
public final class BulkFeed implements ManyDocuments {
    /** What bodies and answers are. */
    static final String CONTENT_TYPE = "application/jsonl";

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final ServedTypes types;
    private final DocumentReads reads;
    private final BulkWrites writes;
    private final Function<Request, Principal> principals;
    private final BulkAdmission admission;
    private final Duration timeout;
    private final DocumentMetrics metrics;

    /**
     * @param principals who sent a request
     * @param timeout of writes where a request says none
     */
    public BulkFeed(
            ServedTypes types,
            DocumentReads reads,
            BulkWrites writes,
            Function<Request, Principal> principals,
            BulkAdmission admission,
            Duration timeout,
            MeterRegistry registry) {
        this.types = types;
        this.reads = reads;
        this.writes = writes;
        this.principals = principals;
        this.admission = admission;
        this.timeout = timeout;
        this.metrics = new DocumentMetrics(registry);
    }

    /** Returns whether a request is one of these: it sends lines, and selects no documents. */
    public static boolean isAsked(Request request, DocumentParameters parameters) {
        String type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        return request.getMethod().equals("POST")
                && type != null
                && type.split(";", 2)[0].strip().equalsIgnoreCase(CONTENT_TYPE)
                && parameters.text("cluster").isEmpty()
                && parameters.text("selection").isEmpty();
    }

    @Override
    public void answer(
            Request request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters)
            throws IOException {
        Duration each = parameters.time("timeout").orElse(timeout);
        Optional<String> route = parameters.text("route");
        if (route.isPresent() && !route.get().equals("default")) {
            throw DocumentParameters.invalid(
                    "there is no route '" + route.get() + "', only 'default'");
        }
        boolean all = answersAll(parameters);
        if (!admission.tryBegin()) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, ASK_AGAIN.toSeconds());
            throw new InvalidRequestException(
                    HttpStatus.TOO_MANY_REQUESTS_429,
                    "overload: %d bulk requests are under way, at most %d"
                            .formatted(
                                    admission.settings().maxStreams(),
                                    admission.settings().maxStreams()));
        }
        try {
            run(request, response, callback, target, parameters, each, all);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            var interrupted = new InterruptedIOException("interrupted during a bulk request");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            admission.end();
        }
    }

    private static boolean answersAll(DocumentParameters parameters) {
        String answers = parameters.text("answers").orElse("all");
        return switch (answers) {
            case "all" -> true;
            case "failed" -> false;
            default ->
                    throw DocumentParameters.invalid(
                            "'%s' of 'answers' is neither 'all' nor 'failed'".formatted(answers));
        };
    }

    private void run(
            Request request,
            Response response,
            Callback callback,
            DocumentPath target,
            DocumentParameters parameters,
            Duration each,
            boolean all)
            throws IOException, InterruptedException {
        BodySource body = GzipBody.isGzip(request) ? new GzipBody(request) : new PlainBody(request);
        response.setStatus(HttpStatus.OK_200);
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, CONTENT_TYPE + "; charset=UTF-8");
        var answers = new AnswerLines(all);
        Principal principal = principals.apply(request);
        var run =
                new BulkRun(
                        new OperationLines(types, writes, target, parameters.text("fieldSet")),
                        new LineReads(
                                reads,
                                principal,
                                each,
                                parameters
                                        .text("format.tensors")
                                        .map(TensorFormat::of)
                                        .orElse(TensorFormat.SHORT)),
                        writes,
                        principal,
                        admission,
                        each,
                        answers,
                        response,
                        metrics);
        answers.totals(run.run(body));
        response.write(true, answers.take(), callback);
    }
}
