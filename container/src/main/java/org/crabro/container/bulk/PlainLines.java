package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Consumer;
import org.crabro.container.document.KeptDocuments;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.EncodedWrite;
import org.jspecify.annotations.Nullable;

/**
 * Reads lines as programs write them, id first and fields behind, of documents that are stored as
 * they are fed: from the bytes of the line into a row, with nothing between. For one thread.
 */
final class PlainLines {
    private static final byte[] PUT = "\"put\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REMOVE = "\"remove\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] FIELDS = "\"fields\"".getBytes(StandardCharsets.US_ASCII);

    private final ServedTypes types;
    private final BulkWrites writes;
    private final Consumer<DocumentId> check;
    private final JsonBytes json = new JsonBytes();
    private final PlainIds ids = new PlainIds();
    private final PlainTypes puts;

    /**
     * @param kept documents that it looks at are not read here
     * @param check refuses ids
     */
    PlainLines(
            ServedTypes types, KeptDocuments kept, BulkWrites writes, Consumer<DocumentId> check) {
        this.types = types;
        this.puts = new PlainTypes(kept);
        this.writes = writes;
        this.check = check;
    }

    /**
     * Returns what the line that begins at {@code from} says; null where it is written in another
     * way, or is none.
     *
     * @param to behind the last of all lines
     * @throws InvalidDocumentException if its id is none, or is refused
     */
    BulkLine.@Nullable Write read(byte[] bytes, int from, int to, int number) {
        try {
            json.open(bytes, from, to);
            return write(bytes, number);
        } catch (JsonBytes.UncommonFormException _) {
            return null;
        }
    }

    /** Returns where the line ends that was read last. */
    int end() {
        return json.at();
    }

    private BulkLine.Write write(byte[] bytes, int number) {
        json.expect('{');
        boolean isRemove = !json.passes(PUT);
        if (isRemove && !json.passes(REMOVE)) {
            throw json.uncommon();
        }
        json.expect(':');
        json.next();
        int idFrom = json.at() + 1;
        int idLength = json.plainString() - idFrom;
        DocumentId id = ids.read(bytes, idFrom, idFrom + idLength);
        check.accept(id);
        if (types.refusal(id.documentType()).isPresent()) {
            throw json.uncommon();
        }
        ServedType type = types.get(id.documentType());
        byte[] row;
        if (!type.chain().isEmpty()) {
            // Processors of the application take operations, not bytes.
            throw json.uncommon();
        }
        if (isRemove) {
            row =
                    RowEncoding.encode(
                            new Row(
                                    id,
                                    0,
                                    type.schema().documentType().fingerprint(),
                                    true,
                                    Map.of()),
                            type.schema().documentType());
        } else {
            PlainPut put = puts.put(type).orElseThrow(json::uncommon);
            json.expect(',');
            if (!json.passes(FIELDS)) {
                throw json.uncommon();
            }
            json.expect(':');
            row = put.row(json, bytes, bytes, idFrom, idLength);
        }
        json.expect('}');
        if (!json.isAtLineEnd()) {
            throw json.uncommon();
        }
        return new BulkLine.Write(
                number, new EncodedWrite(writes.partition(id), id, row), isRemove, "");
    }
}
