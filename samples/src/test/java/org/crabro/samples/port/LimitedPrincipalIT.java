package org.crabro.samples.port;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.container.access.AccessControl;
import org.crabro.container.access.TokenHash;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.TestSettings;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.cbor.CBORMapper;

/**
 * A principal that is limited to a group cannot find out which words and numbers the documents of
 * other groups have. Documents of twelve groups are in one block, and its answers to conditions
 * that only others meet are the same as those to conditions that no document meets.
 */
class LimitedPrincipalIT {
    private static final String ACCESS =
            """
            [admin]
            permissions = all
            token = %s
            [ann]
            permissions = read, write
            groups = ann
            token = %s
            """
                    .formatted(TokenHash.of("admin"), TokenHash.of("ann"));

    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <handler id="ai.vespa.mcp.McpJdiscHandler" bundle="mcp-server">
                  <binding>http://*/mcp</binding>
                </handler>
              </container>
              <content id="content" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="mail" mode="streaming"/>
                  <document type="memo" mode="index"/>
                </documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema %1$s {
              document %1$s {
                field subject type string { indexing: index | summary
                  index: enable-bm25 }
                field year type int { indexing: attribute | summary
                  attribute: fast-search }
                field color type string { indexing: attribute | summary }
              }
              fieldset default { fields: subject }
              rank-profile words inherits default {
                first-phase { expression: bm25(subject) + nativeRank(subject) }
                match-features: bm25(subject) fieldMatch(subject) term(0).significance
              }
              rank-profile limited inherits words {
                match-phase { attribute: year
                  order: descending
                  max-hits: 10 }
              }
            }
            """;

    /** Words of two lengths and numbers that only other groups have, and others of equal length. */
    private static final Values OTHERS = new Values("zeppelin", "1917", "indigo");

    private static final Values NOBODYS = new Values("zeppelon", "1913", "indago");

    private static final List<String> CONDITIONS =
            List.of(
                    "subject contains \"WORD\"",
                    "subject contains \"boat\" and subject contains \"WORD\"",
                    "subject contains \"boat\" and !(subject contains \"WORD\")",
                    "subject contains \"boat\" or subject contains \"WORD\"",
                    "subject contains phrase(\"the\", \"WORD\")",
                    "subject contains ({prefix:true}\"WORD\")",
                    "weakAnd(subject contains \"boat\", subject contains \"WORD\")",
                    "rank(subject contains \"boat\", subject contains \"WORD\")",
                    "year = NUMBER",
                    "year <= NUMBER",
                    "year = NUMBER or subject contains \"boat\"",
                    "color contains \"COLOR\"",
                    "color in (\"COLOR\", \"red\")",
                    "subject contains \"boat\" | all(group(year) each(output(count())))");

    private static final List<String> TRACES =
            List.of(
                    "",
                    "&tracelevel=1",
                    "&tracelevel=2",
                    "&tracelevel=3",
                    "&tracelevel=4",
                    "&tracelevel=5",
                    "&tracelevel=9",
                    "&trace.explainLevel=1",
                    "&trace.explainLevel=9&tracelevel=9",
                    "&trace.explain=true",
                    "&trace.explain=true&tracelevel=9&trace.timestamps=true",
                    "&trace.profile=true",
                    "&trace.profiling.matching.depth=9");

    private static final HttpClient CLIENT = HttpClient.newHttpClient();
    private static final CBORMapper CBOR = new CBORMapper();

    @TempDir static Path directory;

    private static ServedPackage served;

    /** What a condition asks for. */
    private record Values(String word, String number, String color) {
        String in(String template) {
            return template.replace("WORD", word).replace("NUMBER", number).replace("COLOR", color);
        }

        /**
         * Returns an answer without times and without these values. A time may contain the digits
         * of the number.
         */
        String masked(String answer) {
            return answer.replaceAll("\\d+\\.\\d+ ms", "T ms")
                    .replaceAll(
                            "\"(millis|cpuMillis|timestamp|[a-z]*time)\":[-+.0-9E]+", "\"$1\":T")
                    .replaceAll("([a-z]+time)=\"[-+.0-9E]+\"", "$1=T")
                    .replaceAll("timestamp \\d+", "timestamp T")
                    .replace(word, "WORD")
                    .replace(number, "NUMBER")
                    .replace(color, "COLOR");
        }
    }

    @BeforeAll
    static void start() throws Exception {
        Path access = Files.writeString(directory.resolve("access"), ACCESS);
        served =
                new ServedPackage(
                        TestSettings.onAnyPorts(directory.resolve("data"))
                                .withAccess(AccessControl.of(access)),
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/mail.sd",
                                SCHEMA.formatted("mail"),
                                "schemas/memo.sd",
                                SCHEMA.formatted("memo")));
        ServedPackage.Answer deployed = served.deployment("Authorization", "Bearer admin");
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
        feed();
        ServedPackage.Answer settled =
                served.send(
                        "POST",
                        served.config("/crabro/v1/settle"),
                        new byte[0],
                        "Authorization",
                        "Bearer admin");
        assertThat(settled.status()).as(settled.toString()).isEqualTo(200);
    }

    private static void feed() throws Exception {
        var lines = new ArrayList<String>();
        for (String type : List.of("mail", "memo")) {
            for (String group :
                    List.of(
                            "abe", "ann", "ben", "cleo", "dan", "eve", "fay", "gus", "hal", "ida",
                            "jim", "kim")) {
                boolean isAnn = group.equals("ann");
                for (int i = 0; i < 4; i++) {
                    lines.add(
                            """
                            {"put":"id:ns:%s:g=%s:%d","fields":{"subject":"%s","year":%d,"color":"%s"}}\
                            """
                                    .formatted(
                                            type,
                                            group,
                                            i,
                                            isAnn
                                                    ? (i < 2 ? "boat" : "kayak") + " of the lake"
                                                    : "boat of the zeppelin",
                                            isAnn ? 2000 + i : 1917,
                                            isAnn ? "red" : "indigo"));
                }
            }
        }
        HttpResponse<byte[]> answer =
                send(
                        "admin",
                        "POST",
                        "/document/v1/",
                        String.join("\n", lines),
                        "Content-Type",
                        "application/jsonl");
        assertThat(text(answer)).contains("\"ok\":" + lines.size() + ",\"failed\":0");
    }

    @AfterAll
    static void stop() {
        served.close();
        CLIENT.close();
    }

    private static HttpResponse<byte[]> send(
            String token, String method, String target, String body, String... headers)
            throws Exception {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(served.container(target))
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body))
                        .header("Authorization", "Bearer " + token);
        if (headers.length > 0) {
            request.headers(headers);
        }
        return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), UTF_8);
    }

    /** Returns the body and the headers that have counts. */
    private static String shown(HttpResponse<byte[]> answer) {
        String type = answer.headers().firstValue("Content-Type").orElse("");
        String body =
                type.startsWith("application/cbor")
                        ? CBOR.readTree(answer.body()).toString()
                        : text(answer);
        var headers = new TreeMap<String, List<String>>();
        answer.headers()
                .map()
                .forEach((name, values) -> {
                    if (name.startsWith("x-") && !name.endsWith("searchtime")) {
                        headers.put(name, values);
                    }
                });
        return answer.statusCode() + " " + headers + "\n" + body;
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, UTF_8);
    }

    private static String search(String type, String condition, String more) {
        return "/search/?timeout=60s&streaming.groupname=ann&ranking=words&yql="
                + encoded("select * from " + type + " where " + condition)
                + more;
    }

    private static String answer(
            String token, Values values, String type, String condition, String more)
            throws Exception {
        HttpResponse<byte[]> answer =
                send(
                        token,
                        "GET",
                        search(type, values.in(condition), more),
                        "",
                        "X-Yahoo-Vespa-Benchmarkdata",
                        "true",
                        "X-Yahoo-Vespa-Benchmarkdata-Coverage",
                        "true");
        return values.masked(shown(answer));
    }

    @ParameterizedTest
    @ValueSource(strings = {"mail", "memo"})
    void answersToQueriesSayNothingAboutOtherGroups(String type) throws Exception {
        for (String condition : CONDITIONS) {
            for (String trace : TRACES) {
                for (String format : List.of("", "&format=xml", "&format=cbor", "&format=sse")) {
                    String more = trace + format;
                    assertThat(answer("ann", OTHERS, type, condition, more))
                            .as("%s %s", condition, more)
                            .startsWith("200")
                            .isEqualTo(answer("ann", NOBODYS, type, condition, more));
                }
            }
        }
    }

    /** Otherwise the test above would show nothing. */
    @ParameterizedTest
    @ValueSource(strings = {"mail", "memo"})
    void answersToAnOperatorTellTheValuesApart(String type) throws Exception {
        for (String condition : List.of("subject contains \"WORD\"", "year = NUMBER")) {
            for (String trace : List.of("&tracelevel=1", "&tracelevel=2", "&trace.explain=true")) {
                assertThat(answer("admin", OTHERS, type, condition, trace))
                        .as("%s %s", condition, trace)
                        .isNotEqualTo(answer("admin", NOBODYS, type, condition, trace));
            }
        }
    }

    @Test
    void aTraceSaysWhyItHasNoCounts() throws Exception {
        String traced = answer("ann", OTHERS, "mail", "subject contains \"boat\"", "&tracelevel=9");

        assertThat(traced)
                .contains(
                        "Query as searched: ",
                        "no counts of blocks, as the sender is limited to some groups",
                        "\"totalCount\":2")
                .doesNotContain("passed over", "bytes", "expected");
    }

    /** The word of a document of another group neither adds to nor takes from a score. */
    @ParameterizedTest
    @ValueSource(strings = {"mail", "memo"})
    void scoresComeFromTheDocumentsOfTheGroupAlone(String type) throws Exception {
        for (String profile : List.of("words", "limited")) {
            JsonNode common = hits(type, "boat", profile);
            JsonNode own = hits(type, "kayak", profile);

            assertThat(common).hasSize(2);
            for (int i = 0; i < 2; i++) {
                assertThat(common.get(i).path("relevance")).isEqualTo(own.get(i).path("relevance"));
                assertThat(common.get(i).at("/fields/matchfeatures"))
                        .isEqualTo(own.get(i).at("/fields/matchfeatures"));
                assertThat(common.get(i).at("/fields/matchfeatures").isEmpty()).isFalse();
            }
        }
    }

    private static JsonNode hits(String type, String word, String profile) throws Exception {
        HttpResponse<byte[]> answer =
                send(
                        "ann",
                        "GET",
                        search(type, "subject contains \"" + word + "\"", "&ranking=" + profile)
                                .replaceFirst("&ranking=words", ""),
                        "");
        assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
        return Http.JSON.readTree(answer.body()).path("root").path("children");
    }

    @Test
    void answersToVisitsSayNothingAboutOtherGroups() throws Exception {
        for (String selection :
                List.of(
                        "mail.year == NUMBER",
                        "mail.year <= NUMBER",
                        "mail.year > NUMBER",
                        "mail.subject == \"boat of the WORD\"",
                        "mail.color == \"COLOR\"")) {
            for (String more :
                    List.of(
                            "",
                            "&tracelevel=1",
                            "&tracelevel=9",
                            "&tracelevel=9&slices=2&sliceId=0")) {
                for (String accept :
                        List.of("application/json", "application/jsonl", "application/cbor")) {
                    String target =
                            "/document/v1/ns/mail/group/ann/?wantedDocumentCount=1&selection=";
                    assertEquals(values ->
                            send(
                                    "ann",
                                    "GET",
                                    target + encoded(values.in(selection)) + more,
                                    "",
                                    "Accept",
                                    accept));
                }
            }
        }
    }

    @Test
    void answersToWritesSayNothingAboutOtherGroups() throws Exception {
        for (String condition :
                List.of("mail.year == NUMBER", "mail.subject == \"boat of the WORD\"")) {
            for (String more : List.of("", "&tracelevel=1", "&tracelevel=9", "&dryRun=validate")) {
                assertEquals(values ->
                        send(
                                "ann",
                                "POST",
                                "/document/v1/ns/mail/group/ann/0?condition="
                                        + encoded(values.in(condition))
                                        + more,
                                "{\"fields\":{}}",
                                "Content-Type",
                                "application/json"));
                assertEquals(values ->
                        send(
                                "ann",
                                "POST",
                                "/document/v1/?answers=all" + more,
                                lines(values.in(condition)),
                                "Content-Type",
                                "application/jsonl"));
            }
        }
    }

    private static String lines(String condition) {
        String quoted = condition.replace("\"", "\\\"");
        return """
        {"put":"id:ns:mail:g=ann:0","condition":"%1$s","fields":{}}
        {"update":"id:ns:mail:g=ann:1","condition":"%1$s","fields":{"year":{"assign":1}}}
        {"remove":"id:ns:mail:g=ann:2","condition":"%1$s"}
        {"get":"id:ns:mail:g=ann:3"}
        """
                .formatted(quoted);
    }

    /** The position of a write in the journal counts the writes of all groups. */
    @Test
    void tracesOfWritesHaveNoPosition() throws Exception {
        String target = "/document/v1/ns/mail/group/ann/written?tracelevel=1";
        String line = "{\"put\":\"id:ns:mail:g=ann:written\",\"fields\":{}}\n";

        for (String token : List.of("ann", "admin")) {
            HttpResponse<byte[]> single =
                    send(
                            token,
                            "POST",
                            target,
                            "{\"fields\":{}}",
                            "Content-Type",
                            "application/json");
            HttpResponse<byte[]> bulk =
                    send(
                            token,
                            "POST",
                            "/document/v1/?tracelevel=1",
                            line,
                            "Content-Type",
                            "application/jsonl");
            for (HttpResponse<byte[]> answer : List.of(single, bulk)) {
                assertThat(text(answer))
                        .contains(token.equals("ann") ? "stored with timestamp" : "stored at ");
            }
        }
        assertThat(send("ann", "DELETE", target, "").statusCode()).isEqualTo(200);
    }

    @Test
    void answersOfToolsSayNothingAboutOtherGroups() throws Exception {
        for (String condition : CONDITIONS) {
            var parameters = new LinkedHashMap<String, Object>();
            parameters.put("tracelevel", 9);
            parameters.put("trace.explain", true);
            assertEquals(values ->
                    tool(
                            "search",
                            Map.of(
                                    "yql",
                                    values.in("select * from mail where " + condition),
                                    "group",
                                    "ann",
                                    "parameters",
                                    parameters)));
        }
        for (String selection : List.of("mail.year == NUMBER", "mail.color == \"COLOR\"")) {
            assertEquals(values ->
                    tool("visit", Map.of("group", "ann", "selection", values.in(selection))));
        }
    }

    private static HttpResponse<byte[]> tool(String name, Map<String, Object> arguments)
            throws Exception {
        String body =
                Http.JSON.writeValueAsString(
                        Map.of(
                                "jsonrpc",
                                "2.0",
                                "id",
                                1,
                                "method",
                                "tools/call",
                                "params",
                                Map.of("name", name, "arguments", arguments)));
        HttpResponse<byte[]> answer =
                send(
                        "ann",
                        "POST",
                        "/mcp",
                        body,
                        "Content-Type",
                        "application/json",
                        "Accept",
                        "application/json, text/event-stream");
        assertThat(text(answer)).contains("\"isError\":false");
        return answer;
    }

    /** Sends a request with some values. */
    private interface Sending {
        HttpResponse<byte[]> with(Values values) throws Exception;
    }

    private static void assertEquals(Sending sending) throws Exception {
        String others = OTHERS.masked(shown(sending.with(OTHERS)).replace("\\\"", "\""));
        String nobodys = NOBODYS.masked(shown(sending.with(NOBODYS)).replace("\\\"", "\""));
        assertThat(others).isEqualTo(nobodys).startsWith(others.startsWith("412") ? "412" : "200");
    }
}
