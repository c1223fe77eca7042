package org.crabro.container.document;

import java.io.IOException;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.document.DocumentId;
import org.crabro.document.json.DocumentBody;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.UpdateBody;
import org.crabro.document.json.UpdateReader;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.eclipse.jetty.server.Request;
import tools.jackson.core.exc.JacksonIOException;

/** Reads what a request asks to be done to one document: from its method, parameters and body. */
final class WriteInput {
    private final DocumentSettings settings;

    WriteInput(DocumentSettings settings) {
        this.settings = settings;
    }

    /** Refuses parameters that no write takes, before a body is read. */
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
     * Reads an operation; what parameters say wins over what the body says.
     *
     * @param answer told of fields that are left out
     * @throws IOException if the body cannot be read
     */
    ConditionalOperation read(
            Request request,
            DocumentId id,
            ServedType type,
            DocumentParameters parameters,
            DocumentAnswer answer)
            throws IOException {
        boolean isStrict = parameters.flag("strict");
        try (BodyInput input = BodyInput.open(request, settings.maxBodyBytes())) {
            return switch (request.getMethod()) {
                case "POST" -> {
                    DocumentReader reader = isStrict ? type.reader().strict() : type.reader();
                    DocumentBody body = reader.read(id, input);
                    note(answer, input, body.someIgnored());
                    yield operation(
                            new DocumentOperation.Put(body.document()),
                            body.condition(),
                            body.create(),
                            parameters);
                }
                case "PUT" -> {
                    UpdateReader reader = isStrict ? type.updates().strict() : type.updates();
                    UpdateBody body = reader.read(input);
                    note(answer, input, body.someIgnored());
                    yield operation(
                            new DocumentOperation.Update(id, body.updates()),
                            body.condition(),
                            body.create(),
                            parameters);
                }
                case "DELETE" ->
                        operation(
                                new DocumentOperation.Remove(id),
                                Optional.empty(),
                                false,
                                parameters);
                default -> throw new IllegalStateException("no write: " + request.getMethod());
            };
        } catch (JacksonIOException e) {
            throw e.getCause();
        }
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
                operation,
                new WriteCondition(
                        parameters.text("condition").or(() -> condition), OptionalLong.empty()),
                parameters.text("create").map("true"::equalsIgnoreCase).orElse(create));
    }
}
