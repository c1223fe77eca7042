package org.crabro.container.rows;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.RowPut;
import org.crabro.container.document.RowPuts;
import org.crabro.container.document.RowWrites;
import org.crabro.container.document.SelectionFilter;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.WriteReply;
import org.crabro.document.DocumentId;
import org.crabro.protocol.feed.ConditionalWrite;
import org.crabro.protocol.feed.EncodedWrite;
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
    private final BulkWrites writes;
    private final RowWrites kept;
    private final ConcurrentMap<String, Boolean> taken = new ConcurrentHashMap<>();

    /** Idle readers: at most as many as there were concurrent threads. */
    private final Queue<Reader> idle = new ConcurrentLinkedQueue<>();

    /**
     * @param kept drops puts that the selection of their cluster excludes
     */
    public JsonRowPuts(ServedTypes types, SelectionFilter kept, BulkWrites writes) {
        this.types = types;
        this.writes = writes;
        this.kept = kept.kept(this::writeKept);
    }

    @Override
    public boolean takes(String documentType) {
        return taken.computeIfAbsent(documentType, name -> RowEncoders.isPlain(name, types));
    }

    @Override
    public @Nullable RowPut read(DocumentId id, byte[] body, boolean isStrict) {
        Reader polled = idle.poll();
        Reader reader = polled == null ? new Reader() : polled;
        RowPut put = reader.put(id, body, isStrict);
        if (body.length <= KEPT_BODY) {
            idle.add(reader);
        }
        return put;
    }

    @Override
    public WriteReply write(Principal principal, Deadline deadline, ConditionalWrite write) {
        return kept.write(principal, deadline, write);
    }

    private WriteReply writeKept(Principal principal, Deadline deadline, ConditionalWrite write) {
        // Unconditional writes of many requests share one batch of the journal.
        return write.condition().isNone()
                ? writes.write(principal, deadline, List.of(write.write())).getFirst()
                : writes.write(principal, deadline, write);
    }

    /** For one thread at a time. */
    private final class Reader {
        private final JsonScanner json = new JsonScanner();
        private final RowEncoders puts = new RowEncoders();
        private final PutMembers members = new PutMembers();
        private byte[] idBytes = {};

        @Nullable RowPut put(DocumentId id, byte[] body, boolean isStrict) {
            Optional<RowEncoder> put = puts.put(types.get(id.documentType()));
            if (put.isEmpty()) {
                return null;
            }
            try {
                json.openLines(body, 0, body.length);
                json.setStrict(isStrict);
                byte[] row = row(put.get(), id.toString());
                return row == null || !json.isAtLineEnd()
                        ? null
                        : new RowPut(
                                new EncodedWrite(writes.partition(id), id, row),
                                members.selection(),
                                members.create(),
                                put.get().someIgnored());
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
