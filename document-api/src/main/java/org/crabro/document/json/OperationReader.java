package org.crabro.document.json;

import java.io.ByteArrayOutputStream;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.util.JsonParserDelegate;

/**
 * Reads the operations of feed files.
 *
 * <pre>
 *   operation := "{" member { "," member } "}"
 *   member    := ( "put" | "id" | "update" | "remove" ) ":" id    ; one of them
 *              | "fields" ":" object                              ; of a put and an update
 *              | "condition" ":" string
 *              | "create" ":" ( true | false )
 *              | name ":" anything                                ; skipped
 * </pre>
 *
 * <p>Members can be in any order. If the id comes first, which is usual, everything is read in one
 * pass. Fields before the id are copied, and read again when the id is known. Safe for use by many
 * threads.
 */
public final class OperationReader {
    private final Map<String, DocumentReader> puts = new HashMap<>();
    private final Map<String, UpdateReader> updates = new HashMap<>();

    /** A reader for types without rules for weights. */
    public OperationReader(Collection<DocumentType> types, boolean ignoresUndefinedFields) {
        this(
                types.stream()
                        .map(type -> new DocumentReader(type, ignoresUndefinedFields))
                        .toList(),
                types.stream()
                        .map(type -> new UpdateReader(type, ignoresUndefinedFields))
                        .toList());
    }

    /**
     * @param puts a reader for each type
     * @param updates a reader for each type
     */
    public OperationReader(Collection<DocumentReader> puts, Collection<UpdateReader> updates) {
        puts.forEach(reader -> this.puts.put(reader.type().name(), reader));
        updates.forEach(reader -> this.updates.put(reader.type().name(), reader));
    }

    /** Returns a reader that accepts only true and false for a bool. */
    public OperationReader strict() {
        return new OperationReader(
                puts.values().stream().map(DocumentReader::strict).toList(),
                updates.values().stream().map(UpdateReader::strict).toList());
    }

    /**
     * Returns a parser of JSON in UTF-8, with the limits of bodies. It charges the memory of the
     * current request.
     *
     * @param json not to be changed while it is parsed
     */
    public static JsonParser parser(byte[] json, int offset, int length) {
        return MeteredParser.of(
                BodyJson.FACTORY.createParser(ObjectReadContext.empty(), json, offset, length));
    }

    /** Returns the parser's message without its internal details. */
    public static String problem(JacksonException e) {
        return BodyJson.problem(e);
    }

    /**
     * Reads one operation from bytes.
     *
     * @param leftOut receives the number of omitted cells
     * @throws InvalidDocumentException if the bytes are not an operation; the message describes the
     *     error
     */
    public ReadOperation read(byte[] json, int offset, int length, LeftOutCells leftOut) {
        try (JsonParser parser = parser(json, offset, length)) {
            parser.nextToken();
            ReadOperation read = read(parser, leftOut);
            if (parser.nextToken() != null) {
                throw BodyJson.unexpected("", "the end after the operation,", parser);
            }
            return read;
        } catch (JacksonException e) {
            throw BodyJson.malformed("", e);
        }
    }

