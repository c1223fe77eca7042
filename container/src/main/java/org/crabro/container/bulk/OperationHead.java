package org.crabro.container.bulk;

import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.OperationReader;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/**
 * The kind of operation of a line and the id of its document, read before the rest of the line.
 *
 * <pre>
 *   line   := "{" member { "," member } "}"
 *   member := ( "put" | "id" | "update" | "remove" | "get" ) ":" id     ; the first of them counts
 *           | name ":" anything
 * </pre>
 */
record OperationHead(Kind kind, DocumentId id) {
    private static final int DEPTH_MAX = 200;

    private static final JsonFactory JSON =
            JsonFactory.builder()
                    .streamReadConstraints(
                            StreamReadConstraints.builder()
                                    .maxNestingDepth(DEPTH_MAX)
                                    .maxStringLength(Integer.MAX_VALUE)
                                    .build())
                    .build();

    /** The kind of an operation. */
    enum Kind {
        PUT,
        UPDATE,
        REMOVE,
        GET
    }

    /**
     * Reads the bytes from {@code from} to {@code to} up to the id. Reads a get to its end, because
     * no other code parses it.
     *
     * @throws InvalidDocumentException if they are not an object with an operation and an id
     */
    static OperationHead read(byte[] line, int from, int to) {
        try (JsonParser json =
                JSON.createParser(ObjectReadContext.empty(), line, from, to - from)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new InvalidDocumentException("expected an operation as a JSON object");
            }
            while (json.nextToken() != JsonToken.END_OBJECT) {
                Kind kind = kind(json.currentName());
                JsonToken value = json.nextToken();
                if (kind == null) {
                    json.skipChildren();
                    continue;
                }
                if (value != JsonToken.VALUE_STRING) {
                    throw new InvalidDocumentException(
                            "expected the id of a document as a string at column "
                                    + json.currentTokenLocation().getColumnNr());
                }
                var head = new OperationHead(kind, DocumentId.parse(json.getString()));
                if (kind == Kind.GET) {
                    readAfterHead(json);
                }
                return head;
            }
            throw new InvalidDocumentException(
                    "expected a member 'put', 'update', 'remove' or 'get' with the id of a"
                            + " document");
        } catch (JacksonException e) {
            throw new InvalidDocumentException(
                    "the line is no well-formed JSON: "
                            + OperationReader.problem(e)
                            + (e.getLocation() == null
                                    ? ""
                                    : " at column " + e.getLocation().getColumnNr()),
                    e);
        }
    }

    private static void readAfterHead(JsonParser json) {
        while (json.nextToken() != JsonToken.END_OBJECT) {
            if (kind(json.currentName()) != null) {
                throw new InvalidDocumentException(
                        "one operation per line: expected one of 'put', 'update', 'remove' and 'get'");
            }
            json.nextToken();
            json.skipChildren();
        }
        if (json.nextToken() != null) {
            throw new InvalidDocumentException(
                    "expected the end of the line after the operation at column "
                            + json.currentTokenLocation().getColumnNr());
        }
    }

    private static @Nullable Kind kind(@Nullable String member) {
        return switch (member) {
            case "put", "id" -> Kind.PUT;
            case "update" -> Kind.UPDATE;
            case "remove" -> Kind.REMOVE;
            case "get" -> Kind.GET;
            case null, default -> null;
        };
    }
}
