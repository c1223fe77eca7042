package org.crabro.container.bulk;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;
import org.crabro.component.Progress;
import org.crabro.config.schema.Schema;
import org.crabro.container.document.DocumentMetrics.Operation;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.FieldSet;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.processing.ProcessorChain;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.ByteWords;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.ReadOperation;
import org.crabro.document.memory.MemoryRefusedException;
import org.crabro.document.memory.MemoryShare;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpStatus;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Parses the lines of bulk bodies, each an operation in the format of feed files, and encodes
 * writes. An error concerns its line only. Safe for use by many threads.
 */
final class OperationLines {
    private static final Logger LOG = LoggerFactory.getLogger(OperationLines.class);

    /** The initial capacity for the lines of a piece. */
    private static final int LINES_MIN = 256;

    /** The most bytes of blank lines in a body. */
    static final int BLANK_BYTES_MAX = 16 << 20;

    private final BulkBackend backend;
    private final OperationReader operations;
    private final DocumentPath within;
    private final BulkOptions options;

    /** Idle encoders: at most as many as there were concurrent threads. */
    private final Queue<BulkLineEncoder> encoders = new ConcurrentLinkedQueue<>();

    private final Principal sender;
    private final Map<String, FieldSet> shown = new ConcurrentHashMap<>();
    private final LongAdder blankBytes = new LongAdder();

    /**
     * @param within every line must name a document of this path
     * @param sender the principal of the request; lines with documents of groups that it may not
     *     access are rejected
     */
    OperationLines(
            BulkBackend backend, DocumentPath within, BulkOptions options, Principal sender) {
        this.backend = backend;
        OperationReader reader = backend.types().operations();
        this.operations = options.isStrict() ? reader.strict() : reader;
        this.within = within;
        this.options = options;
        this.sender = sender;
    }

    /**
     * The operations of the lines of a piece.
     *
     * @param lines without blank lines
     * @param count of lines, blank ones included
     * @param writes a summary for batches, if every line is a document to be written or removed
     * @param reserved bytes that were reserved for omitted cells
     * @param memory the values in the lines, to be closed when they are answered
     */
    record Read(
            List<BulkLine> lines,
            int count,
            Optional<Writes> writes,
            long reserved,
            MemoryShare memory) {}

    /** A summary of rows for batches. */
    static final class Writes {
        private int[] idHashes = new int[LINES_MIN];
        private int size;
        private long bytes;

        void add(Write.Row row) {
            if (size == idHashes.length) {
                idHashes = Arrays.copyOf(idHashes, 2 * size);
            }
            idHashes[size++] = row.idHash();
            bytes += row.bytes().length;
        }

        /** Returns the count of rows. */
        int size() {
            return size;
        }

        /** Returns the hash of an id. */
        int idHash(int index) {
            return idHashes[index];
        }

        /** Returns the bytes of all rows. */
        long bytes() {
            return bytes;
        }
    }

    /**
     * Parses the lines of {@code piece}. Its bytes are not used afterwards.
     *
     * @param leftOut counts the tensor cells that they omit
     */
    Read read(Piece piece, LeftOutOfLines leftOut) {
        if (piece.refusal().isPresent()) {
            Piece.Refusal refusal = piece.refusal().get();
            return new Read(
                    List.of(
                            new BulkLine.Refused(
                                    0,
                                    Operation.PUT,
                                    Optional.empty(),
                                    refusal.status(),
                                    refusal.message())),
                    1,
                    Optional.empty(),
                    0,
                    MemoryShare.UNLIMITED);
        }
        BulkLineEncoder idle = encoders.poll();
        BulkLineEncoder encoder =
                idle == null
                        ? new BulkLineEncoder(
                                backend.types(),
                                backend.filter(),
                                backend.writes(),
                                options.isStrict(),
                                this::check)
                        : idle;
        Read read = read(encoder, piece, leftOut);
        encoders.add(encoder);
        return read;
    }

