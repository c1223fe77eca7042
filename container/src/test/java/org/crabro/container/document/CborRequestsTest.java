package org.crabro.container.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;
import java.util.Objects;
import java.util.zip.GZIPOutputStream;
import org.crabro.container.http.CborTranscript;
import org.crabro.container.http.HttpSettings.BodyTimes;
import org.crabro.container.http.UnpackedBodies;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.http.HttpTester;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Bodies in CBOR have the effect of the same bodies in JSON. */
class CborRequestsTest {
    private static final String ONE = "/document/v1/ns/music/docid/1";

    private final MapOfDocuments documents = new MapOfDocuments();
    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(
                new UnpackedBodies(
                        new DocumentHandler(
                                new ServedTypes(
                                        DocumentHandlerTest.model(),
                                        Map.of(),
                                        DocumentSettings.DEFAULT.ignoresUndefinedFields()),
                                new DocumentBackend(
                                        documents,
                                        documents,
                                        RowPuts.NONE,
                                        (_, _, _, _, _) -> {
                                            throw DocumentParameters.invalid("many documents");
                                        }),
                                _ -> Principal.EVERYONE,
                                DocumentSettings.DEFAULT,
                                new Admission(DocumentSettings.DEFAULT, BodyTimes.DEFAULT),
                                new SimpleMeterRegistry())));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void putsAndUpdates() throws Exception {
        HttpTester.Response put =
                send(
                        "POST",
                        "",
                        cbor(
                                """
                                {"fields":{"title":"Blue","year":7,"tags":["a"],"good":true,
                                           "ratio":0.1,"vector":[1,2.5]}}
                                """));
        HttpTester.Response updated =
                send(
                        "PUT",
                        "",
                        cbor(
                                """
                                {"fields":{"year":{"increment":3},"tags":{"add":["b"]}},
                                 "condition":"music.year == 7"}
                                """));
        HttpTester.Response notUpdated =
                send(
                        "PUT",
                        "",
                        cbor("{\"fields\":{\"title\":7},\"condition\":\"music.year == 7\"}"));

        assertThat(put.getStatus()).as(put.getContent()).isEqualTo(200);
        assertThat(updated.getStatus()).as(updated.getContent()).isEqualTo(200);
        assertThat(documents.lastWrite().condition().selection()).contains("music.year == 7");
        assertThat(notUpdated.getContent()).contains("Error in 'title': ");
        assertThat(get())
                .endsWith(
                        "\"fields\":{\"title\":\"Blue\",\"year\":10,\"ratio\":0.1,"
                                + "\"good\":true,\"tags\":[\"a\",\"b\"],\"vector\":{\"type\":"
                                + "\"tensor<float>(x[2])\",\"values\":[1.0,2.5]}}}");
    }

    /** The cells of a tensor as in the memory of the client. */
    @ParameterizedTest
    @CsvSource({
        "d855 48 0000803f 00002040, floats",
        "d851 48 3f800000 40200000, floats the other way round",
        "d7 48 3f800000 40200000, bytes that stand for hexadecimal digits",
        "82 01 f94100, one by one"
    })
    void acceptsBinaryTensors(String cells, String how) throws Exception {
        // {"fields": {"vector": …}}
        String body = "a1 66 6669656c6473 a1 66 766563746f72 " + cells;

        HttpTester.Response put = send("POST", "", HexFormat.of().parseHex(body.replace(" ", "")));

        assertThat(put.getStatus()).as(how + put.getContent()).isEqualTo(200);
        assertThat(get()).as(how).contains("\"values\":[1.0,2.5]");
    }

    @Test
    void isReadCompressed() throws Exception {
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(cbor("{\"fields\":{\"title\":\"x\"}}"));
        }

        HttpTester.Response put =
                send("POST", "Content-Encoding: gzip\r\n", compressed.toByteArray());

        assertThat(put.getStatus()).as(put.getContent()).isEqualTo(200);
        assertThat(get()).contains("\"title\":\"x\"");
    }

    /** A position in JSON that the client did not send would be useless. */
    @Test
    void saysWhatIsWrongWithoutAPlaceThatNobodyKnows() throws Exception {
        HttpTester.Response unfit = send("POST", "", cbor("{\"fields\":{\"year\":\"soon\"}}"));
        HttpTester.Response unknown = send("POST", "", cbor("{\"fields\":{\"none\":1}}"));
        HttpTester.Response json = send("POST", "", "{\"fields\":{}}".getBytes(UTF_8));
        HttpTester.Response empty = send("POST", "", new byte[0]);
        HttpTester.Response text = send("POST", "", HexFormat.of().parseHex("a161c3f6"));

        assertThat(unfit.getStatus()).isEqualTo(400);
        assertThat(unfit.getContent())
                .endsWith(
                        "id:ns:music::1: field 'year': expected an int, a whole number from"
                                + " -2147483648 to 2147483647, but found \\\"soon\\\"\"}");
        assertThat(unknown.getContent())
                .contains("Field 'none' is not defined in document type 'music'")
                .doesNotContain("column");
        assertThat(json.getStatus()).isEqualTo(400);
        assertThat(json.getContent()).contains("the body is no well-formed CBOR: ");
        assertThat(empty.getStatus()).isEqualTo(400);
        assertThat(empty.getContent()).contains("but found null: there is nothing");
        assertThat(text.getStatus()).isEqualTo(400);
        assertThat(text.getContent()).contains("the body is no well-formed CBOR: Invalid UTF-8");
    }

    private static byte[] cbor(String json) throws Exception {
        var cbor = new ByteArrayOutputStream();
        CborTranscript.write(json.getBytes(UTF_8), cbor);
        return cbor.toByteArray();
    }

    private HttpTester.Response send(String method, String headers, byte[] body) throws Exception {
        String head =
                "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/cbor; v=1\r\n%s"
                                .formatted(method, ONE, headers)
                        + "Content-Length: %d\r\n\r\n".formatted(body.length);
        var request = new ByteArrayOutputStream();
        request.write(head.getBytes(UTF_8));
        request.write(body);
        return Objects.requireNonNull(
                HttpTester.parseResponse(
                        connector.getResponse(ByteBuffer.wrap(request.toByteArray()))));
    }

    private String get() throws Exception {
        return connector.getResponse(
                "GET " + ONE + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    }
}
