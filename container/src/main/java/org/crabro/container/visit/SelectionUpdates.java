package org.crabro.container.visit;

import java.io.IOException;
import java.util.List;
import org.crabro.container.document.BodyInput;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ProcessedWrites;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.document.json.UpdateBody;
import org.crabro.document.operation.FieldUpdate;
import org.eclipse.jetty.server.Request;

/** Reads the body of an update of many documents: once, before anything is written. */
public final class SelectionUpdates {
    private final ServedTypes types;
    private final DocumentWrites writes;
    private final DocumentSettings settings;

    public SelectionUpdates(
            ServedTypes types,
            DocumentReads reads,
            DocumentWrites writes,
            DocumentSettings settings) {
        this.types = types;
        this.writes = new ProcessedWrites(types, reads, writes);
        this.settings = settings;
    }

    /**
     * What is done to each document.
     *
     * @param writes what runs processors and scripts of the type on it
     */
    record Update(List<FieldUpdate> updates, DocumentWrites writes) {}

    /**
     * Reads a body.
     *
     * @throws InvalidRequestException if it says on what condition: the selection does
     * @throws IOException if it cannot be read
     */
    Update read(Request request, String documentType) throws IOException {
        ServedType type = types.get(documentType);
        try (BodyInput input = BodyInput.open(request, settings.maxBodyBytes())) {
            UpdateBody body = input.read(json -> type.updates().read(json, input::leaveOut));
            if (body.condition().isPresent()) {
                throw DocumentParameters.invalid(
                        "an update of many documents has no condition: say it in the selection");
            }
            return new Update(body.updates(), writes);
        }
    }
}
