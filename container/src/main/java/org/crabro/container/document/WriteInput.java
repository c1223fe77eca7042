package org.crabro.container.document;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
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
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.ConditionalWrite;
import org.jspecify.annotations.Nullable;

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

    /** The result of reading. */
    sealed interface Fed {
        /** A document that is stored as it is fed. */
        record Row(ConditionalWrite write) implements Fed {}

        /** An operation; no script has run. */
        record Operation(ConditionalOperation operation) implements Fed {}
    }

    /** Rejects parameters that writes do not have, before the body is read. */
    static void check(DocumentParameters parameters) {
        parameters.text("condition");
        parameters.flag("create");
        Optional<String> route = parameters.text("route");
        if (route.isPresent() && !route.get().equals("default")) {
            throw DocumentParameters.invalid(
                    "there is no route '" + route.get() + "', only 'default'");
        }
    }

    /**
     * Reads the operation. Parameters win over members of the body.
     *
     * @param share the memory of the body
     * @param answer receives a note about skipped fields
     * @throws IOException if the body cannot be read
     */
    Fed read(
            ArrivingRequest request,
            DocumentId id,
            ServedType type,
            DocumentParameters parameters,
            BodyMemory.Share share,
            DocumentAnswer answer)
            throws IOException {
        try (BodyInput input = BodyInput.open(request, settings.maxBodyBytes(), share)) {
            String method = request.getMethod();
            if (method.equals("POST") && rows.takes(id.documentType())) {
                RowPut put = row(id, input, parameters, answer);
                if (put != null) {
                    return new Fed.Row(
                            new ConditionalWrite(
                                    put.write(),
                                    condition(put.condition(), parameters),
                                    create(put.create(), parameters)));
                }
            }
            return new Fed.Operation(read(method, input, id, type, parameters, answer));
        }
    }

    private @Nullable RowPut row(
            DocumentId id, BodyInput input, DocumentParameters parameters, DocumentAnswer answer)
            throws IOException {
        byte[] body = input.ahead(ROW_BODY_MAX);
        if (body == null) {
            return null;
        }
        RowPut put = rows.read(id, body, parameters.flag("strict"));
        if (put != null) {
            answer.note(() ->
                    "read %d bytes of body, stored as they came".formatted(input.aheadCount()));
            if (put.someIgnored()) {
                answer.ignoredFields();
            }
        }
        return put;
    }

    private static ConditionalOperation read(
            String method,
            BodyInput input,
            DocumentId id,
            ServedType type,
            DocumentParameters parameters,
            DocumentAnswer answer)
            throws IOException {
        boolean isStrict = parameters.flag("strict");
        return switch (method) {
            case "POST" -> {
                DocumentReader reader = isStrict ? type.reader().strict() : type.reader();
                DocumentBody body = input.read(json -> reader.read(id, json, input::countLeftOut));
                note(answer, input, body.someIgnored());
                yield operation(
                        new DocumentOperation.Put(body.document()),
                        body.condition(),
                        body.create(),
                        parameters);
            }
            case "PUT" -> {
                UpdateReader reader = isStrict ? type.updates().strict() : type.updates();
                UpdateBody body = input.read(json -> reader.read(json, input::countLeftOut));
                note(answer, input, body.someIgnored());
                yield operation(
                        new DocumentOperation.Update(id, body.updates()),
                        body.condition(),
                        body.create(),
                        parameters);
            }
            case "DELETE" ->
                    operation(
                            new DocumentOperation.Remove(id), Optional.empty(), false, parameters);
            default -> throw new IllegalStateException("no write: " + method);
        };
    }

    private static void note(DocumentAnswer answer, BodyInput input, boolean someIgnored) {
        answer.note(() -> "read " + input.count() + " bytes of body");
        if (someIgnored) {
            answer.ignoredFields();
        }
    }

    private static ConditionalOperation operation(
            DocumentOperation operation,
            Optional<String> condition,
            boolean create,
            DocumentParameters parameters) {
        return new ConditionalOperation(
                operation, condition(condition, parameters), create(create, parameters));
    }

    private static WriteCondition condition(
            Optional<String> ofBody, DocumentParameters parameters) {
        return new WriteCondition(
                parameters.text("condition").or(() -> ofBody), OptionalLong.empty());
    }

    private static boolean create(boolean ofBody, DocumentParameters parameters) {
        return parameters.text("create").map("true"::equalsIgnoreCase).orElse(ofBody);
    }
}
