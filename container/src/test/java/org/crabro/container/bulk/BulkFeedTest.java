package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.awaitility.Durations.ONE_MILLISECOND;
import static org.awaitility.Durations.ONE_MINUTE;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.awaitility.core.ConditionFactory;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.Admission;
import org.crabro.container.document.DocumentBackend;
import org.crabro.container.document.DocumentHandler;
import org.crabro.container.document.DocumentSettings;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.RowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.http.OnVirtualThreads;
import org.crabro.container.http.UnpackedBodies;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.FieldValue;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Talks HTTP to the handler in memory; rows go into a map. */
class BulkFeedTest {
    private static final ConditionFactory EVENTUALLY =
            await().atMost(ONE_MINUTE).pollInterval(ONE_MILLISECOND);
    private static final String ROOT = "/document/v1/";

    @TempDir static Path directory;

    /** Small, so that few lines fill pieces and windows. */
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    2,
                    new BulkSettings.Input(256, 4, 2_000, 10_000),
                    new BulkSettings.Batches(5, 4_096, 3),
                    2,
                    Duration.ofSeconds(30));

    private static final Duration IDLE = Duration.ofSeconds(10);

    private final AtomicLong now = new AtomicLong(1);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final BulkAdmission admission = new BulkAdmission(SETTINGS, IDLE, now::get);
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);
    private MapOfRows rows;

    @BeforeEach
    void start() throws Exception {
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        ApplicationModel model = NotesPackage.model(directory);
        rows = new MapOfRows(model);
        var types = new ServedTypes(model, Map.of(), false);
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        server.setHandler(
                new OnVirtualThreads(
                        new UnpackedBodies(
                                new DocumentHandler(
                                        types,
                                        new DocumentBackend(
                                                rows,
                                                rows,
                                                RowPuts.NONE,
                                                new BulkFeed(
                                                        new BulkBackend(types, rows, filter, rows),
                                                        _ -> Principal.EVERYONE,
                                                        admission,
                                                        Duration.ofSeconds(30),
                                                        registry)),
                                        _ -> Principal.EVERYONE,
                                        DocumentSettings.DEFAULT,
                                        new Admission(DocumentSettings.DEFAULT, BodyTimes.DEFAULT),
                                        registry))));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        admission.close();
        EVENTUALLY.untilAsserted(() -> assertThat(admission.streams()).isZero());
        assertThat(admission.longLineBytes()).isZero();
    }

    @Test
    void answersEachLineInItsOrderAndThenTotals() throws Exception {
        List<String> answers =
                feed(
                        """
                        {"put":"id:ns:note::1","fields":{"text":"one","year":1}}
                        {"fields":{"text":"two"},"put":"id:ns:note:g=\\u0061nna:2"}

                        {"remove":"id:ns:note::1"}
                        {"id":"id:ns:note::\\"3\\"","fields":{}}\
                        """);

        assertThat(answers)
                .containsExactly(
                        "{\"line\":1,\"id\":\"id:ns:note::1\",\"status\":200}",
                        "{\"line\":2,\"id\":\"id:ns:note:g=anna:2\",\"status\":200}",
                        "{\"line\":4,\"id\":\"id:ns:note::1\",\"status\":200}",
                        "{\"line\":5,\"id\":\"id:ns:note::\\\"3\\\"\",\"status\":200}",
                        "{\"totals\":{\"operations\":4,\"ok\":4,\"failed\":0,"
                                + "\"statuses\":{\"200\":4},\"complete\":true}}");
        assertThat(rows.documents())
                .containsOnlyKeys("id:ns:note:g=anna:2", "id:ns:note::\"3\"")
                .containsEntry(
                        "id:ns:note:g=anna:2",
                        Map.of(
                                "text",
                                new FieldValue.StringValue("two"),
                                "shout",
                                new FieldValue.StringValue("two!")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    nonsense | 400 | the line is no well-formed JSON: Unrecognized token 'nonsense'
                    [] | 400 | expected an operation as a JSON object
                    {"put":7,"fields":{}} | 400 | expected the id of a document as a string
                    {"fields":{}} | 400 | expected a member 'put', 'update', 'remove' or 'get'
                    {"put":"id:a:note::1","remove":"id:a:note::1"} | 400 | one of put, update and remove
                    {"put":"nope","fields":{}} | 400 | unparseable document id 'nope'
                    {"put":"id:a:none::1","fields":{}} | 400 | Document type none does not exist
                    {"put":"id:a:note::1"} | 400 | the document is missing the required "fields"
                    {"put":"id:a:note::1","fields":{"x":1}} | 400 | Field 'x' is not defined
                    {"put":"id:a:note::1","fields":{"year":"x"}} | 400 | but found "x" at column 40
                    {"put":"id:a:note::1","fields":{"text":"a"} | 400 | no well-formed JSON
                    {"put":"id:a:note::1","fields":{}} {} | 400 | expected the end after the operation
                    {"get":"id:a:note::1"} {} | 400 | expected the end of the line
                    {"get":"id:a:note::1","put":"id:a:note::1"} | 400 | one operation per line
                    {"update":"id:a:note::1"} | 400 | missing the required "fields"
                    {"remove":"id:a:note::1","fields":{}} | 400 | a remove has no "fields"
                    {"put":"id:a:note::1","fields":{},"condition":7} | 400 | condition
                    {"update":"id:a:note::1","fields":{"year":1}} | 400 | year
                    """)
    void aBadLineCostsThatLineAlone(String bad, int status, String message) throws Exception {
        List<String> answers =
                feed(
                        """
                        {"put":"id:ns:note::before","fields":{}}
                        %s
                        {"put":"id:ns:note::after","fields":{}}
                        """
                                .formatted(bad));

        assertThat(answers).hasSize(4);
        assertThat(answers.get(0)).contains("\"line\":1,").contains("\"status\":200");
        assertThat(answers.get(1)).startsWith("{\"line\":2,").contains("\"status\":" + status);
        assertThat(answers.get(1).replace("\\\"", "\"")).contains(message);
        assertThat(answers.get(2)).contains("\"line\":3,").contains("\"status\":200");
        assertThat(rows.documents()).containsOnlyKeys("id:ns:note::before", "id:ns:note::after");
    }

    @Test
    void aLineThatIsTooLongCostsThatLineAlone() throws Exception {
        String longer = line("longer", "x".repeat(1_000));
        String tooLong = line("too-long", "x".repeat(5_000));

        List<String> answers =
                feed(line("a", "a") + longer + tooLong + line("b", "b") + tooLong.strip());

        assertThat(answers)
                .containsExactly(
                        "{\"line\":1,\"id\":\"id:ns:note::a\",\"status\":200}",
                        "{\"line\":2,\"id\":\"id:ns:note::longer\",\"status\":200}",
                        "{\"line\":3,\"status\":413,\"message\":\"the line has more than the 2000"
                                + " bytes that are allowed\"}",
                        "{\"line\":4,\"id\":\"id:ns:note::b\",\"status\":200}",
                        "{\"line\":5,\"status\":413,\"message\":\"the line has more than the 2000"
                                + " bytes that are allowed\"}",
                        "{\"totals\":{\"operations\":5,\"ok\":3,\"failed\":2,"
                                + "\"statuses\":{\"200\":3,\"413\":2},\"complete\":true}}");
        assertThat(rows.documents().get("id:ns:note::longer"))
                .containsEntry("text", new FieldValue.StringValue("x".repeat(1_000)));
    }

    /** Each address names one of 200 cells. */
    @Test
    void cellsThatALineLeavesOutCountAsIfTheyWereInIt() throws Exception {
        String one = "[{\"address\":{\"k\":\"a\",\"x\":0},\"value\":1}]";
        String two = one.replace("}]", "},{\"address\":{\"k\":\"b\",\"x\":0},\"value\":1}]");
        String tooMany =
                "the line leaves out cells of tensors that take 3184 bytes or more, at most 2000"
                        + " are allowed";

        List<String> answers =
                feed(
                        wide("put", "one", one)
                                + wide("put", "two", two)
                                + wide("update", "one", "{\"add\":" + two + "}")
                                + wide("put", "other", one));

        assertThat(answers.get(0)).contains("\"status\":200");
        assertThat(answers.get(1)).contains("\"status\":413").contains(tooMany);
        assertThat(answers.get(2)).contains("\"status\":413").contains(tooMany);
        assertThat(answers.get(3)).contains("\"status\":200");
        assertThat(rows.documents()).containsOnlyKeys("id:ns:plain::one", "id:ns:plain::other");

        // The room for a piece, and one byte less than the line needs in addition.
        long others =
                SETTINGS.input().longLineBytes()
                        + SETTINGS.input().pieceBytes()
                        + 1
                        - 199 * (long) Double.BYTES;
        assertThat(admission.tryReserve(others)).isTrue();
        assertThat(feed(wide("put", "third", one)).getFirst())
                .contains("\"status\":429")
                .contains("take all the memory there is for them");
        admission.release(1);
        assertThat(feed(wide("put", "third", one)).getFirst()).contains("\"status\":200");
        admission.release(others - 1);
    }

    private static String wide(String operation, String id, String value) {
        return "{\"%s\":\"id:ns:plain::%s\",\"fields\":{\"wide\":%s}}\n"
                .formatted(operation, id, value);
    }

    @Test
    void operationsOnOneDocumentKeepTheirOrder() throws Exception {
        var body = new StringBuilder();
        var last = new HashMap<String, String>();
        for (int i = 0; i < 2_000; i++) {
            body.append(line("d" + i % 7, "v" + i));
            last.put("id:ns:note::d" + i % 7, "v" + i);
        }

        List<String> answers = feed(body.toString());

        assertThat(answers).hasSize(2_001);
        var texts = new HashMap<String, String>();
        rows.documents()
                .forEach((id, fields) -> {
                    if (fields.get("text") instanceof FieldValue.StringValue(String text)) {
                        texts.put(id, text);
                    }
                });
        assertThat(texts).isEqualTo(last);
        assertThat(rows.batches()).allMatch(size -> size <= SETTINGS.batches().batchWrites());
    }

    @Test
    void asksAgainForWhatFindsNoRoom() throws Exception {
        var calls = new AtomicInteger();
        WriteReply stored = stored();
        rows.answer(_ ->
                calls.incrementAndGet() % 3 == 0
                        ? stored
                        : new WriteReply.Overloaded(Duration.ofNanos(1)));

        List<String> answers =
                feed(
                        IntStream.range(0, 40)
                                .mapToObj(i -> line("d" + i, "x"))
                                .collect(Collectors.joining()));

        assertThat(answers)
                .last()
                .isEqualTo(
                        "{\"totals\":{\"operations\":40,\"ok\":40,\"failed\":0,"
                                + "\"statuses\":{\"200\":40},\"complete\":true}}");
        assertThat(rows.documents()).hasSize(40);
    }

    @Test
    void reportsTheOutcomeOfEachOperation() throws Exception {
        WriteReply stored = stored();
        rows.answer(write ->
                switch (write.id().user()) {
                    case "rejected" -> new WriteReply.Rejected("too large");
                    case "full" -> new WriteReply.OutOfSpace("the disk is full");
                    case "late" -> new WriteReply.TimedOut();
                    case "broken" -> new WriteReply.Failed("no disk");
                    case "away" -> new WriteReply.Unavailable("node 1 is away");
                    case "lost" -> new WriteReply.OutcomeUnknown("node 1 was reset");
                    default -> stored;
                });

        List<String> answers =
                feed(
                        "?answers=failed",
                        line("rejected", "")
                                + line("fine", "")
                                + line("full", "")
                                + line("late", "")
                                + line("broken", "")
                                + line("away", "")
                                + line("lost", ""));

        assertThat(answers)
                .containsExactly(
                        "{\"line\":1,\"id\":\"id:ns:note::rejected\",\"status\":400,"
                                + "\"message\":\"too large\"}",
                        "{\"line\":3,\"id\":\"id:ns:note::full\",\"status\":507,"
                                + "\"message\":\"the disk is full\"}",
                        "{\"line\":4,\"id\":\"id:ns:note::late\",\"status\":504,"
                                + "\"message\":\"Timeout after 30000ms\"}",
                        "{\"line\":5,\"id\":\"id:ns:note::broken\",\"status\":500,"
                                + "\"message\":\"no disk\"}",
                        "{\"line\":6,\"id\":\"id:ns:note::away\",\"status\":503,"
                                + "\"message\":\"node 1 is away\"}",
                        "{\"line\":7,\"id\":\"id:ns:note::lost\",\"status\":504,"
                                + "\"message\":\"outcome unknown, the operation may or may not be"
                                + " carried out: node 1 was reset\"}",
                        "{\"totals\":{\"operations\":7,\"ok\":1,\"failed\":6,\"statuses\":"
                                + "{\"200\":1,\"400\":1,\"500\":1,\"503\":1,\"504\":2,\"507\":1},"
                                + "\"complete\":true}}");
        assertThat(registry.counter("httpapi_num_puts").count()).isEqualTo(7);
        assertThat(registry.counter("httpapi_succeeded").count()).isEqualTo(1);
    }

    @Test
    void readsManyDocumentsInTheOrderOfTheLines() throws Exception {
        List<String> answers =
                feed(
                        "?fieldSet=plain:text,vector&format.tensors=hex-value",
                        """
                        {"put":"id:ns:plain::1","fields":{"text":"a","year":1,"vector":[1,2,3]}}
                        {"get":"id:ns:plain::1"}
                        {"get":"id:ns:plain::2"}
                        {"put":"id:ns:plain::2","fields":{"text":"b"}}
                        {"get":"id:ns:plain::2"}
                        {"remove":"id:ns:plain::1"}
                        {"get":"id:ns:plain::1"}
                        {"get":"id:ns:note::1"}
                        """);

        assertThat(answers)
                .containsExactly(
                        "{\"line\":1,\"id\":\"id:ns:plain::1\",\"status\":200}",
                        "{\"line\":2,\"id\":\"id:ns:plain::1\",\"status\":200,\"fields\":"
                                + "{\"text\":\"a\",\"vector\":\"3F8000004000000040400000\"}}",
                        "{\"line\":3,\"id\":\"id:ns:plain::2\",\"status\":404}",
                        "{\"line\":4,\"id\":\"id:ns:plain::2\",\"status\":200}",
                        "{\"line\":5,\"id\":\"id:ns:plain::2\",\"status\":200,\"fields\":"
                                + "{\"text\":\"b\"}}",
                        "{\"line\":6,\"id\":\"id:ns:plain::1\",\"status\":200}",
                        "{\"line\":7,\"id\":\"id:ns:plain::1\",\"status\":404}",
                        "{\"line\":8,\"id\":\"id:ns:note::1\",\"status\":400,\"message\":\"the"
                                + " field set 'plain:text,vector' is not of document type 'note'\"}",
                        "{\"totals\":{\"operations\":8,\"ok\":5,\"failed\":3,"
                                + "\"statuses\":{\"200\":5,\"400\":1,\"404\":2},"
                                + "\"complete\":true}}");
    }

    @Test
    void carriesOutUpdatesAndConditions() throws Exception {
        List<String> answers =
                feed(
                        """
                        {"put":"id:ns:plain::1","fields":{"text":"a","year":1}}
                        {"update":"id:ns:plain::1","fields":{"year":{"increment":4}}}
                        {"condition":"plain.year==5","update":"id:ns:plain::1",\
                        "fields":{"tags":{"add":["x"]}}}
                        {"update":"id:ns:plain::1","condition":"plain.year==1","fields":{"year":{"assign":9}}}
                        {"update":"id:ns:plain::2","fields":{"year":{"assign":9}}}
                        {"update":"id:ns:plain::3","create":true,"fields":{"year":{"assign":3}}}
                        {"put":"id:ns:plain::4","condition":"true","fields":{}}
                        {"put":"id:ns:plain::5","condition":"true","create":true,"fields":{"year":5}}
                        {"remove":"id:ns:plain::3","condition":"plain.year==4"}
                        {"remove":"id:ns:plain::3","condition":"plain.year==3"}
                        {"get":"id:ns:plain::1"}
                        {"update":"id:ns:plain::5","fields":{"text":{"increment":1}}}
                        """);

        String code = "[UNKNOWN(251013) @ content]: ReturnCode(TEST_AND_SET_CONDITION_FAILED, ";
        String notMet =
                "the condition does not hold for the document: nothing was written. " + code;
        assertThat(answers)
                .element(3)
                .asString()
                .startsWith(
                        "{\"line\":4,\"id\":\"id:ns:plain::1\",\"status\":412,\"message\":\""
                                + notMet
                                + "Condition did not match document nodeIndex=0 bucket=");
        assertThat(answers.get(4))
                .isEqualTo(
                        "{\"line\":5,\"id\":\"id:ns:plain::2\",\"status\":200,"
                                + "\"notFound\":true,\"message\":\"there is no document:"
                                + " nothing is updated\"}");
        assertThat(answers.get(6)).contains("\"status\":412").contains("Document does not exist");
        assertThat(answers.get(8)).contains("\"line\":9,").contains("\"status\":412");
        assertThat(answers.get(10))
                .isEqualTo(
                        "{\"line\":11,\"id\":\"id:ns:plain::1\",\"status\":200,\"fields\":"
                                + "{\"text\":\"a\",\"year\":5,\"tags\":[\"x\"]}}");
        assertThat(answers.get(11)).contains("\"status\":400").contains("'text'");
        assertThat(answers)
                .last()
                .isEqualTo(
                        "{\"totals\":{\"operations\":12,\"ok\":8,\"failed\":4,"
                                + "\"statuses\":{\"200\":8,\"400\":1,\"412\":3},"
                                + "\"complete\":true}}");
        assertThat(rows.documents()).containsOnlyKeys("id:ns:plain::1", "id:ns:plain::5");
        assertThat(rows.conditionalRows()).isEqualTo(2);
        assertThat(rows.conditionalValues()).isZero();
        assertThat(registry.counter("httpapi_num_updates").count()).isEqualTo(6);
        assertThat(registry.counter("httpapi_condition_not_met").count()).isEqualTo(3);
    }

    /** Scripts run for puts of the fields that they read, and for updates of these fields. */
    @Test
    void runsScriptsOnUpdates() throws Exception {
        feed(
                """
                {"put":"id:ns:note::1","fields":{"text":"a"}}
                {"update":"id:ns:note::1","fields":{"text":{"assign":"b"}}}
                """);

        assertThat(rows.documents().get("id:ns:note::1"))
                .containsEntry("shout", new FieldValue.StringValue("b!"));
    }

    @Test
    void answersAnUpdateOfAMissingDocumentAsRequested() throws Exception {
        String body = "{\"update\":\"id:ns:plain::2\",\"fields\":{\"year\":{\"assign\":9}}}";

        assertThat(feed("?strict=true", body).getFirst()).contains("\"status\":404");
        assertThat(feed("?answers=failed", body).getFirst()).contains("there is no document");
    }

    @Test
    void incrementsOfOneDocumentAreAllCarriedOut() throws Exception {
        var body = new StringBuilder("{\"put\":\"id:ns:plain::0\",\"fields\":{\"year\":0}}\n");
        for (int i = 0; i < 500; i++) {
            body.append(
                    "{\"update\":\"id:ns:plain::%d\",\"create\":true,\"fields\":{\"year\":{\"increment\":1}}}\n"
                            .formatted(i % 3));
        }

        feed(body.toString());

        assertThat(rows.documents().get("id:ns:plain::0"))
                .containsEntry("year", new FieldValue.IntValue(167));
    }

    @Test
    void writesNothingInADryRun() throws Exception {
        List<String> answers =
                feed(
                        "?dryRun=true",
                        """
                        {"put":"id:ns:plain::1","fields":{"year":1}}
                        {"put":"id:ns:plain::2","fields":{"year":"x"}}
                        {"update":"id:ns:plain::1","fields":{"year":{"increment":4}}}
                        {"remove":"id:ns:plain::1"}
                        {"put":"id:ns:plain::1","fields":{"year":1},"condition":"plain.year==2"}
                        {"put":"id:ns:plain::1","fields":{"year":1},"condition":"plain.year=="}
                        """);

        assertThat(answers).hasSize(7);
        assertThat(answers.get(1)).contains("\"status\":400");
        assertThat(answers.get(5)).contains("\"status\":400").contains("the condition is wrong");
        assertThat(answers.getLast()).contains("\"ok\":4,\"failed\":2");
        assertThat(rows.batches()).isEmpty();
    }

    @Test
    void returnsATraceOnRequest() throws Exception {
        List<String> answers =
                feed(
                        "?tracelevel=1",
                        line("a", "a")
                                + "{\"update\":\"id:ns:note::a\",\"fields\":{\"text\":{\"assign\":\"b\"}}}");

        assertThat(answers.get(0))
                .startsWith(
                        "{\"line\":1,\"id\":\"id:ns:note::a\",\"status\":200,\"trace\":[{\"message\":\"stored"
                                + " at ");
        assertThat(answers.get(1)).contains("\"trace\":[{\"message\":");
        assertThat(answers.getLast())
                .contains("\"complete\":true,\"trace\":[{\"message\":\"carried out in ");
    }

    @Test
    void countsRefusedLinesAsWhatTheyWereToBe() throws Exception {
        feed(
                """
                {"update":"id:ns:plain::1","fields":{"no":{"assign":1}}}
                {"remove":"id:ns:no::1"}
                {"put":"id:ns:no::1","fields":{}}
                """);

        for (String operation : List.of("updates", "removes", "puts")) {
            assertThat(registry.counter("httpapi_num_" + operation).count())
                    .as(operation)
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    [] | | {"totals":{"operations":0,"ok":0,"failed":0,"statuses":{},"complete":true}}
                    [A,B] | 1 2 | "ok":2,"failed":0
                    [ A ,~~ B~]~ | 1 2 | "ok":2,"failed":0
                    [A,nonsense,B] | 1 3 | "ok":2,"failed":1
                    [A,,B] | 1 3 | "ok":2,"failed":0
                    [A,B | 1 | "complete":false,"message":"the array of operations does not end"
                    A | | "complete":false,"message":"expected an array of operations"
                    [A] more | 1 | "ok":1,"failed":1
                    """)
    void acceptsArraysOfOperations(String body, @Nullable String lines, String totals)
            throws Exception {
        String a =
                "{\"put\":\"id:ns:plain::a\",\"fields\":{\"text\":\"[{,]}\\\"\"~,\"tags\":[\"\",\"x\"]}}";
        String b = "{\"remove\":\"id:ns:plain::b\"}";
        HttpTester.Response response =
                post(
                        ROOT,
                        body.replace("B", b).replace("A", a).replace('~', '\n').getBytes(UTF_8),
                        "",
                        "application/json");

        List<String> answers = response.getContent().lines().toList();
        assertThat(answers.getLast()).contains(totals);
        assertThat(
                        answers.stream()
                                .filter(line -> line.contains("\"status\":200"))
                                .map(line -> line.substring(8, 9))
                                .collect(Collectors.joining(" ")))
                .isEqualTo(lines == null ? "" : lines);
    }

    @Test
    void writesNoDocumentsThatTheClusterDoesNotKeep() throws Exception {
        List<String> answers =
                feed(
                        """
                        {"put":"id:ns:fresh::1","fields":{"year":2001}}
                        {"put":"id:ns:fresh::2","fields":{"year":1999}}
                        {"put":"id:ns:fresh::3","condition":"true","create":true,"fields":{"year":1999}}
                        {"update":"id:ns:fresh::1","fields":{"year":{"assign":1998}}}
                        """);

        String ignored = "\"status\":200,\"message\":\"nothing was written: the cluster keeps only";
        assertThat(answers.get(0)).doesNotContain("message");
        assertThat(answers.get(1)).contains(ignored);
        assertThat(answers.get(2)).contains(ignored);
        assertThat(rows.documents()).containsOnlyKeys("id:ns:fresh::1");
    }

    @Test
    void acceptsOnlyDocumentsOfThePath() throws Exception {
        HttpTester.Response response =
                post(
                        "/document/v1/ns/note/group/anna/",
                        """
                        {"put":"id:ns:note:g=anna:1","fields":{}}
                        {"put":"id:ns:note:g=bob:1","fields":{}}
                        """
                                .getBytes(UTF_8),
                        "");

        assertThat(response.getContent().lines())
                .element(1)
                .asString()
                .contains("\"status\":400")
                .contains(
                        "id:ns:note:g=bob:1 is not in the namespace, document type and group of the path");
        assertThat(rows.documents()).containsOnlyKeys("id:ns:note:g=anna:1");
    }

    @Test
    void readsCompressedBodies() throws Exception {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(line("a", "x".repeat(900)).repeat(3).getBytes(UTF_8));
        }
        byte[] whole = compressed.toByteArray();

        HttpTester.Response response = post(ROOT, whole, "Content-Encoding: gzip\r\n");
        HttpTester.Response broken =
                post(
                        ROOT,
                        java.util.Arrays.copyOf(whole, whole.length - 4),
                        "Content-Encoding: gzip\r\n");
        HttpTester.Response unknown = post(ROOT, whole, "Content-Encoding: br\r\n");

        assertThat(response.getContent()).contains("\"ok\":3,").contains("\"complete\":true");
        assertThat(broken.getContent())
                .contains("\"complete\":false,\"message\":\"the body is not compressed with gzip");
        assertThat(unknown.getStatus()).isEqualTo(415);
    }

    @Test
    void limitsBlankLines() throws Exception {
        byte[] few = ("\n".repeat(100_000) + " \r\n" + line("a", "a")).getBytes(UTF_8);
        HttpTester.Response some = post(ROOT, gzip(few, 1), "Content-Encoding: gzip\r\n");
        HttpTester.Response tooMany =
                post(
                        ROOT,
                        gzip("\n".repeat(1 << 20).getBytes(UTF_8), 17),
                        "Content-Encoding: gzip\r\n");

        assertThat(some.getContent())
                .contains("\"line\":100002,")
                .contains("\"ok\":1,")
                .contains("\"complete\":true");
        assertThat(tooMany.getContent())
                .contains(
                        "\"complete\":false,\"message\":\"the body has blank lines of more than 16777216 bytes\"");
    }

    private static byte[] gzip(byte[] part, int times) throws IOException {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            for (int i = 0; i < times; i++) {
                gzip.write(part);
            }
        }
        return compressed.toByteArray();
    }

    @ParameterizedTest
    @CsvSource({"?answers=none,400", "?route=other,400", "?timeout=x1y,400"})
    void refusesWhatItCannotDoBeforeAnythingIsWritten(String query, int status) throws Exception {
        HttpTester.Response response = post(ROOT + query, line("a", "a").getBytes(UTF_8), "");

        assertThat(response.getStatus()).isEqualTo(status);
        assertThat(rows.documents()).isEmpty();
    }

    @Test
    void refusesMoreRequestsThanThereIsRoomFor() throws Exception {
        BodyMemory.Share first = admission.begin(1);
        BodyMemory.Share second = admission.begin(1);
        HttpTester.Response refused = post(ROOT, line("a", "a").getBytes(UTF_8), "");
        first.close();
        second.close();
        HttpTester.Response served = post(ROOT, line("a", "a").getBytes(UTF_8), "");

        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.get("Retry-After")).isEqualTo("1");
        assertThat(served.getStatus()).isEqualTo(200);
    }

    @Test
    void theRequestGivesWayThatIsIdleForLongest() throws Exception {
        LocalConnector.LocalEndPoint first = open("");
        sendLine(first, "first");
        now.incrementAndGet();
        LocalConnector.LocalEndPoint second = open("");
        sendLine(second, "second");
        now.addAndGet(IDLE.toNanos() - 2);
        HttpTester.Response early = post(ROOT, line("third", "a").getBytes(UTF_8), "");
        now.incrementAndGet();
        HttpTester.Response late = post(ROOT, line("third", "a").getBytes(UTF_8), "");

        assertThat(early.getStatus()).isEqualTo(429);
        assertThat(late.getStatus()).isEqualTo(200);
        assertThat(first.getResponse(false, 10, TimeUnit.SECONDS))
                .contains("\"ok\":1,")
                .contains("\"complete\":false")
                .contains(
                        "\"message\":\"overload: this bulk request received less than 16384 bytes"
                                + " in 10000 ms and gave its place to another, at most 2\"");
        second.addInput("0\r\n\r\n");
        assertThat(second.getResponse(false, 10, TimeUnit.SECONDS)).contains("\"complete\":true");
        assertThat(rows.documents())
                .containsOnlyKeys("id:ns:note::first", "id:ns:note::second", "id:ns:note::third");
    }

    @ParameterizedTest
    @CsvSource({"''", "'Content-Encoding: gzip\r\n'"})
    void aRequestThatGivesWayWithoutAnAnswerHasItsStatus(String headers) throws Exception {
        LocalConnector.LocalEndPoint idle = open(headers);
        BodyMemory.Share other = admission.begin(1);
        now.addAndGet(IDLE.toNanos());
        HttpTester.Response served = post(ROOT, line("a", "a").getBytes(UTF_8), "");
        HttpTester.Response refused =
                HttpTester.parseResponse(idle.getResponse(false, 10, TimeUnit.SECONDS));
        other.close();

        assertThat(served.getStatus()).isEqualTo(200);
        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(refused.get("Retry-After")).isEqualTo("1");
        assertThat(refused.getContent()).contains("gave its place to another");
    }

    @Test
    void aRequestThatMakesProgressKeepsItsPlace() throws Exception {
        LocalConnector.LocalEndPoint busy = open("");
        BodyMemory.Share other = admission.begin(1);
        for (int i = 0; i < 3; i++) {
            now.addAndGet(IDLE.toNanos() - 1);
            for (int j = 0; j < 20; j++) {
                sendLine(busy, "x".repeat(1_000));
            }
        }
        HttpTester.Response refused = post(ROOT, line("a", "a").getBytes(UTF_8), "");
        busy.addInput("0\r\n\r\n");
        other.close();

        assertThat(refused.getStatus()).isEqualTo(429);
        assertThat(busy.getResponse(false, 10, TimeUnit.SECONDS)).contains("\"complete\":true");
    }

    /** Begins a request, and returns when its reader waits for the body. */
    private LocalConnector.LocalEndPoint open(String headers) {
        LocalConnector.LocalEndPoint client = connector.connect();
        int before = admission.waiting();
        client.addInput(
                """
                POST %s HTTP/1.1
                Host: localhost
                Content-Type: application/jsonl
                Transfer-Encoding: chunked
                %s
                """
                        .replace("\n", "\r\n")
                        .formatted(ROOT, headers));
        EVENTUALLY.untilAsserted(() -> assertThat(admission.waiting()).isGreaterThan(before));
        return client;
    }

    /** Sends a line, and returns when it is answered and the reader waits again. */
    private void sendLine(LocalConnector.LocalEndPoint client, String id) {
        String line = line(id, "a");
        int answered = client.getOutput().remaining();
        int before = admission.waiting();
        client.addInput(Integer.toHexString(line.length()) + "\r\n" + line + "\r\n");
        EVENTUALLY.untilAsserted(() -> {
            assertThat(client.getOutput().remaining()).isGreaterThan(answered);
            assertThat(admission.waiting()).isEqualTo(before);
        });
    }

    private static WriteReply stored() {
        return new WriteReply.Stored(1, new org.crabro.protocol.cluster.PartitionPosition(0, 1));
    }

    private static String line(String user, String text) {
        return "{\"put\":\"id:ns:note::%s\",\"fields\":{\"text\":\"%s\"}}\n".formatted(user, text);
    }

    private List<String> feed(String body) throws Exception {
        return feed("", body);
    }

    private List<String> feed(String query, String body) throws Exception {
        HttpTester.Response response = post(ROOT + query, body.getBytes(UTF_8), "");
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.get("Content-Type")).isEqualTo("application/jsonl; charset=UTF-8");
        return response.getContent().lines().toList();
    }

    private HttpTester.Response post(String target, byte[] body, String headers) throws Exception {
        return post(target, body, headers, "application/jsonl");
    }

    private HttpTester.Response post(String target, byte[] body, String headers, String type)
            throws Exception {
        byte[] head =
                ("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\n%s"
                                + "Content-Length: %d\r\n\r\n")
                        .formatted(target, type, headers, body.length)
                        .getBytes(UTF_8);
        ByteBuffer request = ByteBuffer.allocate(head.length + body.length);
        request.put(head).put(body).flip();
        return HttpTester.parseResponse(
                connector.getResponse(request, false, 30, TimeUnit.SECONDS));
    }
}
