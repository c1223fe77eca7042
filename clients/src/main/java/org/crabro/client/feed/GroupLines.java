package org.crabro.client.feed;

import java.io.IOException;
import java.util.Set;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.LocationKey;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.json.JsonMapper;

/** Rejects lines with operations on documents of other groups than one. */
public final class GroupLines {
    private static final JsonMapper JSON = new JsonMapper();

    /** The members of an operation that contain its id. */
    private static final Set<String> IDS = Set.of("put", "update", "remove", "id", "get");

    private final LocationKey group;

    public GroupLines(LocationKey group) {
        this.group = group;
    }

    /**
     * Checks a line.
     *
     * @throws IOException if it is no operation on a document of the group. All ids of the line
     *     count, because readers differ in which of two equal members they choose
     */
    public void check(byte[] line, long number) throws IOException {
        boolean hasId = false;
        try (JsonParser parser = JSON.createParser(line)) {
            if (parser.nextToken() == null) {
                return;
            }
            if (parser.currentToken() != JsonToken.START_OBJECT) {
                throw refused(number, "expected an operation as a JSON object");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                if (IDS.contains(name)) {
                    if (value != JsonToken.VALUE_STRING) {
                        throw refused(number, "expected the id of a document in '" + name + "'");
                    }
                    checkId(parser.getString(), number);
                    hasId = true;
                } else {
                    parser.skipChildren();
                }
            }
            if (parser.nextToken() != null) {
                throw refused(number, "expected the end of the line after the operation");
            }
        } catch (JacksonException e) {
            throw refused(number, "not JSON: " + e.getOriginalMessage());
        }
        if (!hasId) {
            throw refused(number, "there is no id of a document");
        }
    }

    private void checkId(String text, long number) throws IOException {
        DocumentId id;
        try {
            id = DocumentId.parse(text);
        } catch (InvalidDocumentException e) {
            throw refused(number, String.valueOf(e.getMessage()));
        }
        if (!id.key().equals(group)) {
            throw refused(number, "'" + text + "' is not in the group to import");
        }
    }

    private static IOException refused(long number, String problem) {
        return new IOException("line %d: %s".formatted(number, problem));
    }
}
