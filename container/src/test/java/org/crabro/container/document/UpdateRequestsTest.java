package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.document.operation.WriteCondition;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Updates, conditions and {@code create}, as HTTP asks for them. No port is opened. */
class UpdateRequestsTest {
    private static final String ONE = "/document/v1/ns/music/docid/1";
    private static final String DONE = "{\"pathId\":\"" + ONE + "\",\"id\":\"id:ns:music::1\"}";

    private final MapOfDocuments documents = new MapOfDocuments();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        serve(false);
    }

    private void serve(boolean ignoresUndefinedFields) throws Exception {
        var settings =
                new DocumentSettings(
                        10_000, Duration.ofSeconds(5), ignoresUndefinedFields, 2, 100_000);
        server.stop();
        server.setConnectors(new LocalConnector[] {connector});
        server.setHandler(
                new DocumentHandler(
                        new ServedTypes(
                                DocumentHandlerTest.model(),
                                Map.of(),
                                settings.ignoresUndefinedFields()),
                        new DocumentBackend(
                                documents,
                                documents,
                                RowPuts.NONE,
                                (_, _, _, _, _) -> {
                                    throw DocumentParameters.invalid("many documents");
                                }),
                        _ -> Principal.EVERYONE,
                        settings,
                        new Admission(settings, BodyTimes.DEFAULT),
                        registry));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void updatesFieldsAndWhatIsMadeOfThem() throws Exception {
        send("POST", ONE, "{\"fields\":{\"title\":\"a\",\"year\":1}}");

        HttpTester.Response updated =
                send(
                        "PUT",
                        ONE,
                        "{\"fields\":{\"year\":{\"increment\":4},\"title\":{\"assign\":\"b\"}}}");

        assertThat(updated.getStatus()).isEqualTo(200);
        assertThat(updated.getContent()).isEqualTo(DONE);
        assertThat(send("GET", ONE + "?fieldSet=%5Ball%5D", "").getContent())
                .endsWith("\"fields\":{\"title\":\"b\",\"year\":5,\"shout\":\"b!\"}}");
        assertThat(registry.counter("httpapi_num_updates").count()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    POST   |                       | {"fields":{}}                                  |       | false
                    POST   |                       | {"fields":{},"condition":"a","create":true}    | a     | true
                    POST   | ?condition=b&create=false | {"condition":"a","create":true,"fields":{}} | b     | false
                    PUT    |                       | {"condition":"a","fields":{}}                  | a     | false
                    PUT    | ?create=TRUE          | {"fields":{}}                                  |       | true
                    PUT    | ?create=yes           | {"fields":{},"create":true}                    |       | false
                    PUT    | ?condition=music.year%3D%3D1 | {"fields":{}}                           | music.year==1 | false
                    DELETE | ?condition=a+b        |                                                | a b   | false
                    DELETE |                       | {"condition":"a"}                              |       | false
                    """)
    void readsConditionsFromParametersAndBody(
            String method, String query, String body, String condition, boolean create)
            throws Exception {
        HttpTester.Response response =
                send(method, ONE + (query == null ? "" : query), body == null ? "" : body);

        assertThat(response.getStatus()).as(response.getContent()).isEqualTo(200);
        assertThat(documents.lastWrite().condition())
                .isEqualTo(condition == null ? WriteCondition.NONE : WriteCondition.of(condition));
        assertThat(documents.lastWrite().create()).isEqualTo(create);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  'the condition does not hold for the document', Condition did not match document",
        "false, 'there is no document, so its condition does not hold', Document does not exist"
    })
    void reportsAFalseCondition(boolean exists, String plain, String words) throws Exception {
        documents.answer(new WriteReply.ConditionNotMet(exists));

        HttpTester.Response response = send("PUT", ONE, "{\"fields\":{}}");

        assertThat(response.getStatus()).isEqualTo(412);
        assertThat(response.getContent())
                .startsWith(
                        "{\"pathId\":\""
                                + ONE
                                + "\",\"id\":\"id:ns:music::1\",\"message\":\""
                                + plain
                                + ": nothing was written. [UNKNOWN(251013) @ ")
                .contains(
                        "ReturnCode(TEST_AND_SET_CONDITION_FAILED, "
                                + words
                                + " nodeIndex=0 bucket=20000000000000");
        assertThat(registry.counter("httpapi_condition_not_met").count()).isEqualTo(1);
    }

    @Test
    void reportsAnUpdateOfAMissingDocument() throws Exception {
        documents.answer(new WriteReply.Missing());

        HttpTester.Response response = send("PUT", ONE, "{\"fields\":{}}");
        HttpTester.Response strict = send("PUT", ONE + "?strict=true", "{\"fields\":{}}");

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContent()).isEqualTo(DONE.replace("}", ",\"notFound\":true}"));
        assertThat(response.get("X-Crabro-Not-Found")).isEqualTo("true");
        assertThat(strict.getStatus()).isEqualTo(404);
        assertThat(strict.getContent()).contains("\"message\":\"there is no document");
        assertThat(registry.counter("httpapi_not_found").count()).isEqualTo(2);
        assertThat(
                        registry.counter(
                                        "feed.operations",
                                        "operation",
                                        "update",
                                        "status",
                                        "NOT_FOUND")
                                .count())
                .isEqualTo(2);
    }

    @Test
    void namesTheFieldThatIsWrong() throws Exception {
        HttpTester.Response response =
                send("PUT", ONE, "{\"fields\":{\"year\":{\"assign\":\"x\"}}}");

        assertThat(response.getStatus()).isEqualTo(400);
        assertThat(response.getContent())
                .contains("\"message\":\"Error in 'year': expected an int, ");
        assertThat(registry.counter("httpapi_parse_error").count()).isEqualTo(1);
    }

    @Test
    void saysThatFieldsWereLeftOutWhereThatIsAskedFor() throws Exception {
        assertThat(send("PUT", ONE, "{\"fields\":{\"no\":{\"assign\":1}}}").getStatus())
                .isEqualTo(400);
        serve(true);

        HttpTester.Response put = send("POST", ONE, "{\"fields\":{\"no\":1,\"year\":2}}");
        HttpTester.Response update = send("PUT", ONE, "{\"fields\":{\"no\":{\"assign\":1}}}");
        HttpTester.Response plain = send("PUT", ONE, "{\"fields\":{\"year\":{\"assign\":1}}}");

        assertThat(put.getStatus()).isEqualTo(200);
        assertThat(put.get("X-Vespa-Ignored-Fields")).isEqualTo("true");
        assertThat(update.getStatus()).isEqualTo(200);
        assertThat(update.get("X-Vespa-Ignored-Fields")).isEqualTo("true");
        assertThat(plain.get("X-Vespa-Ignored-Fields")).isNull();
    }

    @Test
    void checksNothingOfADryRun() throws Exception {
        assertThat(send("PUT", ONE + "?dryRun=true&condition=x", "{").getStatus()).isEqualTo(200);
        assertThat(send("DELETE", ONE, "").getStatus()).isEqualTo(200);
        assertThat(documents.lastWrite().operation()).isInstanceOf(DocumentOperation.Remove.class);
    }

    @Test
    void looksAtWhatADryRunSaysWhereThatIsAskedFor() throws Exception {
        String at = ONE + "?dryRun=validate";

        assertThat(send("PUT", at, "{").getStatus()).isEqualTo(400);
        assertThat(send("PUT", at, "{\"fields\":{\"year\":{\"assign\":\"x\"}}}").getStatus())
                .isEqualTo(400);
        HttpTester.Response condition =
                send("PUT", at + "&condition=music.year+++1", "{\"fields\":{}}");
        assertThat(condition.getStatus()).isEqualTo(400);
        assertThat(condition.getContent()).contains("the condition is wrong: ");
        HttpTester.Response well =
                send(
                        "PUT",
                        at + "&condition=music.year==1",
                        "{\"fields\":{\"year\":{\"assign\":1}}}");
        assertThat(well.getStatus()).isEqualTo(200);
        assertThat(well.getContent()).isEqualTo(DONE);
        assertThat(documents.isAsked()).isFalse();
    }

    private HttpTester.Response send(String method, String path, String body) throws Exception {
        byte[] bytes = body.getBytes(UTF_8);
        String head =
                method
                        + " "
                        + path
                        + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: "
                        + bytes.length
                        + "\r\n\r\n";
        return HttpTester.parseResponse(
                connector.getResponse(ByteBuffer.wrap((head + body).getBytes(UTF_8))));
    }
}