    private Read read(BulkLineEncoder encoder, Piece piece, LeftOutOfLines leftOut) {
        byte[] bytes = piece.text().bytes();
        int length = piece.text().length();
        var lines = new ArrayList<BulkLine>(Math.min(LINES_MIN, length));
        var plainWrites = new Writes();
        int number = 0;
        long blank = 0;
        for (int from = 0; from < length; number++) {
            // The parser finds the end of most lines.
            int begin = trimmedBegin(bytes, from, length);
            if (begin == length || bytes[begin] == '\n') {
                blank += begin + 1 - from;
                from = begin + 1;
                continue;
            }
            BulkLine line = begin < length ? encoded(encoder, bytes, begin, length, number) : null;
            int to;
            if (line == null) {
                to = ByteWords.lineEnd(bytes, begin, length);
                int end = trimmedEnd(bytes, begin, to);
                if (begin < end) {
                    lines.add(counted(bytes, begin, end, number, leftOut));
                }
            } else {
                to = encoder.end();
                lines.add(line);
                if (line instanceof BulkLine.Unconditional write) {
                    plainWrites.add(write.row());
                }
            }
            from = to + 1;
        }
        blankBytes.add(blank);
        return new Read(
                lines,
                number,
                plainWrites.size() == number ? Optional.of(plainWrites) : Optional.empty(),
                leftOut.taken(),
                MemoryShare.current());
    }

    /**
     * Checks the blank lines so far. They cost time, but a compressed body of them is short.
     *
     * @throws InvalidRequestException if there are too many
     */
    void checkBlankLines() {
        if (blankBytes.sum() > BLANK_BYTES_MAX) {
            throw new InvalidRequestException(
                    HttpStatus.PAYLOAD_TOO_LARGE_413,
                    "the body has blank lines of more than %d bytes".formatted(BLANK_BYTES_MAX));
        }
    }

    /** Returns the operation of the line that begins here, null if it has an uncommon form. */
    private @Nullable BulkLine encoded(
            BulkLineEncoder encoder, byte[] bytes, int from, int to, int number) {
        try {
            return encoder.read(bytes, from, to, number);
        } catch (InvalidDocumentException | InvalidRequestException | MemoryRefusedException _) {
            // The second read reports the error.
            return null;
        } catch (RuntimeException e) {
            LOG.error("a line of a bulk request could not be read", e);
            return null;
        }
    }

    private static int trimmedBegin(byte[] bytes, int from, int to) {
        int begin = from;
        while (begin < to && isBlank(bytes[begin])) {
            begin++;
        }
        return begin;
    }

    private static int trimmedEnd(byte[] bytes, int from, int to) {
        int end = to;
        while (end > from && isBlank(bytes[end - 1])) {
            end--;
        }
        return end;
    }

    private static boolean isBlank(byte b) {
        return b == ' ' || b == '\t' || b == '\r';
    }

    private BulkLine counted(byte[] bytes, int from, int to, int number, LeftOutOfLines leftOut) {
        leftOut.begin();
        MemoryShare memory = MemoryShare.current();
        long before = memory.bytes();
        BulkLine line = line(bytes, from, to, number, leftOut);
        if (!(line instanceof BulkLine.Dependent)) {
            // Its values are encoded, or are not used.
            memory.release(memory.bytes() - before);
        }
        if (line instanceof BulkLine.Refused) {
            leftOut.forget();
        }
        return line;
    }

    private BulkLine line(byte[] bytes, int from, int to, int number, LeftOutCells leftOut) {
        Optional<String> id = Optional.empty();
        try {
            OperationHead head = OperationHead.read(bytes, from, to);
            id = Optional.of(head.id().toString());
            return operation(head, bytes, from, to, number, leftOut);
        } catch (InvalidDocumentException e) {
            Operation asked = asked(bytes, from, to);
            return refused(number, asked, id, HttpStatus.BAD_REQUEST_400, e);
        } catch (MemoryRefusedException e) {
            return refused(number, asked(bytes, from, to), id, WriteStatus.refused(e).status(), e);
        } catch (InvalidRequestException e) {
            return refused(number, asked(bytes, from, to), id, e.status(), e);
        } catch (RuntimeException e) {
            LOG.error("a line of a bulk request could not be read", e);
            return new BulkLine.Refused(
                    number,
                    asked(bytes, from, to),
                    id,
                    HttpStatus.INTERNAL_SERVER_ERROR_500,
                    "internal error; see the server's log");
        }
    }

    private static BulkLine refused(
            int number,
            Operation asked,
            Optional<String> id,
            int status,
            RuntimeException problem) {
        String message = String.valueOf(problem.getMessage());
        // The answer contains the number of the line.
        return new BulkLine.Refused(
                number, asked, id, status, message.replace(" at line 1, column ", " at column "));
    }

    /** Returns the kind of operation of a rejected line; a put if it is unknown. */
    private static Operation asked(byte[] bytes, int from, int to) {
        try {
            return operation(OperationHead.read(bytes, from, to).kind());
        } catch (InvalidDocumentException _) {
            return Operation.PUT;
        }
    }

