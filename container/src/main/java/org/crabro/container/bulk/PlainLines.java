package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.container.document.KeptDocuments;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
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
    private final Map<String, Type> known = new HashMap<>();

    /** Of the line before, most of which are of one type. */
    private String lastName = "";

    private @Nullable Type last;

    /**
     * A type whose lines may be read here.
     *
     * @param put nothing where documents are changed before they are stored
     */
    private record Type(DocumentType type, Optional<PlainPut> put) {}

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
        Type type = type(id.documentType());
        byte[] row;
        if (isRemove) {
            row =
                    RowEncoding.encode(
                            new Row(id, 0, type.type().fingerprint(), true, Map.of()), type.type());
        } else {
            PlainPut put = type.put().orElseThrow(json::uncommon);
            json.expect(',');
            if (!json.passes(FIELDS)) {
                throw json.uncommon();
            }
            json.expect(':');
            row = put.row(json, bytes, idFrom, idLength);
        }
        json.expect('}');
        if (!json.isAtLineEnd()) {
            throw json.uncommon();
        }
        return new BulkLine.Write(
                number, new EncodedWrite(writes.partition(id), id, row), isRemove, "");
    }

    private Type type(String name) {
        if (last == null || !name.equals(lastName)) {
            Type found = known.get(name);
            if (found == null) {
                found = typeAnew(name);
                known.put(name, found);
            }
            last = found;
            lastName = name;
        }
        return last;
    }

    private Type typeAnew(String name) {
        if (types.refusal(name).isPresent()) {
            throw json.uncommon();
        }
        ServedType type = types.get(name);
        if (!type.chain().isEmpty()) {
            // Processors of the application take operations, not bytes.
            throw json.uncommon();
        }
        return new Type(type.schema().documentType(), puts.put(type));
    }
}