    /**
     * Reads an operation, with the parser at the start of its object, to its end.
     *
     * @param leftOut receives the number of omitted cells
     * @throws InvalidDocumentException if it is not an operation; the parser is inside it
     * @throws JacksonException if it is not JSON, or cannot be read
     */
    public ReadOperation read(JsonParser parser, LeftOutCells leftOut) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw BodyJson.unexpected("", "an operation, an object,", parser);
        }
        var reading = new Reading(leftOut);
        while (parser.nextToken() != JsonToken.END_OBJECT) {
            String member = parser.currentName();
            parser.nextToken();
            switch (member) {
                case "put", "id" -> reading.begin(Kind.PUT, parser);
                case "update" -> reading.begin(Kind.UPDATE, parser);
                case "remove" -> reading.begin(Kind.REMOVE, parser);
                case "fields" -> reading.fields(parser);
                case "condition" -> reading.condition = Optional.of(BodyJson.condition("", parser));
                case "create" -> reading.create = BodyJson.create("", parser);
                default -> parser.skipChildren();
            }
        }
        return reading.result();
    }

    private enum Kind {
        PUT,
        UPDATE,
        REMOVE
    }

    /** The members of one operation that have been read. */
    private final class Reading {
        private final LeftOutCells leftOut;
        private @Nullable Kind kind;
        private @Nullable DocumentId id;
        private byte @Nullable [] copiedFields;
        private @Nullable DocumentOperation operation;
        private boolean someIgnored;
        private Optional<String> condition = Optional.empty();
        private boolean create;

        Reading(LeftOutCells leftOut) {
            this.leftOut = leftOut;
        }

        void begin(Kind begun, JsonParser parser) {
            if (kind != null) {
                throw new InvalidDocumentException(
                        "an operation is one of put, update and remove, and has one id, but '%s' is"
                                        .formatted(parser.currentName())
                                + " another");
            }
            if (parser.currentToken() != JsonToken.VALUE_STRING) {
                throw BodyJson.unexpected("", "a document id, a string,", parser);
            }
            kind = begun;
            id = DocumentId.parse(parser.getString());
        }

        void fields(JsonParser parser) {
            DocumentId of = id;
            if (of == null || kind == null) {
                copiedFields = copy(parser);
            } else {
                fields(kind, of, parser);
            }
        }

        private void fields(Kind of, DocumentId id, JsonParser parser) {
            switch (of) {
                case PUT -> {
                    DocumentReader.Fields fields = reader(puts, id).fields(id, parser, leftOut);
                    someIgnored = fields.someIgnored();
                    operation = new DocumentOperation.Put(new Document(id, fields.values()));
                }
                case UPDATE -> {
                    UpdateReader.Updates read =
                            reader(updates, id).updates(id + ": ", parser, leftOut);
                    someIgnored = read.someIgnored();
                    operation = new DocumentOperation.Update(id, read.list());
                }
                case REMOVE ->
                        throw new InvalidDocumentException(id + ": a remove has no \"fields\"");
            }
        }

        ReadOperation result() {
            DocumentId of = id;
            Kind what = kind;
            if (of == null || what == null) {
                throw new InvalidDocumentException(
                        "expected \"put\", \"update\" or \"remove\" with a document id, but there"
                                + " is none");
            }
            if (copiedFields != null) {
                try (JsonParser copied = new Copied(parser(copiedFields, 0, copiedFields.length))) {
                    copied.nextToken();
                    fields(what, of, copied);
                }
            }
            if (what == Kind.REMOVE) {
                // Checked last, so that an unknown type is reported after errors in fields.
                reader(puts, of);
                operation = new DocumentOperation.Remove(of);
            }
            DocumentOperation read = operation;
            if (read == null) {
                throw BodyJson.missingFields(of + ": ");
            }
            return new ReadOperation(
                    new ConditionalOperation(
                            read, new WriteCondition(condition, OptionalLong.empty()), create),
                    someIgnored);
        }
    }

    private static <T> T reader(Map<String, T> readers, DocumentId id) {
        T reader = readers.get(id.documentType());
        if (reader == null) {
            throw new InvalidDocumentException(
                    "Document type %s does not exist, only %s: %s"
                            .formatted(id.documentType(), new TreeSet<>(readers.keySet()), id));
        }
        return reader;
    }

    /**
     * Returns a copy of the parser's current value as JSON, with numbers in their original form.
     */
    private static byte[] copy(JsonParser parser) {
        var bytes = new ByteArrayOutputStream();
        try (JsonGenerator copy =
                BodyJson.FACTORY.createGenerator(ObjectWriteContext.empty(), bytes)) {
            int depth = 0;
            do {
                JsonToken token = parser.currentToken();
                if (token.isNumeric()) {
                    copy.writeRawValue(parser.getString());
                } else {
                    copy.copyCurrentEvent(parser);
                }
                if (token.isStructStart()) {
                    depth++;
                } else if (token.isStructEnd()) {
                    depth--;
                }
            } while (depth > 0 && parser.nextToken() != null);
        }
        return bytes.toByteArray();
    }

    /** Parses copied JSON. The original position is not known. */
    private static final class Copied extends JsonParserDelegate {
        Copied(JsonParser parser) {
            super(parser);
        }

        @Override
        public TokenStreamLocation currentTokenLocation() {
            return TokenStreamLocation.NA;
        }
    }
}
