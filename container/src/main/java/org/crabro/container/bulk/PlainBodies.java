package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.crabro.container.document.KeptDocuments;
import org.crabro.container.document.RowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.WriteReply;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.EncodedWrite;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Writes the bodies of puts that hold nothing but fields in their common forms, of documents that
 * are stored as they are fed: from the bytes of the body into a row, with nothing between. Safe for
 * use by many threads.
 */
public final class PlainBodies implements RowPuts {
    private static final byte[] FIELDS = "\"fields\"".getBytes(StandardCharsets.US_ASCII);

    private final ServedTypes types;
    private final KeptDocuments kept;
    private final BulkWrites writes;
    private final ConcurrentMap<String, Boolean> taken = new ConcurrentHashMap<>();

    /** What reads bodies and does not just now: no more than there were threads at once. */
    private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();

    /**
     * @param kept documents that it looks at are not written here
     */
    public PlainBodies(ServedTypes types, KeptDocuments kept, BulkWrites writes) {
        this.types = types;
        this.kept = kept;
        this.writes = writes;
    }

    @Override
    public boolean takes(String documentType) {
        return taken.computeIfAbsent(documentType, name -> PlainTypes.isPlain(name, types, kept));
    }

    @Override
    public @Nullable EncodedWrite read(DocumentId id, byte[] body) {
        Reader polled = idle.poll();
        Reader reader = polled == null ? new Reader() : polled;
        byte[] row = reader.row(id, body);
        idle.add(reader);
        return row == null ? null : new EncodedWrite(writes.partition(id), id, row);
    }

    @Override
    public WriteReply write(Principal principal, Deadline deadline, EncodedWrite write) {
        return writes.write(principal, deadline, List.of(write)).getFirst();
    }

    /** For one thread at a time. */
    private final class Reader {
        private final JsonBytes json = new JsonBytes();
        private final PlainTypes puts = new PlainTypes(kept);

        byte @Nullable [] row(DocumentId id, byte[] body) {
            Optional<PlainPut> put = puts.put(types.get(id.documentType()));
            if (put.isEmpty()) {
                return null;
            }
            byte[] idBytes = id.toString().getBytes(StandardCharsets.UTF_8);
            try {
                json.openLines(body, 0, body.length);
                json.expect('{');
                if (!json.passes(FIELDS)) {
                    return null;
                }
                json.expect(':');
                byte[] row = put.get().row(json, idBytes, 0, idBytes.length);
                json.expect('}');
                return json.isAtLineEnd() ? row : null;
            } catch (JsonBytes.UncommonFormException _) {
                return null;
            }
        }
    }
}
