package org.crabro.container.visit;

import java.io.IOException;
import java.util.List;
import org.crabro.container.document.Admission;
import org.crabro.container.document.BodyInput;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.DocumentWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ProcessedWrites;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.http.ArrivingRequest;
import org.crabro.container.http.BodyMemory;
import org.crabro.document.json.UpdateBody;
import org.crabro.document.operation.FieldUpdate;

/** Reads the body of an update of many documents, once, before the first write. */
public final class SelectionUpdates {
    private final ServedTypes types;
    private final DocumentWrites writes;
    private final DocumentSettings settings;
    private final Admission admission;

    /**
     * @param admission of bodies
     */
    public SelectionUpdates(
            ServedTypes types,
            DocumentReads reads,
            DocumentWrites writes,
            DocumentSettings settings,
            Admission admission) {
        this.types = types;
        this.writes = new ProcessedWrites(types, reads, writes);
        this.settings = settings;
        this.admission = admission;
    }

    /**
     * The update of each document.
     *
     * @param writes runs processors and indexing scripts of the type
     * @param share the memory of the body, released when this is closed
     */
    record Update(List<FieldUpdate> updates, DocumentWrites writes, BodyMemory.Share share)
            implements AutoCloseable {
        @Override
        public void close() {
            share.close();
        }
    }

    /**
     * Reads a body.
     *
     * @throws org.crabro.container.http.BodyRefusedException if there is no memory for it
     * @throws InvalidRequestException if it contains a condition; the selection is the condition
     * @throws IOException if it cannot be read
     */
    Update read(ArrivingRequest request, String documentType) throws IOException {
        ServedType type = types.get(documentType);
        BodyMemory.Share share = admission.admit(request.getLength(), request.getBeginNanoTime());
        boolean isRead = false;
        try (BodyInput input = BodyInput.open(request, settings.maxBodyBytes(), share)) {
            UpdateBody body = input.read(json -> type.updates().read(json, input::countLeftOut));
            if (body.condition().isPresent()) {
                throw DocumentParameters.invalid(
                        "an update of many documents cannot have a condition: put it into the selection");
            }
            share.complete();
            isRead = true;
            return new Update(body.updates(), writes, share);
        } finally {
            if (!isRead) {
                share.close();
            }
        }
    }
}
