package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.FieldNames;
import org.crabro.config.schema.Fieldset;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.IndexingScript.Statement;
import org.crabro.config.schema.IndexingScript.Step;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.Services;
import org.crabro.container.http.BodyMemory;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.http.UnpackedBodies;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.TensorOf;
import org.crabro.protocol.feed.GetReply;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.kernel.DistanceMetric;
import org.crabro.tensor.TensorType;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.http.UriCompliance;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Talks HTTP to the handler in memory: no port is opened. */
class DocumentHandlerTest {
    private static final String ONE = "/document/v1/ns/music/docid/1";
    private static final String DONE = "{\"pathId\":\"" + ONE + "\",\"id\":\"id:ns:music::1\"}";

    private final MapOfDocuments documents = new MapOfDocuments();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final DocumentSettings settings =
            new DocumentSettings(10_000, Duration.ofSeconds(5), false, 2, 100_000);
    private final Admission admission = new Admission(settings, BodyTimes.DEFAULT);
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        connector
                .getConnectionFactory(HttpConnectionFactory.class)
                .getHttpConfiguration()
                .setUriCompliance(UriCompliance.UNSAFE);
        server.addConnector(connector);
        server.setHandler(
                new UnpackedBodies(
                        new DocumentHandler(
                                new ServedTypes(
                                        model(), Map.of(), settings.ignoresUndefinedFields()),
                                new DocumentBackend(
                                        documents,
                                        documents,
                                        RowPuts.NONE,
                                        (_, _, _, _, _) -> {
                                            throw DocumentParameters.invalid("many documents");
                                        }),
                                _ -> Principal.EVERYONE,
                                settings,
                                admission,
                                registry)));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void putsReadsAndRemoves() throws Exception {
        HttpTester.Response put =
                post(
                        ONE,
                        """
                        {"fields":{"vector":[1,2.5],"title":"Blå","year":7,"ratio":0.1,
                                   "good":false,"tags":["a",""]}}
                        """);
        HttpTester.Response response = get(ONE);
        HttpTester.Response removed = request("DELETE", ONE);
        HttpTester.Response missing = get(ONE);

        assertThat(put.getStatus()).isEqualTo(200);
        assertThat(put.getContent()).isEqualTo(DONE);
        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContent())
                .isEqualTo(
                        "{\"pathId\":\""
                                + ONE
                                + "\",\"id\":\"id:ns:music::1\",\"fields\":{\"title\":\"Blå\","
                                + "\"year\":7,\"ratio\":0.1,\"good\":false,\"tags\":[\"a\",\"\"],"
                                + "\"vector\":{\"type\":\"tensor<float>(x[2])\","
                                + "\"values\":[1.0,2.5]}}}");
        assertThat(removed.getStatus()).isEqualTo(200);
        assertThat(removed.getContent()).isEqualTo(DONE);
        assertThat(missing.getStatus()).isEqualTo(404);
        assertThat(missing.getContent()).isEqualTo(DONE);
    }

    @Test
    void saysThatItAnswersJson() throws Exception {
        String raw = connector.getResponse(head("GET", ONE, ""));

        assertThat(raw).contains("Content-Type: application/json; charset=UTF-8\r\n");
    }

    @Test
    void runsIndexingScripts() throws Exception {
        post(ONE, "{\"fields\":{\"title\":\"x\"}}");

        assertThat(get(ONE).getContent()).doesNotContain("shout");
        assertThat(get(ONE + "?fieldSet=%5Ball%5D").getContent())
                .endsWith("\"fields\":{\"title\":\"x\",\"shout\":\"x!\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    /document/v1/ns/music/group/a+b%2Fc/x/y  | id:ns:music:g=a b/c:x/y
                    /document/v1/ns/music/number/5/x         | id:ns:music:n=5:x
                    /document/v1/ns/music/docid/a%2F%2Fb     | id:ns:music::a//b
                    /document/v1/ns/music/docid/a%2F..%2Fb   | id:ns:music::a/../b
                    /document/v1/ns/music/docid/%2525        | id:ns:music::%25
                    /document/v1/ns/music/docid/a;b          | id:ns:music::a;b
                    """)
    void keepsThePathAsItWasSent(String path, String id) throws Exception {
        HttpTester.Response response = post(path, "{\"fields\":{}}");

        assertThat(response.getContent())
                .isEqualTo("{\"pathId\":\"" + path + "\",\"id\":\"" + id + "\"}");
        assertThat(documents.documents()).containsKey(DocumentId.parse(id));
    }

    @Test
    void showsTheFieldsAskedFor() throws Exception {
        post(ONE, "{\"fields\":{\"title\":\"x\",\"year\":1,\"tags\":[]}}");

        assertThat(fields("music:[document]")).isEqualTo("{\"title\":\"x\",\"year\":1}");
        assertThat(fields("music:year,title")).isEqualTo("{\"title\":\"x\",\"year\":1}");
        assertThat(fields("music:year")).isEqualTo("{\"year\":1}");
        assertThat(fields("music:texts")).isEqualTo("{\"title\":\"x\",\"shout\":\"x!\"}");
        assertThat(fields("[id]")).isEqualTo("{}");
        assertThat(fields("[docid]")).isEqualTo("{}");
        assertThat(fields("[none]")).isEqualTo("{}");
        assertThat(fields("[document]")).isEqualTo("{\"title\":\"x\",\"year\":1}");
    }

    private String fields(String set) throws Exception {
        String query = set.replace("[", "%5B").replace("]", "%5D");
        String content = get(ONE + "?fieldSet=" + query).getContent();
        return content.replaceFirst(".*\"fields\":", "").replaceFirst("}$", "");
    }

    @Test
    void writesTensorsAsAskedFor() throws Exception {
        post(ONE, "{\"fields\":{\"vector\":[1,2]}}");

        assertThat(get(ONE + "?format.tensors=short-value").getContent())
                .endsWith("{\"vector\":[1.0,2.0]}}");
        assertThat(get(ONE + "?format.tensors=hex-value").getContent())
                .endsWith("{\"vector\":\"3F80000040000000\"}}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"fields":{"nope":1}} | Field 'nope' is not defined in document type 'music'
                    {"fields":{"shout":"x"}} | Field 'shout' is not defined
                    {"fields":{"year":"x"}} | id:ns:music::1: field 'year': expected an int
                    {"fields":{"year":1   | no well-formed JSON
                    {}                    | missing the required
                    ``                    | expected the start of an object, the body, but found null
                    """)
    void refusesBadBodies(String body, String problem) throws Exception {
        HttpTester.Response response = post(ONE, body);

        refused(response, 400, ONE, problem);
        assertThat(documents.documents()).isEmpty();
        assertThat(get(ONE).getStatus()).as("goes on serving").isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    GET    | ?dryRun=true        | may not specify 'dryRun'
                    GET    | ?fieldSet=          | the parameter 'fieldSet' has no value
                    GET    | ?fieldSet=some      | unknown field set 'some'
                    GET    | ?fieldSet=book:title| is not of document type 'music'
                    GET    | ?fieldSet=music:no  | no field or fieldset 'no'
                    GET    | ?cluster=other      | Your Vespa deployment has no content cluster 'other', only 'content', 'archive'
                    GET    | ?cluster=archive    | There is no document type 'music' in cluster 'archive', only
                    GET    | ?timeout=soon       | is not a time
                    GET    | ?timeout=1e9ks      | is not a time
                    GET    | ?timeout=2000ks     | is longer than
                    GET    | ?cluster=%zz       | has no content cluster '%zz'
                    GET    | ?cluster=a%2Bb+c   | has no content cluster 'a+b c'
                    GET    | ?tracelevel=x       | is not a whole number from 0 to 9
                    POST   | ?condition=         | the parameter 'condition' has no value
                    PUT    | ?create=            | the parameter 'create' has no value
                    POST   | ?route=other        | there is no route 'other'
                    PUT    | ?create=true        | expected the start of an object, the body
                    PUT    | ?strict=            | the parameter 'strict' has no value
                    """)
    void refusesBadParameters(String method, String query, String problem) throws Exception {
        refused(request(method, ONE + query), 400, ONE, problem);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET", "POST", "DELETE"})
    void refusesUnknownTypes(String method) throws Exception {
        String path = "/document/v1/ns/book/docid/1";

        refused(
                request(method, path),
                400,
                path,
                "Document type book does not exist, only [music]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/document/v1/ns/music/docid/a//b",
                "/document/v1/ns/music/docid/%2e%2e",
                "/document/v1/ns/music/docid/%EF%BF%BE",
                "/document/v1/ns/music/number/x/1",
            })
    void refusesBadPaths(String path) throws Exception {
        refused(get(path), 400, path, "");
    }

    @Test
    void saysWhatIsIgnored() throws Exception {
        documents.answer(new WriteResult.Ignored("nobody keeps it"));

        HttpTester.Response response = post(ONE, "{\"fields\":{}}");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.get("X-Vespa-Ignored-Operation")).isEqualTo("true");
        assertThat(response.getContent()).contains("\"message\":\"nobody keeps it\"");
    }

    @Test
    void servesItsDescription() throws Exception {
        assertThat(get("/document/v1/openapi.json").getContentBytes())
                .isEqualTo(OpenApi.description());
    }

    @Test
    void rejectsOtherPathsAndMethods() throws Exception {
        refused(get("/document/v1/ns/music"), 404, "/document/v1/ns/music", "/document/v1/{namesp");
        HttpTester.Response patch = request("PATCH", ONE);
        refused(patch, 405, ONE, "'PATCH' not allowed at '" + ONE + "'. Allowed methods are: GET");
        assertThat(patch.get("Allow")).isEqualTo("GET,POST,PUT,DELETE");
        refused(request("PUT", "/document/v1/"), 405, "/document/v1/", "GET, POST, DELETE");
        refused(get("/document/v1/"), 400, "/document/v1/", "many documents");
        assertThat(connector.getResponse(head("HEAD", ONE, ""))).startsWith("HTTP/1.1 405 ");
        assertThat(get("/document/v2/").getStatus()).isEqualTo(404);
        assertThat(get("/document/v2/").getContent()).doesNotContain("pathId");
    }

    @Test
    void saysWhatIsAllowed() throws Exception {
        HttpTester.Response one = request("OPTIONS", ONE);
        HttpTester.Response all = request("OPTIONS", "/document/v1/");

        assertThat(one.getStatus()).isEqualTo(204);
        assertThat(one.get("Allow")).isEqualTo("GET,POST,PUT,DELETE");
        assertThat(one.getContentBytes()).isNullOrEmpty();
        assertThat(all.get("Allow")).isEqualTo("GET,POST,DELETE");
    }

    @Test
    void dryRunsLookAtThePathAlone() throws Exception {
        String handshake = "/document/v1/feeder/handshake/docid/dummy";

        HttpTester.Response response = post(handshake + "?dryRun=true", "");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContent())
                .isEqualTo(
                        "{\"pathId\":\"" + handshake + "\",\"id\":\"id:feeder:handshake::dummy\"}");
        assertThat(post(ONE + "?dryRun=true", "no json").getStatus()).isEqualTo(200);
        assertThat(documents.documents()).isEmpty();
    }

    @Test
    void readsCompressedBodies() throws Exception {
        byte[] body = gzip("{\"fields\":{\"year\":7}}");

        HttpTester.Response response = post(ONE, body, "Content-Encoding: gzip\r\n");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(get(ONE).getContent()).contains("\"year\":7");
        refused(
                post(ONE, "{}".getBytes(UTF_8), "Content-Encoding: gzip\r\n"),
                400,
                ONE,
                "not compressed with gzip");
        refused(
                post(ONE, java.util.Arrays.copyOf(body, 15), "Content-Encoding: gzip\r\n"),
                400,
                ONE,
                "not compressed with gzip");
        refused(
                post(ONE, body, "Content-Encoding: br\r\n"),
                415,
                ONE,
                "Content-Encoding: expected gzip or identity but found 'br'");
    }

    @Test
    void readsChunkedBodies() throws Exception {
        String chunked =
                "POST "
                        + ONE
                        + " HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n"
                        + "Connection: close\r\n\r\n"
                        + "9\r\n{\"fields\"\r\nB\r\n:{\"year\":8}\r\n1\r\n}\r\n0\r\n\r\n";

        HttpTester.Response response = parsed(ByteBuffer.wrap(chunked.getBytes(UTF_8)));

        assertThat(response.getContent()).isEqualTo(DONE);
        assertThat(get(ONE).getContent()).contains("\"year\":8");
    }

    @Test
    void refusesBodiesThatAreTooLarge() throws Exception {
        String body = "{\"fields\":{\"title\":\"" + "x".repeat(10_000) + "\"}}";

        refused(
                post(ONE, body),
                413,
                ONE,
                "the body has " + body.length() + " bytes or more, at most 10000 are allowed");
        refused(
                post(ONE, gzip(body), "Content-Encoding: gzip\r\n"),
                413,
                ONE,
                "at most 10000 are allowed");
        assertThat(documents.documents()).isEmpty();
    }

    /** Each of them is of 500 cells, and names one. */
    private static String wide(int subspaces) {
        return IntStream.range(0, subspaces)
                .mapToObj("{\"address\":{\"k\":\"%d\",\"x\":0},\"value\":1}"::formatted)
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Test
    void countsCellsThatBodiesLeaveOut() throws Exception {
        String much = "{\"fields\":{\"wide\":" + wide(3) + "}}";
        String added = "{\"fields\":{\"wide\":{\"add\":" + wide(3) + "}}}";
        String little = "{\"fields\":{\"wide\":" + wide(2) + "}}";

        for (HttpTester.Response response :
                List.of(post(ONE, much), send("PUT", ONE, added.getBytes(UTF_8), ""))) {
            refused(
                    response,
                    413,
                    ONE,
                    "the body leaves out cells of tensors that take 11976 bytes or more, at most"
                            + " 10000 are allowed with those that it has");
        }
        assertThat(documents.documents()).isEmpty();

        BodyMemory.Share large = received(95_000, 0);
        refused(post(ONE, little), 429, ONE, "overload: 95000 bytes of requests already enqueued");
        large.close();
        assertThat(post(ONE, little).getStatus()).isEqualTo(200);
        assertThat(admission.bytes()).isZero();
    }

    @Test
    void returnsTheAnswerOfTheNode() throws Exception {
        documents.answer(new WriteReply.Rejected("the document has 2 bytes, at most 1"));
        failed(post(ONE, "{\"fields\":{}}"), 400, "the document has 2 bytes, at most 1");

        documents.answer(new WriteReply.Overloaded(Duration.ofMillis(1500)));
        HttpTester.Response overloaded = post(ONE, "{\"fields\":{}}");
        failed(overloaded, 429, "overload: the content node has too much to write");
        assertThat(overloaded.get("Retry-After")).isEqualTo("2");

        documents.answer(new WriteReply.OutOfSpace("disk is 81% full (configured limit 80%)"));
        failed(post(ONE, "{\"fields\":{}}"), 507, "disk is 81% full (configured limit 80%)");

        documents.answer(new WriteReply.TimedOut());
        failed(request("DELETE", ONE + "?timeout=300ms"), 504, "Timeout after 300ms");

        documents.answer(new WriteReply.Failed("cannot write 3.journal"));
        failed(post(ONE, "{\"fields\":{}}"), 500, "cannot write 3.journal");

        documents.answer(new WriteReply.Unavailable("node 1 cannot be reached"));
        HttpTester.Response unavailable = post(ONE, "{\"fields\":{}}");
        failed(unavailable, 503, "node 1 cannot be reached");
        assertThat(unavailable.get("Retry-After")).isEqualTo("1");

        documents.answer(new WriteReply.OutcomeUnknown("node 1 closed the connection"));
        failed(
                post(ONE, "{\"fields\":{}}"),
                504,
                "outcome unknown, the operation may or may not be carried out: node 1 closed the connection");

        documents.answer(new WriteReply.WrongOwner(7));
        failed(post(ONE, "{\"fields\":{}}"), 500, "no node owns the partition by cluster state 7");

        documents.answer(new WriteResult.Forbidden("'me' may not touch group 'x'"));
        failed(post(ONE, "{\"fields\":{}}"), 403, "'me' may not touch group 'x'");

        documents.answer(new ReadReply.Answered(new GetReply.TimedOut()));
        failed(get(ONE), 504, "Timeout after 5000ms");

        documents.answer(new ReadReply.Answered(new GetReply.Failed("3.run: bad crc")));
        failed(get(ONE), 500, "3.run: bad crc");

        documents.answer(new ReadReply.Answered(new GetReply.Unavailable("node 1 is away")));
        HttpTester.Response unread = get(ONE);
        failed(unread, 503, "node 1 is away");
        assertThat(unread.get("Retry-After")).isEqualTo("1");

        documents.answer(new ReadReply.Forbidden("'me' may not touch group 'x'"));
        failed(get(ONE), 403, "'me' may not touch group 'x'");
    }

    @Test
    void turnsAwayWhatIsTooMuchAtOnce() throws Exception {
        BodyMemory.Share large = received(99_980, 0);

        HttpTester.Response few = post(ONE, "{\"fields\":{}}");
        HttpTester.Response more = post(ONE, "{\"fields\":{        }}");
        HttpTester.Response chunked =
                parsed(
                        ByteBuffer.wrap(
                                ("POST "
                                                + ONE
                                                + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                                                + "Transfer-Encoding: chunked\r\n\r\n"
                                                + "15\r\n{\"fields\":{        }}\r\n0\r\n\r\n")
                                        .getBytes(UTF_8)));

        assertThat(few.getStatus()).isEqualTo(200);
        for (HttpTester.Response refused : List.of(more, chunked)) {
            refused(refused, 429, ONE, "99980 bytes of requests already enqueued and 2");
            assertThat(refused.get("Retry-After")).isEqualTo("1");
        }

        BodyMemory.Share small = received(1, 0);
        refused(
                post(ONE, "{\"fields\":{}}"),
                429,
                ONE,
                "overload: 2 requests already enqueued, at most 2");
        assertThat(get(ONE).getStatus()).as("reads go on").isEqualTo(200);
        small.close();
        large.close();
        assertThat(admission.operations()).isZero();
        assertThat(admission.bytes()).isZero();
    }

    private BodyMemory.Share received(long length, long beginNanos) {
        BodyMemory.Share share = admission.admit(-1, beginNanos);
        Admission.grow(share, length);
        return share;
    }

    @Test
    void measuresWhatIsUnderWay() {
        admission.measure(registry);
        long now = System.nanoTime();

        BodyMemory.Share young = received(20_000, now - 1_000_000_000);
        BodyMemory.Share old = received(40_000, now - 5_500_000_000L);

        assertThat(registry.get("httpapi_queued_operations").gauge().value()).isEqualTo(2);
        assertThat(registry.get("httpapi_queued_bytes").gauge().value()).isEqualTo(60_000);
        assertThat(registry.get("httpapi_queued_age").gauge().value()).isGreaterThan(5.4);

        old.close();
        assertThat(registry.get("httpapi_queued_age").gauge().value()).isBetween(1.0, 5.0);
        young.close();
        assertThat(registry.get("httpapi_queued_age").gauge().value()).isZero();
        assertThat(registry.get("httpapi_queued_operations").gauge().value()).isZero();
        assertThat(registry.get("httpapi_queued_bytes").gauge().value()).isZero();
    }

    @Test
    void handsTheDeadlineDown() throws Exception {
        get(ONE + "?timeout=100s");

        // Some of it is kept for the answer.
        assertThat(documents.lastDeadline().remaining())
                .isLessThanOrEqualTo(Duration.ofMillis(99_900))
                .isGreaterThan(Duration.ofSeconds(30));
    }

    @Test
    void tracesWhatItDid() throws Exception {
        assertThat(post(ONE + "?tracelevel=1", "{\"fields\":{\"year\":1}}").getContent())
                .matches(
                        "\\{\"pathId\":\"[^\"]*\",\"id\":\"id:ns:music::1\",\"trace\":\\["
                                + "\\{\"message\":\"[0-9.]+ ms: read 21 bytes of body\"},"
                                + "\\{\"message\":\"[0-9.]+ ms: ran the indexing scripts: 1 fields"
                                + "\"},\\{\"message\":\"[0-9.]+ ms: stored at .*\"}]}");
        assertThat(get(ONE + "?tracelevel=1").getContent())
                .matches(".*\"trace\":\\[.*],\"fields\":\\{\"year\":1}}");
    }

    @Test
    void countsOperations() throws Exception {
        post(ONE, "{\"fields\":{}}");
        post(ONE, "{");
        get("/document/v1/ns/music/docid/none");

        assertThat(registry.counter("httpapi_num_operations").count()).isEqualTo(3);
        assertThat(registry.counter("httpapi_num_puts").count()).isEqualTo(2);
        assertThat(registry.counter("httpapi_succeeded").count()).isEqualTo(1);
        assertThat(registry.counter("httpapi_parse_error").count()).isEqualTo(1);
        assertThat(registry.counter("httpapi_not_found").count()).isEqualTo(1);
        assertThat(registry.timer("feed.latency", "operation", "put", "status", "OK").count())
                .isEqualTo(1);
    }

    @Test
    void hidesTheCauseOfAnInternalError() throws Exception {
        documents.breakDown();

        refused(post(ONE, "{\"fields\":{}}"), 500, ONE, "internal error");
        assertThat(admission.operations()).isZero();
    }

    private static void refused(
            HttpTester.Response response, int status, String pathId, String message) {
        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(status);
        assertThat(response.getContent())
                .startsWith("{\"pathId\":\"" + pathId + "\",\"message\":\"")
                .contains(message.replace("\"", "\\\""))
                .endsWith("\"}");
        assertThat(response.get("Content-Type"))
                .isEqualToIgnoringCase("application/json; charset=UTF-8");
    }

    private static void failed(HttpTester.Response response, int status, String message) {
        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(status);
        assertThat(response.getContent())
                .isEqualTo(
                        "{\"pathId\":\"%s\",\"id\":\"id:ns:music::1\",\"message\":\"%s\"}"
                                .formatted(ONE, message));
    }

    private HttpTester.Response get(String path) throws Exception {
        return request("GET", path);
    }

    private HttpTester.Response request(String method, String path) throws Exception {
        return parsed(ByteBuffer.wrap(head(method, path, "").getBytes(UTF_8)));
    }

    private HttpTester.Response post(String path, String body) throws Exception {
        return post(path, body.getBytes(UTF_8), "");
    }

    private HttpTester.Response post(String path, byte[] body, String headers) throws Exception {
        return send("POST", path, body, headers);
    }

    private HttpTester.Response send(String method, String path, byte[] body, String headers)
            throws Exception {
        var bytes = new ByteArrayOutputStream();
        bytes.writeBytes(
                head(method, path, headers + "Content-Length: " + body.length + "\r\n")
                        .getBytes(UTF_8));
        bytes.writeBytes(body);
        return parsed(ByteBuffer.wrap(bytes.toByteArray()));
    }

    private static String head(String method, String path, String headers) {
        return method
                + " "
                + path
                + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                + headers
                + "\r\n";
    }

    private HttpTester.Response parsed(ByteBuffer request) throws Exception {
        return HttpTester.parseResponse(connector.getResponse(request));
    }

    private static byte[] gzip(String text) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(text.getBytes(UTF_8));
        }
        return bytes.toByteArray();
    }

    static ApplicationModel model() {
        var fields = new ArrayList<SchemaField>();
        fields.add(field("title", Primitive.STRING));
        fields.add(field("year", Primitive.INT));
        fields.add(field("ratio", Primitive.FLOAT));
        fields.add(field("good", Primitive.BOOL));
        fields.add(field("tags", new FieldType.ArrayOf(Primitive.STRING)));
        fields.add(field("vector", new TensorOf(TensorType.parse("tensor<float>(x[2])"))));
        fields.add(field("wide", new TensorOf(TensorType.parse("tensor<float>(k{},x[500])"))));
        var exclaimed =
                new Step.Concatenation(
                        List.of(
                                new Statement(List.of(new Step.Input("title"))),
                                new Statement(List.of(Step.Literal.of("!")))));
        fields.add(
                field(
                        new Field("shout", Primitive.STRING, false),
                        new Statement(List.of(exclaimed, new Step.Output(Aspect.INDEX, "shout")))));
        var byName = new LinkedHashMap<String, SchemaField>();
        fields.forEach(field -> byName.put(field.field().name(), field));
        var schema =
                new Schema(
                        "music",
                        new DocumentType("music", fields.stream().map(SchemaField::field).toList()),
                        byName,
                        new FieldNames(
                                Map.of("texts", new Fieldset("texts", List.of("title", "shout"))),
                                Map.of(),
                                Map.of()),
                        Map.of(),
                        new SummaryRules(Map.of(), SnippetRules.DEFAULT));
        var services =
                new Services(
                        List.of(new ContainerCluster("default", true, true, List.of())),
                        List.of(
                                new ContentCluster(
                                        "content",
                                        List.of(
                                                new ContentCluster.ClusterDocument(
                                                        "music", ContentCluster.Mode.STREAMING))),
                                new ContentCluster("archive", List.of())));
        return new ApplicationModel(1, services, Map.of("music", schema));
    }

    private static SchemaField field(String name, FieldType type) {
        return field(new Field(name, type, true));
    }

    private static SchemaField field(Field field, Statement... statements) {
        return new SchemaField(
                field,
                Set.of(),
                MatchMode.TEXT,
                DistanceMetric.EUCLIDEAN,
                new IndexingScript(List.of(statements)));
    }
}
