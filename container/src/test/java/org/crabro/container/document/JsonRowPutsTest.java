package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_16;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.DocumentBody;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A put that is encoded directly as a row gives the same row as one that goes through values. */
class JsonRowPutsTest {
    private static final int SCHEMAS = 20;
    private static final int BODIES = 1_000;
    private static final int REQUESTS = 100;

    /** More than is read ahead may come. */
    private static final DocumentSettings SETTINGS =
            new DocumentSettings(3 << 20, Duration.ofSeconds(5), false, 2, 10 << 20);

    @TempDir static Path directory;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final List<Served> started = new ArrayList<>();

    @AfterEach
    void stop() throws Exception {
        for (Served each : started) {
            each.server.stop();
        }
    }

    @Test
    void encodesRandomBodiesOfRandomSchemasAsTheyAreEncodedOtherwise() throws Exception {
        int values = 0;
        int right = 0;
        for (int round = 0; round < SCHEMAS; round++) {
            var fields = new RandomFields(random);
            ApplicationModel model = fields.model("made", directory.resolve("made" + round));
            JsonRowPuts bodies = bodies(model, new MapOfRows(model));
            DocumentType type = schemaType(model);
            DocumentId id = DocumentId.parse("id:ns:made:g=ånna:1");
            for (int i = 0; i < BODIES; i++) {
                String body = fields.body();
                boolean isStrict = random.nextInt(4) == 0;
                var parameters = new WriteParameters(isStrict, Optional.empty(), Optional.empty());
                Write.Row read = bodies.read(id, body.getBytes(UTF_8), parameters, () -> {});
                Optional<Put> otherwise = slow(type, id, body, isStrict);
                if (read != null) {
                    assertThat(Optional.of(Put.of(read)))
                            .as("%s, seed %d, %s", body, seed, type)
                            .isEqualTo(otherwise);
                } else if (otherwise.isPresent()) {
                    values++;
                }
                right += otherwise.isPresent() ? 1 : 0;
            }
        }
        assertThat(values).as("right bodies that are left to others, seed %d", seed).isZero();
        assertThat(right).isGreaterThan(SCHEMAS * BODIES / 10);
    }

    @Test
    void answersRandomBodiesAsTheyAreAnsweredOtherwise() throws Exception {
        for (int round = 0; round < SCHEMAS; round++) {
            var fields = new RandomFields(random);
            ApplicationModel model = fields.model("made", directory.resolve("served" + round));
            Served plain = served(model, true);
            Served other = served(model, false);
            for (int i = 0; i < REQUESTS; i++) {
                String body = fields.body();
                String path = "/document/v1/ns/made/docid/" + i % 7;
                byte[] request = request(path, "", body.getBytes(UTF_8));

                same(plain, other, request, "%s, seed %d".formatted(body, seed));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "note/docid/1?",
                "fresh/docid/1?",
                "plain/docid/1?",
                "plain/group/%C3%A5nna/1?",
                "plain/docid/1?create=true",
                "plain/docid/1?strict=true",
                "plain/docid/1?condition=plain.year%20==%201",
                "plain/docid/1?condition=plain.year%20==%201&create=true",
                "plain/docid/1?condition=",
                "plain/docid/1?dryRun=true",
                "plain/docid/1?dryRun=validate",
                "plain/docid/1?route=other",
                "none/docid/1?"
            })
    void answersTheSameWhateverThePathAndTheParametersSay(String where) throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        Served plain = served(model, true);
        Served other = served(model, false);
        for (String body :
                List.of(
                        "{\"fields\":{\"year\":1}}",
                        "{\"fields\":{\"year\":2}}",
                        "{\"fields\":{\"year\":3000},\"condition\":\"plain.year == 2\"}",
                        "{\"condition\":\"plain.year = 2\",\"fields\":{\"year\":3001}}",
                        "{\"condition\":7,\"fields\":{\"year\":3001}}",
                        "{\"condition\":\"false\",\"create\":true,\"fields\":{\"year\":3002}}",
                        "{\"create\":1,\"fields\":{\"year\":3001}}",
                        "{\"fields\":{\"year\":3001},\"fields\":{\"yeer\":1}}",
                        "{\"fields\":{\"year\":\"7\"}}",
                        "{\"fields\":{\"year\":7.5}}",
                        "{}",
                        "")) {
            same(plain, other, request("/document/v1/ns/" + where, "", body.getBytes(UTF_8)), body);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2_047, 2_048, 2_049, 65_535, 65_536, 65_537, 1_048_577, 3_000_000})
    void acceptsBodiesOfAnyLengthInAnyPieces(int length) throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        Served plain = served(model, true);
        Served other = served(model, false);
        String begin = "{\"fields\":{\"text\":\"";
        String end = "\"}}";
        int text = Math.max(0, length - begin.length() - end.length());
        byte[] body = (begin + "x".repeat(text) + end).getBytes(UTF_8);
        String path = "/document/v1/ns/plain/docid/1";

