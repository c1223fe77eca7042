package org.crabro.content.storage.partition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.GroupTombstone;
import org.crabro.content.storage.file.DamageRegister;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.layout.AddressRange;
import org.crabro.content.storage.layout.RunLayout;
import org.crabro.content.storage.manifest.Manifest;
import org.crabro.content.storage.manifest.RunEntry;
import org.crabro.content.storage.run.LostParts;
import org.crabro.content.storage.run.Run;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.encoding.Row;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Compares the formats of runs and manifests with bytes that were written once. */
class GoldenFilesTest {
    private static final String DIRECTORY = "partitions/00";
    private static final Row OLD_NOTE =
            row(1, "id:a:note::plain", RandomRows.NOTE, Map.of("text", text("first words")));
    private static final Row GONE_NOTE =
            row(2, "id:a:note:g=bob:1", RandomRows.NOTE, Map.of("text", text("words of bob")));
    private static final GroupTombstone BOB =
            new GroupTombstone("note", new LocationKey.Group("bob"), 15);
    private static final Row NOTE =
            row(11, "id:a:note::plain", RandomRows.NOTE, Map.of("text", text("new wörds")));
    private static final Row REMOVED_NOTE =
            new Row(
                    DocumentId.parse("id:a:note:n=7:gone"),
                    12,
                    RandomRows.NOTE.fingerprint(),
                    true,
                    Map.of());
    private static final Row FULL_MAIL =
            row(
                    13,
                    "id:a:mail:g=ann:1",
                    RandomRows.MAIL,
                    Map.of(
                            "subject", text("hello"),
                            "read", new FieldValue.BoolValue(true),
                            "size", new FieldValue.IntValue(-2),
                            "sent", new FieldValue.LongValue(1L << 40),
                            "score", new FieldValue.FloatValue(0.5f),
                            "weight", new FieldValue.DoubleValue(-0.25),
                            "to", new FieldValue.ArrayValue(List.of(text("bob"), text("eve"))),
                            "vector",
                                    new FieldValue.TensorValue(
                                            DenseTensor.of(
                                                    RandomRows.VECTOR,
                                                    new double[] {1, -1, 0.5, 2, 0, 3, 4, -8}))));
    private static final Row EMPTY_MAIL = row(14, "id:a:mail:g=ann:2", RandomRows.MAIL, Map.of());

    @RegisterExtension final LeakCheckedFiles files = new LeakCheckedFiles();

    @Test
    void writesTheGoldenBytes() throws IOException {
        try (RunLog log = RunLog.open(files, DIRECTORY, RandomRows.TYPES)) {
            add(log, 1, Map.of(RandomRows.NOTE, List.of(OLD_NOTE, GONE_NOTE)), List.of());
            add(log, 2, goldenRows(), List.of(BOB));
        }

        assertThat(hex(files.bytes(DIRECTORY + "/2.run"))).isEqualTo(hex(golden("run-1.hex")));
        for (String copy : List.of("/manifest.1", "/manifest.2")) {
            assertThat(hex(files.bytes(DIRECTORY + copy))).isEqualTo(hex(golden("manifest-1.hex")));
        }
    }

    @Test
    void readsTheGoldenRun() throws IOException {
        files.put(DIRECTORY + "/2.run", golden("run-1.hex"));
        for (String copy : List.of("/manifest.1", "/manifest.2")) {
            files.put(DIRECTORY + copy, golden("manifest-1.hex"));
        }
        RunEntry entry = Manifest.read(files, DIRECTORY).runs().getLast();

        Run run =
                Run.open(
                        files, DIRECTORY + "/2.run", entry, RandomRows.TYPES, new DamageRegister());

        for (Row row : List.of(NOTE, REMOVED_NOTE, FULL_MAIL, EMPTY_MAIL)) {
            assertThat(
                            run.find(RowKey.of(row.id()), new ReadContext())
                                    .map(match -> match.row(_ -> {})))
                    .contains(row);
        }
        assertThat(run.lost()).isEqualTo(LostParts.NONE);
        assertThat(entry.rowCount()).isEqualTo(4);
        assertThat(run.superseded().count()).isEqualTo(1);
        assertThat(run.superseded().run(0)).isEqualTo(1);
        assertThat(run.superseded().address(0)).isEqualTo(RunLayout.address(0, 0));
        assertThat(run.groupTombstones().count()).isEqualTo(1);
        assertThat(run.groupTombstones().get(0)).isEqualTo(BOB);
        assertThat(run.groupTombstones().find(RowKey.of(GONE_NOTE.id()))).isZero();
        assertThat(run.removed().count()).isEqualTo(1);
        assertThat(run.removed().run(0)).isEqualTo(1);
        assertThat(run.removed().rows(0))
                .isEqualTo(new AddressRange(RunLayout.address(0, 1), RunLayout.address(0, 2)));
        run.release();
    }

    @Test
    void readsTheGoldenManifest() throws IOException {
        files.put(DIRECTORY + "/manifest.1", golden("manifest-1.hex"));

        try (Manifest manifest = Manifest.open(files, DIRECTORY)) {
            assertThat(manifest.state().covered()).isEqualTo(2);
            assertThat(manifest.state().lastTimestamp()).isEqualTo(1_002);
            assertThat(manifest.state().runs())
                    .extracting(RunEntry::number, RunEntry::rowCount)
                    .containsExactly(tuple(1L, 2L), tuple(2L, 4L));
        }
    }

    private static Map<DocumentType, List<Row>> goldenRows() {
        return Map.of(
                RandomRows.NOTE,
                List.of(NOTE, REMOVED_NOTE),
                RandomRows.MAIL,
                List.of(FULL_MAIL, EMPTY_MAIL));
    }

    private static void add(
            RunLog log,
            long covered,
            Map<DocumentType, List<Row>> rows,
            List<GroupTombstone> removed)
            throws IOException {
        log.add(
                run -> {
                    removed.forEach(run::remove);
                    for (DocumentType type : List.of(RandomRows.MAIL, RandomRows.NOTE)) {
                        List<Row> ofType =
                                Optional.ofNullable(rows.get(type)).orElse(new ArrayList<>());
                        run.begin(type);
                        for (var row : sorted(ofType).entrySet()) {
                            run.add(row.getKey(), RandomRows.encoded(row.getValue()));
                        }
                    }
                },
                covered,
                1_000 + covered,
                2_000 + covered);
    }

    private static SortedMap<RowKey, Row> sorted(List<Row> rows) {
        var sorted = new TreeMap<RowKey, Row>();
        rows.forEach(row -> sorted.put(RowKey.of(row.id()), row));
        return sorted;
    }

    private static Row row(
            long timestamp, String id, DocumentType type, Map<String, FieldValue> fields) {
        return new Row(DocumentId.parse(id), timestamp, type.fingerprint(), false, fields);
    }

    private static FieldValue text(String text) {
        return new FieldValue.StringValue(text);
    }

    private static byte[] golden(String name) throws IOException {
        try (InputStream stream =
                Objects.requireNonNull(GoldenFilesTest.class.getResourceAsStream(name), name)) {
            String hex = new String(stream.readAllBytes(), UTF_8);
            return HexFormat.of().parseHex(hex.replaceAll("#.*|\\s", ""));
        }
    }

    /** Returns lines of 32 bytes, so that a difference has a visible place. */
    private static String hex(byte[] bytes) {
        var text = new StringBuilder();
        for (int i = 0; i < bytes.length; i += 32) {
            int end = Math.min(bytes.length, i + 32);
            text.append(HexFormat.of().formatHex(bytes, i, end)).append('\n');
        }
        return text.toString();
    }
}
