package org.crabro.container.document;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.crabro.document.DocumentId;
import org.crabro.document.json.JsonScanner;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.json.PutMembers;
import org.crabro.protocol.json.RowEncoder;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the bodies of puts as rows, for document types that are stored as they are fed. A body of
 * an uncommon form is left to the reader of values, which reports errors. Safe for use by many
 * threads.
 */
public final class JsonRowPuts implements RowPuts {
    /** A reader that has read a longer body, in bytes, is discarded instead of reused. */
    private static final int KEPT_BODY = 64 << 10;

    private final ServedTypes types;
    private final BulkWrites partitions;
    private final RowWrites writes;
    private final ConcurrentMap<String, Boolean> taken = new ConcurrentHashMap<>();

    /** Idle readers: at most as many as there were concurrent threads. */
    private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();

    /**
     * @param partitions has the partition of each document
     * @param writes drops puts that the selection of their cluster excludes, and writes the others
     */
    public JsonRowPuts(ServedTypes types, BulkWrites partitions, RowWrites writes) {
        this.types = types;
        this.partitions = partitions;
        this.writes = writes;
    }

    @Override
    public boolean accepts(String documentType) {
        return taken.computeIfAbsent(documentType, name -> RowEncoders.isPlain(name, types));
    }

    @Override
    public Write.@Nullable Row read(
            DocumentId id, byte[] body, WriteParameters parameters, Runnable ignored) {
        Reader polled = idle.poll();
        Reader reader = polled == null ? new Reader() : polled;
        Write.Row row = reader.put(id, body, parameters, ignored);
        if (body.length <= KEPT_BODY) {
            idle.add(reader);
        }
        return row;
    }

    @Override
    public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
        return writes.write(principal, deadline, row);
    }

    /** For one thread at a time. */
    private final class Reader {
        private final JsonScanner json = new JsonScanner();
        private final RowEncoders puts = new RowEncoders();
        private final PutMembers members = new PutMembers();
        private byte[] idBytes = {};

        Write.@Nullable Row put(
                DocumentId id, byte[] body, WriteParameters parameters, Runnable ignored) {
            Optional<RowEncoder> put = puts.put(types.get(id.documentType()));
            if (put.isEmpty()) {
                return null;
            }
            try {
                json.openLines(body, 0, body.length);
                json.setStrict(parameters.isStrict());
                byte[] row = row(put.get(), id.toString());
                if (row == null || !json.isAtLineEnd()) {
                    return null;
                }
                if (put.get().someIgnored()) {
                    ignored.run();
                }
                return new Write.Row(
                        partitions.partition(id),
                        id,
                        row,
                        parameters.condition(members.selection()),
                        parameters.create(members.create()));
            } catch (JsonScanner.UncommonFormException _) {
                return null;
            }
        }

        /** Returns null if the body has no fields. */
        private byte @Nullable [] row(RowEncoder put, String id) {
            int idLength = putId(id);
            byte[] row = null;
            members.clear();
            json.expect('{');
            do {
                int member = PutMembers.name(json, PutMembers.FIELDS);
                if (member == PutMembers.FIELDS) {
                    row = put.row(json, idBytes, 0, idLength);
                } else {
                    members.read(member, json);
                }
            } while (json.passes(','));
            json.expect('}');
            return row;
        }

        /** Copies an id to {@link #idBytes}, and returns its length. */
        private int putId(String id) {
            if (idBytes.length < id.length()) {
                idBytes = new byte[2 * id.length()];
            }
            for (int i = 0; i < id.length(); i++) {
                char c = id.charAt(i);
                if (c >= 0x80) {
                    idBytes = id.getBytes(StandardCharsets.UTF_8);
                    return idBytes.length;
                }
                idBytes[i] = (byte) c;
            }
            return id.length();
        }
    }
}
