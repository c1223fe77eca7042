package org.crabro.container.document;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.crabro.component.LanguageModelException;
import org.crabro.component.Progress;
import org.crabro.component.QueryError;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.container.document.DocumentParameters.DryRun;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.BodyRefusedException;
import org.crabro.container.http.UnusableBodyException;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.HeldSize;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.ReadHold;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers requests under {@code /document/v1} for one application. Other requests go to the next
 * handler.
 *
 * <p>Blocks while it receives bodies, computes embeddings and waits for content nodes, so it runs
 * on virtual threads. A write is answered when it is durable.
 */
public final class DocumentHandler extends Handler.Abstract {
    private static final Logger LOG = LoggerFactory.getLogger(DocumentHandler.class);

    private static final int TRACE_LEVEL_MAX = 9;

    /**
     * The document that feed clients write with {@code dryRun=true} before they feed, whatever the
     * groups of their principal are. No application stores it.
     */
    private static final DocumentId HANDSHAKE = DocumentId.parse("id:feeder:handshake::dummy");

    /** The part of a timeout that is reserved for the answer. */
    private static final Duration ANSWERING = Duration.ofMillis(100);

    private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

    private final ServedTypes types;
    private final DocumentReads reads;
    private final DocumentTexts texts;
    private final IndexedWrites writes;
    private final DocumentCopies copies;
    private final IndexedWrites validated;
    private final WriteInput input;
    private final RowWrites rows;
    private final RowWrites validatedRows;
    private final ManyDocuments many;
    private final Function<Request, Principal> principals;
    private final DocumentSettings settings;
    private final Admission admission;
    private final DocumentMetrics metrics;

    /**
     * @param principals returns the sender of a request
     * @param admission shared by all applications of the process
     */
    public DocumentHandler(
            ServedTypes types,
            DocumentBackend backend,
            Function<Request, Principal> principals,
            DocumentSettings settings,
            Admission admission,
            MeterRegistry registry) {
        this.types = types;
        this.reads = backend.reads();
        this.texts = backend.texts();
        this.writes = new IndexedWrites(backend.writes(), backend.copies());
        this.copies = backend.copies();
        var validating = new ValidatedWrites(types);
        this.validated = new IndexedWrites(reads, validating);
        this.validatedRows = validating;
        this.input = new WriteInput(settings, backend.rows());
        this.rows = backend.rows();
        this.many = backend.many();
        this.principals = principals;
        this.settings = settings;
        this.admission = admission;
        this.metrics = new DocumentMetrics(registry);
    }

    @Override
    public boolean handle(Request received, Response response, Callback callback) {
        String path = received.getHttpURI().getPath();
        if (path == null || !DocumentPath.isUnder(path)) {
            return false;
        }
        var request = new ArrivingRequest(received);
        long startNanos = request.getBeginNanoTime();
        Optional<Operation> operation = operation(request.getMethod());
        var answer =
                new DocumentAnswer(
                        request,
                        response,
                        callback,
                        path,
                        startNanos,
                        status ->
                                operation.ifPresent(kind ->
                                        metrics.count(
                                                kind, status, System.nanoTime() - startNanos)));
        try {
            answer(request, response, callback, path, answer);
        } catch (BodyRefusedException e) {
            answer.overloaded(Optional.empty(), String.valueOf(e.getMessage()), ASK_AGAIN);
        } catch (MemoryRefusedException e) {
            String message = String.valueOf(e.getMessage());
            if (e.isTooLarge()) {
                answer.refuse(HttpStatus.PAYLOAD_TOO_LARGE_413, message);
            } else {
                answer.overloaded(Optional.empty(), message, ASK_AGAIN);
            }
        } catch (InvalidRequestException e) {
            String message = String.valueOf(e.getMessage());
            if (e.status() == HttpStatus.TOO_MANY_REQUESTS_429) {
                answer.overloaded(Optional.empty(), message, ASK_AGAIN);
            } else {
                answer.refuse(e.status(), message);
            }
        } catch (InvalidDocumentException e) {
            answer.refuse(HttpStatus.BAD_REQUEST_400, String.valueOf(e.getMessage()));
        } catch (LanguageModelException e) {
            if (e.error().kind() == QueryError.Kind.OVERLOADED) {
                answer.overloaded(Optional.empty(), e.error().message(), ASK_AGAIN);
            } else {
                answer.refuse(GenerationStatus.of(e.error().kind()), e.error().message());
            }
        } catch (UnusableBodyException e) {
            answer.refuse(e.getCode(), e.getReason());
        } catch (IOException e) {
            // The client has disconnected: no answer can be sent.
            callback.failed(e);
        } catch (RuntimeException e) {
            LOG.error("{} {} failed", request.getMethod(), path, e);
            answer.refuse(
                    HttpStatus.INTERNAL_SERVER_ERROR_500, "internal error; see the server's log");
        }
        return true;
    }