        same(plain, other, request(path, "", body), "announced");
        same(plain, other, chunked(path, body), "chunked");
        same(plain, other, request(path, "Content-Encoding: gzip\r\n", gzip(body)), "compressed");
        assertThat(plain.answer(chunked(path + "?tracelevel=1", body)).getContent())
                .contains("stored as they came");
        assertThat(plain.rows.documents()).containsKey("id:ns:plain::1");
    }

    @Test
    void refusesWhatIsTooLargeAndWhatIsNotCompressedAsOtherwise() throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        Served plain = served(model, true);
        Served other = served(model, false);
        String path = "/document/v1/ns/plain/docid/1";
        byte[] large = ("{\"fields\":{\"text\":\"" + "x".repeat(4 << 20) + "\"}}").getBytes(UTF_8);
        byte[] wrongLate =
                ("{\"fields\":{\"text\":\"" + "x".repeat(2 << 20) + "\",}}").getBytes(UTF_8);
        byte[] small = "{\"fields\":{\"text\":\"å\"}}".getBytes(UTF_8);
        byte[] cut = gzip(small);

        same(plain, other, request(path, "", large), "large");
        same(plain, other, chunked(path, large), "large, chunked");
        same(plain, other, chunked(path, wrongLate), "wrong behind what is read ahead");
        same(plain, other, request(path, "Content-Encoding: gzip\r\n", gzip(large)), "inflated");
        same(plain, other, request(path, "Content-Encoding: gzip\r\n", small), "no gzip");
        same(
                plain,
                other,
                request(path, "Content-Encoding: gzip\r\n", Arrays.copyOf(cut, cut.length - 3)),
                "cut short");
        same(plain, other, request(path, "Content-Encoding: br\r\n", small), "another encoding");
        same(
                plain,
                other,
                request(path, "", new String(small, UTF_8).getBytes(UTF_16)),
                "in UTF-16");
    }

    @Test
    void writesRowsOfBodiesInCborThatWereNeverValues() throws Exception {
        Served plain = served(NotesPackage.model(directory), true);
        // {"fields": {"year": 7, "vector": [1.0, 2.0, 3.0] as little-endian floats}}
        byte[] body =
                HexFormat.of()
                        .parseHex(
                                "a1666669656c6473a2647965617207"
                                        + "66766563746f72d8554c0000803f0000004000004040");

        String answer =
                plain.answer(
                                request(
                                        "/document/v1/ns/plain/docid/1?tracelevel=1",
                                        "Content-Type: application/cbor\r\n",
                                        body))
                        .getContent();

        assertThat(answer).contains("read 37 bytes of body, stored as they came");
        assertThat(plain.rows.documents().get("id:ns:plain::1"))
                .containsEntry("year", new FieldValue.IntValue(7))
                .containsKey("vector");
    }

    @Test
    void refusesCborAsOtherwise() throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        Served plain = served(model, true);
        Served other = served(model, false);
        byte[] deep = new byte[100_000];
        Arrays.fill(deep, (byte) 0x81);
        for (byte[] body :
                List.of(
                        deep,
                        HexFormat.of().parseHex("a1666669656c6473a1647965617207"),
                        HexFormat.of().parseHex("a1666669656c6473a16479656172"),
                        HexFormat.of().parseHex("a1666669656c6473a1647965617261"),
                        HexFormat.of().parseHex("a1666669656c6473a164796561726178"),
                        HexFormat.of().parseHex("a1666669656c6473a164796561720700"),
                        new byte[0])) {
            byte[] request =
                    request(
                            "/document/v1/ns/plain/docid/1",
                            "Content-Type: application/cbor\r\n",
                            body);

            same(
                    plain,
                    other,
                    request,
                    HexFormat.of().formatHex(body, 0, Math.min(20, body.length)));
        }
    }

    @Test
    void writesRowsThatWereNeverValues() throws Exception {
        ApplicationModel model = NotesPackage.model(directory);
        Served plain = served(model, true);

        String answer =
                plain.answer(
                                request(
                                        "/document/v1/ns/plain/docid/1?tracelevel=1",
                                        "",
                                        "{\n \"fields\": {\n \"year\": 7\n }\n}\n".getBytes(UTF_8)))
                        .getContent();

        assertThat(answer).contains("read 31 bytes of body, stored as they came");
        assertThat(plain.rows.batches()).containsExactly(1);
    }

    /** A condition may be before or after the fields, or in the address, which wins. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                         | {'fields':{'year':2},'condition':'plain.year == 1'}              | 200 | 2
                         | {'condition':'plain.year == 1','fields':{'year':2}}              | 200 | 2
                         | {'condition':'plain.year == 2','x':[{}],'fields':{'year':2}}     | 412 | 1
                         | {'create':true,'fields':{'year':2},'condition':'false'}          | 412 | 1
                         | {'fields':{'year':2},'condition':'plain.year ==','create':true}  | 400 | 1
                    ?condition=plain.year==1 | {'fields':{'year':2}}                        | 200 | 2
                    ?condition=plain.year==1 | {'fields':{'year':2},'condition':'false'}    | 200 | 2
                    ?condition=false         | {'condition':'true','fields':{'year':2}}     | 412 | 1
                    ?condition=plain.year==1&dryRun=validate | {'fields':{'year':2}}        | 200 | 1
                    """)
    void looksAtConditionsOfRowsThatWereNeverValues(
            String parameters, String body, int status, int year) throws Exception {
        Served plain = served(NotesPackage.model(directory), true);
        String path = "/document/v1/ns/plain/docid/1";
        plain.answer(request(path, "", "{\"fields\":{\"year\":1}}".getBytes(UTF_8)));
        String where = parameters == null ? "?tracelevel=1" : parameters + "&tracelevel=1";

        HttpTester.Response answer =
                plain.answer(request(path + where, "", body.replace('\'', '"').getBytes(UTF_8)));

        assertThat(answer.getStatus()).isEqualTo(status);
        assertThat(plain.rows.documents().get("id:ns:plain::1"))
                .isEqualTo(Map.of("year", new FieldValue.IntValue(year)));
        assertThat(plain.rows.conditionalRows()).isEqualTo(where.contains("dryRun") ? 0 : 1);
        assertThat(plain.rows.conditionalValues()).isZero();
    }

    /** A cluster that selects looks at rows. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'fields':{'year':2001}}                                    | true
                    {'fields':{'year':1999}}                                    | false
                    {'fields':{'year':2001},'condition':'true','create':true}   | true
                    {'fields':{'year':1999},'condition':'true','create':true}   | false
                    """)
    void looksAtRowsWhereAClusterSelects(String body, boolean isKept) throws Exception {
        Served plain = served(NotesPackage.model(directory), true);

        String answer =
                plain.answer(
                                request(
                                        "/document/v1/ns/fresh/docid/1?tracelevel=1",
                                        "",
                                        body.replace('\'', '"').getBytes(UTF_8)))
                        .getContent();

        assertThat(answer).contains("stored as they came");
        assertThat(answer.contains("nothing was written")).isEqualTo(!isKept);
        assertThat(plain.rows.documents().containsKey("id:ns:fresh::1")).isEqualTo(isKept);
    }

    @Test
    void createsWithoutAConditionAsWithoutCreate() throws Exception {
        Served plain = served(NotesPackage.model(directory), true);

        plain.answer(
                request(
                        "/document/v1/ns/plain/docid/1?create=true",
                        "",
                        "{\"create\":false,\"fields\":{\"year\":1}}".getBytes(UTF_8)));

        assertThat(plain.rows.documents()).containsKey("id:ns:plain::1");
        assertThat(plain.rows.conditionalRows()).isZero();
        assertThat(plain.rows.conditionalValues()).isZero();
    }

    /** Fields set to null are shown as if they were not set, except bytes. */
    @Test
    void showsBytesThatAreNone() throws Exception {
        Served plain = served(NotesPackage.model(directory), true);
        String path = "/document/v1/ns/plain/docid/1";
        plain.answer(
                request(path, "", "{\"fields\":{\"bytes\":\"\",\"text\":\"\"}}".getBytes(UTF_8)));

        String answer =
                plain.answer(
                                "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                        .formatted(path)
                                        .getBytes(UTF_8))
                        .getContent();

        assertThat(answer).endsWith("\"fields\":{\"bytes\":\"\"}}");
    }

    private static void same(Served plain, Served other, byte[] request, String what)
            throws Exception {
        HttpTester.Response one = plain.answer(request);
        HttpTester.Response two = other.answer(request);

        assertThat(one.getStatus()).as(what).isEqualTo(two.getStatus());
        assertThat(message(one)).as(what).isEqualTo(message(two));
        assertThat(plain.rows.documents()).as(what).isEqualTo(other.rows.documents());
    }

    /** Removes the number of bytes that were read of a too large body, which may vary. */
    private static String message(HttpTester.Response answer) {
        return answer.getContent().replaceAll("has \\d+ bytes or more", "has many");
    }

    /** A handler that is called in memory, and its written rows. */
    private record Served(Server server, LocalConnector connector, MapOfRows rows) {
        HttpTester.Response answer(byte[] request) throws Exception {
            return Objects.requireNonNull(
                    HttpTester.parseResponse(connector.getResponse(ByteBuffer.wrap(request))));
        }
    }

    private Served served(ApplicationModel model, boolean asRows) throws Exception {
        var rows = new MapOfRows(model);
        var types = new ServedTypes(model, Map.of(), false);
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        var server = new Server();
        var connector = new LocalConnector(server);
        server.addConnector(connector);
        server.setHandler(
                new DocumentHandler(
                        types,
                        new DocumentBackend(
                                rows,
                                filter,
                                asRows
                                        ? new JsonRowPuts(types, rows, filter.filter(rows))
                                        : RowPuts.NONE,
                                (_, _, _, _, _) -> {
                                    throw DocumentParameters.invalid("many documents");
                                }),
                        _ -> Principal.EVERYONE,
                        SETTINGS,
                        new Admission(SETTINGS, BodyTimes.DEFAULT),
                        new SimpleMeterRegistry()));
        server.start();
        var served = new Served(server, connector, rows);
        started.add(served);
        return served;
    }

    private static JsonRowPuts bodies(ApplicationModel model, MapOfRows rows) {
        return new JsonRowPuts(
                new ServedTypes(model, Map.of(), false),
                rows,
                new SelectionFilter(model, rows, InstantSource.system()).filter(rows));
    }

    private static DocumentType schemaType(ApplicationModel model) {
        return Objects.requireNonNull(model.schemas().get("made")).documentType();
    }

    /** The contents of a body; without a condition, the flag for creation has no meaning. */
    private record Put(List<Byte> row, Optional<String> condition, boolean create) {
        static Put of(Write.Row put) {
            return new Put(bytes(put.bytes()), put.condition().selection(), put.create());
        }
    }

    private static Optional<Put> slow(
            DocumentType type, DocumentId id, String body, boolean isStrict) {
        var reader = new DocumentReader(type);
        try {
            DocumentBody read =
                    (isStrict ? reader.strict() : reader)
                            .read(
                                    id,
                                    new ByteArrayInputStream(body.getBytes(UTF_8)),
                                    LeftOutCells.UNCOUNTED);
            var row = new Row(id, 0, type.fingerprint(), false, read.document().fields());
            return Optional.of(
                    new Put(
                            bytes(RowEncoding.encode(row, type)),
                            read.condition(),
                            read.condition().isPresent() && read.create()));
        } catch (InvalidDocumentException e) {
            return Optional.empty();
        }
    }

    private static List<Byte> bytes(byte[] row) {
        return IntStream.range(0, row.length).mapToObj(i -> row[i]).toList();
    }

    private static byte[] request(String path, String headers, byte[] body) throws Exception {
        String head =
                "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: %d\r\n\r\n"
                        .formatted(path, headers, body.length);
        return joined(List.of(head.getBytes(UTF_8), body));
    }

    private static byte[] chunked(String path, byte[] body) throws Exception {
        var parts = new ArrayList<byte[]>();
        String head =
                "POST %s HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
                        .formatted(path);
        parts.add(head.getBytes(UTF_8));
        int from = 0;
        while (from < body.length) {
            int to = Math.min(body.length, from + 1 + from / 2);
            parts.add("%x\r\n".formatted(to - from).getBytes(UTF_8));
            parts.add(Arrays.copyOfRange(body, from, to));
            parts.add("\r\n".getBytes(UTF_8));
            from = to;
        }
        parts.add("0\r\n\r\n".getBytes(UTF_8));
        return joined(parts);
    }

    private static byte[] joined(List<byte[]> parts) throws Exception {
        var bytes = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            bytes.write(part);
        }
        return bytes.toByteArray();
    }

    private static byte[] gzip(byte[] bytes) throws Exception {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(bytes);
        }
        return compressed.toByteArray();
    }
}
