package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.InvalidRequestException;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.RandomFields;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.Document;
import org.crabro.document.DocumentType;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.LeftOutCells;
import org.crabro.document.json.OperationReader;
import org.crabro.document.json.ReadOperation;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lines that put go straight into rows, whatever their members and the order of those. */
class BulkLineMembersTest {
    private static final int SCHEMAS = 20;
    private static final int LINES = 1_000;

    private static final List<String> IDS =
            List.of(
                    "id:ns:made::1",
                    "id:ns:made:g=anna:1",
                    "id:ns:made:g=ånna:中😀",
                    "id:ns:made:n=7:x",
                    "id:ns:made:n=007:x",
                    "id:ns:none::1",
                    "id:ns:made");

    @TempDir static Path directory;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);

    /** The result of a line; without a condition, the flag for creation has no meaning. */
    private record Put(
            String id,
            String row,
            Optional<String> condition,
            boolean create,
            boolean someIgnored) {
        static Put of(
                Write.Row write, WriteCondition condition, boolean create, boolean someIgnored) {
            return new Put(
                    write.id().toString(),
                    HexFormat.of().formatHex(write.bytes()),
                    condition.selection(),
                    create && !condition.isNone(),
                    someIgnored);
        }
    }

    @Test
    void areReadAsTheyAreReadOtherwise() throws Exception {
        int right = 0;
        int conditional = 0;
        for (int round = 0; round < SCHEMAS; round++) {
            var fields = new RandomFields(random);
            ApplicationModel model = fields.model("made", directory.resolve("made" + round));
            boolean ignoresUndefinedFields = round % 2 == 0;
            boolean isStrict = round % 3 == 0;
            var types = new ServedTypes(model, Map.of(), ignoresUndefinedFields);
            BulkLineEncoder lines = lines(model, types, isStrict);
            OperationReader reader = isStrict ? types.operations().strict() : types.operations();
            for (int i = 0; i < LINES; i++) {
                String line = fields.line(IDS.get(random.nextInt(IDS.size())));

                Optional<Put> straight = straight(lines, line);

                Optional<Put> other = other(reader, model, line);
                assertThat(straight).as("%s, seed %d", line, seed).isEqualTo(other);
                right += other.isPresent() ? 1 : 0;
                conditional += other.flatMap(Put::condition).isPresent() ? 1 : 0;
            }
        }
        assertThat(right).isGreaterThan(SCHEMAS * LINES / 10);
        assertThat(conditional).isGreaterThan(right / 20);
    }

    @Test
    void takeTheFieldsThatStandBeforeTheIdRatherThanThoseBehindIt() throws Exception {
        ApplicationModel model = NotesPackage.model(directory.resolve("notes"));
        var types = new ServedTypes(model, Map.of(), false);
        String line =
                """
                {"fields":{"year":1},"fields":{"year":2},"put":"id:ns:plain::1","fields":{"year":3}}
                """
                        .strip();

        Optional<Put> straight = straight(lines(model, types, false), line);

        assertThat(straight).isPresent().isEqualTo(other(types.operations(), model, line));
    }

    private static BulkLineEncoder lines(
            ApplicationModel model, ServedTypes types, boolean isStrict) {
        var rows = new MapOfRows(model);
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        return new BulkLineEncoder(types, filter, rows, isStrict, _ -> {});
    }

    private static Optional<Put> straight(BulkLineEncoder lines, String line) {
        byte[] bytes = line.getBytes(UTF_8);
        BulkLine read;
        try {
            read = lines.read(bytes, 0, bytes.length, 0);
        } catch (InvalidDocumentException | InvalidRequestException _) {
            return Optional.empty();
        }
        return switch (read) {
            case null -> Optional.empty();
            case BulkLine.Unconditional(_, Write.Row write, _, String note) ->
                    Optional.of(Put.of(write, WriteCondition.NONE, false, !note.isEmpty()));
            case BulkLine.Conditional(_, var write, String note) ->
                    Optional.of(Put.of(write, write.condition(), write.create(), !note.isEmpty()));
            case BulkLine.Dependent _, BulkLine.Get _, BulkLine.Refused _ ->
                    throw new AssertionError("no put: " + read);
        };
    }

    /** As a line is read otherwise: its head, and then all of it. */
    private static Optional<Put> other(
            OperationReader reader, ApplicationModel model, String line) {
        byte[] bytes = line.getBytes(UTF_8);
        try {
            OperationHead head = OperationHead.read(bytes, 0, bytes.length);
            if (head.kind() != OperationHead.Kind.PUT) {
                return Optional.empty();
            }
            ReadOperation read = reader.read(bytes, 0, bytes.length, LeftOutCells.UNCOUNTED);
            ConditionalOperation fed = read.operation();
            if (!(fed.operation() instanceof DocumentOperation.Put(Document document))) {
                throw new AssertionError("no put: " + line);
            }
            DocumentType type =
                    Objects.requireNonNull(model.schemas().get(fed.id().documentType()))
                            .documentType();
            var row = new Row(fed.id(), 0, type.fingerprint(), false, document.fields());
            var write = new Write.Row(0, fed.id(), RowEncoding.encode(row, type));
            return Optional.of(Put.of(write, fed.condition(), fed.create(), read.someIgnored()));
        } catch (InvalidDocumentException _) {
            return Optional.empty();
        }
    }
}