    private static Optional<Operation> operation(String method) {
        return switch (method) {
            case "GET" -> Optional.of(Operation.GET);
            case "POST" -> Optional.of(Operation.PUT);
            case "PUT" -> Optional.of(Operation.UPDATE);
            case "DELETE" -> Optional.of(Operation.REMOVE);
            default -> Optional.empty();
        };
    }

    private void answer(
            ArrivingRequest request,
            Response response,
            Callback callback,
            String path,
            DocumentAnswer answer)
            throws IOException {
        if (path.equals(OpenApi.PATH) && request.getMethod().equals("GET")) {
            answer.describe(OpenApi.description());
            return;
        }
        Optional<DocumentPath> parsed = DocumentPath.parse(path);
        if (parsed.isEmpty()) {
            answer.refuse(
                    HttpStatus.NOT_FOUND_404,
                    "Nothing at '%s'. Available paths are: %s"
                            .formatted(path, String.join(", ", DocumentPath.TEMPLATES)));
            return;
        }
        DocumentPath target = parsed.get();
        String method = request.getMethod();
        if (method.equals("OPTIONS")) {
            answer.allow(target.methods());
            return;
        }
        if (!target.methods().contains(method)) {
            answer.refuseMethod(method, target.methods());
            return;
        }
        DocumentParameters parameters = DocumentParameters.of(request);
        switch (target) {
            case DocumentPath.One(DocumentId id) -> document(request, path, id, parameters, answer);
            case DocumentPath.Root _, DocumentPath.Range _, DocumentPath.Groups _ ->
                    many.answer(request, response, callback, target, parameters);
        }
    }

