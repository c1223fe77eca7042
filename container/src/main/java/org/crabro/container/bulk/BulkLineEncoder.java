package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.RowEncoders;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import org.crabro.document.json.JsonScanner;
import org.crabro.document.json.UnreadJson;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.json.PutMembers;
import org.crabro.protocol.json.RowEncoder;
import org.jspecify.annotations.Nullable;

/**
 * Encodes lines that put documents without indexing scripts, directly from the bytes of a line into
 * a row. If the fields come before the id, they are skipped and encoded last. Not thread-safe.
 */
final class BulkLineEncoder {
    private static final byte[] REMOVE = "\"remove\"".getBytes(StandardCharsets.US_ASCII);
    private static final DocumentId NO_ID = DocumentId.parse("id:none:none::none");
    private static final int NOT_THERE = -1;

    /** The note of a line with unknown fields. */
    static final String FIELDS_LEFT_OUT =
            "fields that the document type does not have were left out";

    private final ServedTypes types;
    private final SelectionFilter filter;
    private final BulkWrites writes;
    private final Consumer<DocumentId> check;
    private final JsonScanner json = new JsonScanner();
    private final CachingIdParser ids = new CachingIdParser();
    private final RowEncoders puts = new RowEncoders();
    private final Map<String, Type> typesByName = new HashMap<>();

    private final PutMembers members = new PutMembers();

    /** The id of the line, and the range of its bytes. */
    private DocumentId id = NO_ID;

    private byte[] idBytes = {};
    private int idFrom;
    private int idLength;

    /** The encoder of the fields of the line; null before its id. */
    private @Nullable RowEncoder put;

    /** The type of the previous line; most lines have the same type. */
    private String lastName = "";

    private @Nullable Type last;

    /**
     * A type whose lines this class encodes.
     *
     * @param put empty if documents are changed before they are stored
     */
    private record Type(DocumentType type, Optional<RowEncoder> put) {}

    /**
     * @param filter drops puts that the selection of their cluster excludes
     * @param isStrict whether only {@code true} and {@code false} are read as a bool
     * @param check rejects ids by an exception
     */
    BulkLineEncoder(
            ServedTypes types,
            SelectionFilter filter,
            BulkWrites writes,
            boolean isStrict,
            Consumer<DocumentId> check) {
        json.setStrict(isStrict);
        this.types = types;
        this.filter = filter;
        this.writes = writes;
        this.check = check;
    }

    /**
     * Returns the operation of the line that begins at {@code from}; null if it has an uncommon
     * form or an error.
     *
     * @param to the end of all lines
     * @throws InvalidDocumentException if its id is invalid or rejected
     */
    @Nullable BulkLine read(byte[] bytes, int from, int to, int number) {
        try {
            json.open(bytes, from, to);
            return line(bytes, number);
        } catch (JsonScanner.UncommonFormException _) {
            return null;
        }
    }

    /** Returns the end of the line that was read last. */
    int end() {
        return json.at();
    }

    private BulkLine line(byte[] bytes, int number) {
        put = null;
        members.clear();
        json.expect('{');
        if (json.passes(REMOVE)) {
            json.expect(':');
            return removal(bytes, number);
        }
        byte[] row = null;
        int fieldsBefore = NOT_THERE;
        int guess = PutMembers.PUT;
        do {
            int member = PutMembers.name(json, guess);
            guess = member + 1;
            switch (member) {
                case PutMembers.PUT, PutMembers.ID -> begin(bytes);
                case PutMembers.FIELDS -> {
                    if (put == null) {
                        // The fields depend on the type in the id.
                        fieldsBefore = json.at();
                        UnreadJson.pass(json);
                    } else {
                        row = put.row(json, idBytes, idFrom, idLength);
                    }
                }
                case PutMembers.GET -> {
                    // After the id it has no meaning.
                    begun();
                    UnreadJson.pass(json);
                }
                case PutMembers.UPDATE, PutMembers.REMOVE -> throw json.uncommon();
                default -> members.read(member, json);
            }
        } while (json.passes(','));
        json.expect('}');
        if (fieldsBefore != NOT_THERE) {
            int end = json.at();
            json.moveTo(fieldsBefore);
            row = begun().row(json, idBytes, idFrom, idLength);
            json.moveTo(end);
        }
        if (row == null || !json.isAtLineEnd()) {
            throw json.uncommon();
        }
        return put(number, row);
    }

    private BulkLine put(int number, byte[] row) {
        String note = begun().someIgnored() ? FIELDS_LEFT_OUT : "";
        Write.Row write =
                new Write.Row(writes.partition(id), id, row, members.condition(), members.create());
        if (!write.condition().isNone()) {
            return new BulkLine.Conditional(number, write, note);
        }
        // A put without a condition does not depend on {@code create}.
        Optional<String> refusal = filter.refusal(write);
        return refusal.isPresent()
                ? BulkLine.Refused.unkept(number, id, refusal.get())
                : new BulkLine.Unconditional(number, write, false, note);
    }

    private BulkLine.Unconditional removal(byte[] bytes, int number) {
        readId(bytes);
        json.expect('}');
        if (!json.isAtLineEnd()) {
            throw json.uncommon();
        }
        DocumentType type = type(id.documentType()).type();
        byte[] row = RowEncoding.encode(new Row(id, 0, type.fingerprint(), true, Map.of()), type);
        return new BulkLine.Unconditional(
                number, new Write.Row(writes.partition(id), id, row), true, "");
    }

    /** Reads the id, which determines the encoder of the fields. */
    private void begin(byte[] bytes) {
        if (put != null) {
            throw json.uncommon();
        }
        readId(bytes);
        put = type(id.documentType()).put().orElseThrow(json::uncommon);
    }

    private RowEncoder begun() {
        if (put == null) {
            throw json.uncommon();
        }
        return put;
    }

    private void readId(byte[] bytes) {
        json.next();
        int from = json.at() + 1;
        int to = json.plainString();
        if (to >= 0) {
            id = ids.read(bytes, from, to);
            idBytes = bytes;
            idFrom = from;
            idLength = to - from;
        } else {
            id = DocumentId.parse(json.text());
        }
        if (to < 0 || id.key() instanceof LocationKey.Numbered) {
            // Numbers have more than one notation, too.
            idBytes = id.toString().getBytes(StandardCharsets.UTF_8);
            idFrom = 0;
            idLength = idBytes.length;
        }
        check.accept(id);
    }

    private Type type(String name) {
        if (last == null || !name.equals(lastName)) {
            Type named = typesByName.get(name);
            if (named == null) {
                named = typeAnew(name);
                typesByName.put(name, named);
            }
            last = named;
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