    private BulkLine operation(
            OperationHead head, byte[] bytes, int from, int to, int number, LeftOutCells leftOut) {
        DocumentId id = head.id();
        check(id);
        Optional<String> unkept = backend.types().refusal(id.documentType());
        if (unkept.isPresent()) {
            return unkept(head, number, unkept.get());
        }
        ServedType type = backend.types().get(id.documentType());
        if (head.kind() == OperationHead.Kind.GET) {
            return new BulkLine.Get(number, id, shown(type.schema()));
        }
        ReadOperation read = operations.read(bytes, from, to - from, leftOut);
        String note = read.someIgnored() ? BulkLineEncoder.FIELDS_LEFT_OUT : "";
        return switch (type.process(read.operation(), sender)) {
            case ProcessorChain.Outcome.Continues(ConditionalOperation fed) ->
                    operation(number, type, fed, note);
            case ProcessorChain.Outcome.Dropped(String reason) ->
                    ended(number, head, HttpStatus.OK_200, reason);
            case ProcessorChain.Outcome.Failed(Progress.Kind kind, String reason) ->
                    ended(number, head, kind.status(), reason);
        };
    }

    private static BulkLine ended(int number, OperationHead head, int status, String reason) {
        return new BulkLine.Refused(
                number, operation(head.kind()), Optional.of(head.id().toString()), status, reason);
    }

    private BulkLine operation(int number, ServedType type, ConditionalOperation fed, String note) {
        if (!fed.condition().isNone()) {
            return new BulkLine.Dependent(number, fed, type.processor(), note);
        }
        return switch (fed.operation()) {
            case DocumentOperation.Update _ ->
                    new BulkLine.Dependent(number, fed, type.processor(), note);
            case DocumentOperation.Remove _ -> write(number, fed.id(), type, true, Map.of(), note);
            // A thread of its own waits for a language model.
            case DocumentOperation.Put _ when type.processor().generates() ->
                    new BulkLine.Dependent(number, fed, type.processor(), note);
            case DocumentOperation.Put(Document document) ->
                    // Models compute the embeddings of concurrent lines together.
                    type.processor().embeds()
                            ? new BulkLine.Dependent(number, fed, type.processor(), note)
                            : put(number, type, type.processor().process(document), note);
        };
    }

    private static Operation operation(OperationHead.Kind kind) {
        return switch (kind) {
            case PUT -> Operation.PUT;
            case UPDATE -> Operation.UPDATE;
            case REMOVE -> Operation.REMOVE;
            case GET -> Operation.GET;
        };
    }

    private static BulkLine unkept(OperationHead head, int number, String reason) {
        boolean isRead = head.kind() == OperationHead.Kind.GET;
        return new BulkLine.Refused(
                number,
                operation(head.kind()),
                Optional.of(head.id().toString()),
                isRead ? HttpStatus.NOT_FOUND_404 : HttpStatus.OK_200,
                isRead ? reason : "nothing was written: " + reason);
    }

    private BulkLine put(int number, ServedType type, Document document, String note) {
        DocumentId id = document.id();
        Optional<String> refusal = backend.filter().refusal(document);
        return refusal.isPresent()
                ? BulkLine.Refused.unkept(number, id, refusal.get())
                : write(number, id, type, false, document.fields(), note);
    }

    private FieldSet shown(Schema schema) {
        return shown.computeIfAbsent(
                schema.name(),
                _ ->
                        options.shown()
                                .fieldSet()
                                .map(text -> FieldSet.parse(text, schema))
                                .orElseGet(() -> FieldSet.document(schema)));
    }

    /**
     * Rejects documents outside the path, and those of groups that the sender may not access.
     * Called before scripts and processors of the application run.
     */
    private void check(DocumentId id) {
        if (within instanceof DocumentPath.Range(var namespace, var documentType, var key)
                && !(id.namespace().equals(namespace)
                        && id.documentType().equals(documentType)
                        && id.key().equals(key))) {
            throw new InvalidDocumentException(
                    id + " is not in the namespace, document type and group of the path");
        }
        Optional<String> refusal = sender.refusal(id.key());
        if (refusal.isPresent()) {
            throw new InvalidRequestException(HttpStatus.FORBIDDEN_403, refusal.get());
        }
    }

    private BulkLine write(
            int number,
            DocumentId id,
            ServedType served,
            boolean isRemove,
            Map<String, FieldValue> fields,
            String note) {
        DocumentType type = served.schema().documentType();
        byte[] row = RowEncoding.encode(new Row(id, 0, type.fingerprint(), isRemove, fields), type);
        return new BulkLine.Unconditional(
                number, new Write.Row(backend.writes().partition(id), id, row), isRemove, note);
    }
}