    private void document(
            ArrivingRequest request,
            String path,
            DocumentId id,
            DocumentParameters parameters,
            DocumentAnswer answer)
            throws IOException {
        if (parameters.number("tracelevel", TRACE_LEVEL_MAX) > 0) {
            answer.startTrace();
        }
        Duration timeout = parameters.time("timeout").orElse(settings.timeout());
        Deadline deadline = deadline(request, timeout);
        if (request.getMethod().equals("GET")) {
            parameters.forbid("dryRun", path);
            if (types.refusal(id.documentType()).isPresent()) {
                answer.notStored(id);
                return;
            }
            get(request, id, parameters, timeout, deadline, answer);
            return;
        }
        DryRun dryRun = parameters.dryRun();
        Principal principal = principals.apply(request);
        // Before the body is read, because scripts and processors of the application run on it.
        Optional<String> refusal =
                dryRun == DryRun.NOTHING && id.equals(HANDSHAKE)
                        ? Optional.empty()
                        : principal.refusal(id.key());
        if (refusal.isPresent()) {
            answer.fail(HttpStatus.FORBIDDEN_403, id, refusal.get());
            return;
        }
        if (dryRun == DryRun.NOTHING) {
            answer.done(HttpStatus.OK_200, id);
            return;
        }
        WriteInput.check(parameters);
        Optional<String> unkept = types.refusal(id.documentType());
        if (unkept.isPresent()) {
            answer.ignored(id, "nothing was written: " + unkept.get());
            return;
        }
        Optional<String> cluster = WriteInput.cluster(parameters, id, types);
        WriteParameters asked = WriteParameters.of(parameters);
        WriteResult reply;
        try (BodyMemory.Share admitted =
                admission.admit(request.getLength(), request.getBeginNanoTime())) {
            ServedType type = types.get(id.documentType());
            boolean isDry = dryRun == DryRun.VALIDATE;
            Optional<Write.Row> row;
            Optional<ConditionalOperation> fed = Optional.empty();
            try (BodyInput body = input.open(request, admitted)) {
                String method = request.getMethod();
                row =
                        cluster.isPresent()
                                ? Optional.empty()
                                : input.row(method, id, body, asked, answer);
                if (row.isEmpty()) {
                    fed = Optional.of(WriteInput.operation(method, id, type, body, asked, answer));
                }
            }
            admitted.complete();
            if (row.isPresent()) {
                reply = (isDry ? validatedRows : rows).write(principal, deadline, row.get());
            } else {
                switch (type.process(fed.orElseThrow(), principal)) {
                    case ProcessorChain.Outcome.Continues(ConditionalOperation processed) ->
                            reply =
                                    (isDry ? validated : cluster.map(copies::in).orElse(writes))
                                            .write(
                                                    principal,
                                                    deadline,
                                                    processed,
                                                    type.processor(),
                                                    asked.isStrict(),
                                                    answer::note);
                    case ProcessorChain.Outcome.Dropped(String reason) ->
                            reply = new WriteResult.Ignored(reason);
                    case ProcessorChain.Outcome.Failed(Progress.Kind kind, String reason) -> {
                        refused(kind, id, reason, answer);
                        return;
                    }
                }
            }
        }
        // The share is released before the answer, because the client may send the next operation
        // at once.
        reply.stored().ifPresent(stored -> answer.note(() -> stored.noteFor(principal)));
        written(reply, id, ReplyStatus.Context.of(id, timeout, asked.isStrict()), answer);
    }

    private static void written(
            WriteResult reply, DocumentId id, ReplyStatus.Context context, DocumentAnswer answer) {
        switch (reply) {
            case WriteResult.Ignored(String reason) -> answer.ignored(id, reason);
            case WriteResult.Partly partly -> answer.updatedPartly(id, partly.message());
            case WriteResult.Answered(WriteReply.Stored _) -> answer.done(HttpStatus.OK_200, id);
            case WriteResult.Answered(WriteReply.Missing()) when !context.isStrict() ->
                    answer.updatedNothing(id);
            case WriteResult.Answered _, WriteResult.Forbidden _ ->
                    answer.fail(id, ReplyStatus.of(reply, context));
        }
    }

    /** Answers with the failure of a document processor. */
    private static void refused(
            Progress.Kind kind, DocumentId id, String reason, DocumentAnswer answer) {
        if (kind == Progress.Kind.OVERLOADED) {
            answer.overloaded(Optional.of(id), reason, ASK_AGAIN);
        } else {
            answer.fail(kind.status(), id, reason);
        }
    }

    private static Deadline deadline(Request request, Duration timeout) {
        // Of a short timeout, half is reserved for the answer.
        Duration working =
                timeout.compareTo(ANSWERING.multipliedBy(2)) > 0
                        ? timeout.minus(ANSWERING)
                        : timeout.dividedBy(2);
        return new Deadline(request.getBeginNanoTime() + working.toNanos());
    }

