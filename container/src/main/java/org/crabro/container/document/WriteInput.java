package org.crabro.container.document;

import java.io.IOException;
import java.util.Optional;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.document.DocumentId;
import org.crabro.document.json.DocumentBody;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.UpdateBody;
import org.crabro.document.json.UpdateReader;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.feed.Write;

/** Reads the operation of a request on one document from its method, parameters and body. */
final class WriteInput {
    /**
     * A longer body, in bytes, is read piece by piece into field values; its memory is admitted.
     */
    private static final int ROW_BODY_MAX = 128 << 20;

    private final DocumentSettings settings;
    private final RowPuts rows;

    WriteInput(DocumentSettings settings, RowPuts rows) {
        this.settings = settings;
        this.rows = rows;
    }

    /** Rejects parameters that writes do not have, before the body is read. */
    static void check(DocumentParameters parameters) {
        parameters.text("condition");
        parameters.flag("create");
    }

    /**
     * Returns the content cluster that a write goes to; empty if it goes to all that select the
     * document.
     */
    static Optional<String> cluster(
            DocumentParameters parameters, DocumentId id, ServedTypes types) {
        Optional<String> route = parameters.text("route").filter(name -> !name.equals("default"));
        route.ifPresent(name -> types.checkRoute(name, id.documentType()));
        return route;
    }

    /** Opens the body of a request, whose memory is {@code share}. */
    BodyInput open(ArrivingRequest request, BodyMemory.Share share) throws IOException {
        return BodyInput.open(request, settings.maxBodyBytes(), share);
    }

    /**
     * Encodes a document that is stored as it is fed.
     *
     * @param method of the request
     * @param answer receives a note about skipped fields
     * @return empty if the operation is another, or the body has an uncommon form; then {@link
     *     #operation} reads it
     * @throws IOException if the body cannot be read
     */
    Optional<Write.Row> row(
            String method,
            DocumentId id,
            BodyInput input,
            WriteParameters parameters,
            DocumentAnswer answer)
            throws IOException {
        if (!method.equals("POST") || !rows.accepts(id.documentType())) {
            return Optional.empty();
        }
        byte[] body = input.ahead(ROW_BODY_MAX);
        if (body == null) {
            return Optional.empty();
        }
        Write.Row row = rows.read(id, body, parameters, answer::ignoredFields);
        if (row != null) {
            answer.note(() ->
                    "read %d bytes of body, stored as they came".formatted(input.aheadCount()));
        }
        return Optional.ofNullable(row);
    }

    /**
     * Reads an operation; no script has run.
     *
     * @param method of the request
     * @param answer receives a note about skipped fields
     * @throws IOException if the body cannot be read
     */
    static ConditionalOperation operation(
            String method,
            DocumentId id,
            ServedType type,
            BodyInput input,
            WriteParameters parameters,
            DocumentAnswer answer)
            throws IOException {
        boolean isStrict = parameters.isStrict();
        return switch (method) {
            case "POST" -> {
                DocumentReader reader = isStrict ? type.reader().strict() : type.reader();
                DocumentBody body = input.read(json -> reader.read(id, json, input::countLeftOut));
                note(answer, input, body.someIgnored());
                yield new ConditionalOperation(
                        new DocumentOperation.Put(body.document()),
                        parameters.condition(body.condition()),
                        parameters.create(body.create()));
            }
            case "PUT" -> {
                UpdateReader reader = isStrict ? type.updates().strict() : type.updates();
                UpdateBody body = input.read(json -> reader.read(json, input::countLeftOut));
                note(answer, input, body.someIgnored());
                yield new ConditionalOperation(
                        new DocumentOperation.Update(id, body.updates()),
                        parameters.condition(body.condition()),
                        parameters.create(body.create()));
            }
            case "DELETE" ->
                    new ConditionalOperation(
                            new DocumentOperation.Remove(id),
                            parameters.condition(Optional.empty()),
                            parameters.create(false));
            default -> throw new IllegalStateException("no write: " + method);
        };
    }

    private static void note(DocumentAnswer answer, BodyInput input, boolean someIgnored) {
        answer.note(() -> "read " + input.count() + " bytes of body");
        if (someIgnored) {
            answer.ignoredFields();
        }
    }
}
