package org.crabro.container.bulk;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.JsonRowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.WriteParameters;
import org.crabro.container.document.WriteResult;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.DocumentBody;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.ReadOperation;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Puts that are encoded directly as rows, compared with the same puts through values: both give the
 * same, and the direct path accepts nothing that the other one rejects.
 */
public final class BulkTargets {
    private static final int PIECE = 256;
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    2,
                    new BulkSettings.Input(PIECE, 4, 1_000, 10_000),
                    new BulkSettings.Batches(7, 1_024, 3),
                    1,
                    Duration.ofSeconds(30));
    private static final DocumentId ID = DocumentId.parse("id:ns:all:g=anna:1");

    private final DocumentType type = FuzzedApplication.type();
    private final DocumentReader reader = new DocumentReader(type);
    private final OperationReader operations = new OperationReader(List.of(type), false);
    private final JsonRowPuts bodies;
    private final BulkLineEncoder lines;

    private BulkTargets() {
        var types = new ServedTypes(FuzzedApplication.model(), Map.of(), false);
        var writes = new NoWrites();
        var filter =
                new SelectionFilter(
                        FuzzedApplication.model(),
                        (principal, deadline, operation) -> {
                            throw new IllegalStateException("nothing is written");
                        },
                        InstantSource.system());
        this.bodies = new JsonRowPuts(types, writes, filter.filter(writes));
        this.lines = new BulkLineEncoder(types, filter, writes, false, _ -> {});
    }

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var targets = new BulkTargets();
        return List.of(
                FuzzTarget.ofBytes("plain-bodies", targets::body, InvalidDocumentException.class),
                FuzzTarget.ofBytes(
                        "plain-lines",
                        targets::line,
                        InvalidDocumentException.class,
                        InvalidRequestException.class),
                FuzzTarget.ofBytes(
                        "body-pieces", BulkTargets::pieces, InvalidRequestException.class),
                FuzzTarget.ofBytes(
                        "array-bodies", BulkTargets::array, InvalidRequestException.class),
                FuzzTarget.ofBytes(
                        "operation-heads",
                        line -> OperationHead.read(line, 0, line.length),
                        InvalidDocumentException.class));
    }

    private static byte[] all(BodySource body) throws IOException {
        var all = new ByteArrayOutputStream();
        byte[] buffer = new byte[PIECE];
        for (int count = body.read(buffer, 0, PIECE, true);
                count >= 0;
                count = body.read(buffer, 0, PIECE, true)) {
            all.write(buffer, 0, count);
        }
        return all.toByteArray();
    }

    /** The pieces of a body are the body, unless a line is too long. */
    private static void pieces(byte[] input) throws IOException {
        try (var admission = new BulkAdmission(SETTINGS, Duration.ofSeconds(10))) {
            var reader = new PieceReader(new Chunks(input), admission);
            var all = new ByteArrayOutputStream();
            boolean isRefused = false;
            for (Optional<Piece> piece = reader.next(); piece.isPresent(); piece = reader.next()) {
                isRefused |= piece.get().refusal().isPresent();
                all.write(piece.get().text().bytes(), 0, piece.get().text().length());
                admission.release(piece.get().reserved());
                reader.reuse(piece.get());
            }
            if (admission.longLineBytes() != 0) {
                throw new AssertionError("long lines take memory after the end");
            }
            if (!isRefused && !Arrays.equals(all.toByteArray(), input)) {
                throw new AssertionError("the pieces are " + all);
            }
        }
    }

    private static void array(byte[] input) throws IOException {
        all(new ArrayBody(new Chunks(input)));
    }

    /** The result of a put. */
    private record Put(String row, Optional<String> condition, boolean create) {
        static Put of(Write.Row put) {
            return new Put(Arrays.toString(put.bytes()), put.condition().selection(), put.create());
        }
    }

    private void body(byte[] json) {
        for (boolean isStrict : List.of(false, true)) {
            var parameters = new WriteParameters(isStrict, Optional.empty(), Optional.empty());
            Write.Row read = bodies.read(ID, json, parameters, () -> {});
            if (read != null) {
                same(Put.of(read), put(json, isStrict));
            }
        }
        put(json, false);
    }

    private Put put(byte[] json, boolean isStrict) {
        DocumentBody body =
                (isStrict ? reader.strict() : reader)
                        .read(ID, new ByteArrayInputStream(json), LeftOutCells.UNCOUNTED);
        return new Put(
                row(body.document().fields(), ID),
                body.condition(),
                body.condition().isPresent() && body.create());
    }

    private String row(Map<String, FieldValue> fields, DocumentId id) {
        var row = new Row(id, 0, type.fingerprint(), false, fields);
        return Arrays.toString(RowEncoding.encode(row, type));
    }

    /** A line ends where the input has its first line end. */
    private void line(byte[] input) {
        byte[] line = input;
        for (int i = 0; i < input.length; i++) {
            if (input[i] == '\n') {
                line = Arrays.copyOf(input, i);
                break;
            }
        }
        BulkLine read = lines.read(line, 0, line.length, 1);
        if (read == null) {
            operations.read(line, 0, line.length, LeftOutCells.UNCOUNTED);
            return;
        }
        switch (read) {
            case BulkLine.Unconditional(_, var write, boolean isRemove, _) ->
                    same(write(write, Optional.empty(), false, isRemove), operation(line));
            case BulkLine.Conditional(_, var write, _) ->
                    same(
                            write(write, write.condition().selection(), write.create(), false),
                            operation(line));
            case BulkLine.Dependent _, BulkLine.Get _, BulkLine.Refused _ -> {}
        }
    }

    private static String write(
            Write.Row write, Optional<String> condition, boolean create, boolean isRemove) {
        return isRemove
                ? "remove " + write.id()
                : "put " + write.id() + Arrays.toString(write.bytes()) + condition + create;
    }

    private String operation(byte[] line) {
        ReadOperation read = operations.read(line, 0, line.length, LeftOutCells.UNCOUNTED);
        ConditionalOperation asked = read.operation();
        Optional<String> condition = asked.condition().selection();
        return switch (asked.operation()) {
            case DocumentOperation.Put(var document) ->
                    "put "
                            + document.id()
                            + row(document.fields(), document.id())
                            + condition
                            + (condition.isPresent() && asked.create());
            case DocumentOperation.Remove(var id) -> "remove " + id;
            case DocumentOperation.Update(var id, _) -> "update " + id;
        };
    }

    private static void same(Object quick, Object slow) {
        if (!quick.equals(slow)) {
            throw new AssertionError("the short way reads " + quick + ", the long way " + slow);
        }
    }

    /** A body that arrives in parts; the first byte determines their size. */
    private static final class Chunks implements BodySource {
        private final ByteBuffer body;
        private final int most;

        Chunks(byte[] body) {
            this.body = ByteBuffer.wrap(body);
            this.most = body.length == 0 ? 1 : 1 + Byte.toUnsignedInt(body[0]);
        }

        @Override
        public int read(byte[] into, int offset, int length, boolean waits) {
            if (!body.hasRemaining()) {
                return -1;
            }
            int count = Math.min(Math.min(most, length), body.remaining());
            body.get(into, offset, count);
            return count;
        }
    }

    /** Knows partitions, and writes nothing. */
    private static final class NoWrites implements BulkWrites {
        @Override
        public int partition(DocumentId id) {
            return Partitions.DEFAULT.of(id.location());
        }

        @Override
        public List<WriteResult> write(
                Principal principal, Deadline deadline, List<Write.Row> writes) {
            throw new IllegalStateException("nothing is written");
        }

        @Override
        public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
            throw new IllegalStateException("nothing is written");
        }
    }
}