    private void get(
            Request request,
            DocumentId id,
            DocumentParameters parameters,
            Duration timeout,
            Deadline deadline,
            DocumentAnswer answer) {
        ServedType type = types.get(id.documentType());
        Optional<String> cluster = parameters.text("cluster");
        cluster.ifPresent(name -> types.checkCluster(name, id.documentType()));
        FieldSet set =
                parameters
                        .text("fieldSet")
                        .map(text -> FieldSet.parse(text, type.schema()))
                        .orElseGet(() -> FieldSet.document(type.schema()));
        TensorFormat format =
                parameters.text("format.tensors").map(TensorFormat::of).orElse(TensorFormat.SHORT);
        boolean areDatesTexts = parameters.areDatesTexts();
        var shown =
                new ShownFields(
                        set,
                        format,
                        parameters.flag("empties"),
                        areDatesTexts ? type.schema().times() : Map.of());
        Principal principal = principals.apply(request);
        try (var hold = new ReadHold()) {
            ReadReply reply =
                    cluster.isPresent()
                            ? reads.read(cluster.get(), principal, deadline, id, hold)
                            : reads.read(principal, deadline, id, hold);
            switch (reply) {
                case ReadReply.Forbidden(String reason) ->
                        answer.fail(HttpStatus.FORBIDDEN_403, id, reason);
                case ReadReply.Answered(GetReply answered) ->
                        read(answered, id, shown, timeout, answer);
            }
            return;
        } catch (MemoryRefusedException e) {
            // The text of a large document is written by its node, with numbers.
            if (!e.isTooLarge() || !shown.times().isEmpty()) {
                throw e;
            }
            answer.note(() -> "read as text: " + e.getMessage());
        }
        var wanted = new DocumentTexts.Wanted(id, cluster, set.names());
        var form =
                new VisitForm.Json(VisitForm.Style.LIST, format, false, parameters.flag("empties"));
        if (!texts.read(principal, deadline, wanted, form, text -> answer.sendDocument(id, text))) {
            answer.done(HttpStatus.NOT_FOUND_404, id);
        }
    }

    private void read(
            GetReply reply,
            DocumentId id,
            ShownFields shown,
            Duration timeout,
            DocumentAnswer answer) {
        switch (reply) {
            case GetReply.Found(Document document, long timestamp) -> {
                answer.note(() -> "found the version of timestamp " + timestamp);
                show(document, shown, answer);
            }
            case GetReply.Missing() -> answer.done(HttpStatus.NOT_FOUND_404, id);
            case GetReply.Overloaded(Duration retryAfter) ->
                    answer.overloaded(
                            Optional.of(id), "overload: " + GetReply.Overloaded.REASON, retryAfter);
            case GetReply.TimedOut() -> timedOut(id, timeout, answer);
            case GetReply.Failed(String reason) ->
                    answer.fail(HttpStatus.INTERNAL_SERVER_ERROR_500, id, reason);
            case GetReply.Unavailable(String reason) -> answer.unavailable(id, reason);
            case GetReply.WrongOwner(long stateVersion) -> wrongOwner(id, stateVersion, answer);
        }
    }

    private void show(Document document, ShownFields shown, DocumentAnswer answer) {
        long size = HeldSize.of(document.fields().values());
        Optional<String> refusal = admission.hold(size);
        if (refusal.isPresent()) {
            answer.overloaded(Optional.of(document.id()), refusal.get(), ASK_AGAIN);
            return;
        }
        try {
            answer.sendDocument(document, shown);
        } finally {
            admission.release(size);
        }
    }

    private static void timedOut(DocumentId id, Duration timeout, DocumentAnswer answer) {
        answer.fail(HttpStatus.GATEWAY_TIMEOUT_504, id, ReplyStatus.timedOut(timeout));
    }

    private static void wrongOwner(DocumentId id, long stateVersion, DocumentAnswer answer) {
        answer.fail(
                HttpStatus.INTERNAL_SERVER_ERROR_500,
                id,
                "no node owns the document's partition by cluster state " + stateVersion);
    }
}
