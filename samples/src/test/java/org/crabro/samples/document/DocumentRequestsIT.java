package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Requests on single documents, and what exactly is answered. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DocumentRequestsIT {
    private static final String NOTES = "/document/v1/ns/note/";
    private static final String JSON = "application/json; charset=UTF-8";

    @TempDir static Path data;

    private ServedPackage served;

    @BeforeAll
    void start() throws Exception {
        served = new ServedPackage(data).deployed();
    }

    @AfterAll
    void stop() {
        served.close();
    }

    @AfterEach
    void deployAgain() throws Exception {
        served.deploy(ServedPackage.SERVICES);
    }

    private static String answer(String path, String id) {
        return "{\"pathId\":\"%s\",\"id\":\"%s\"}".formatted(path, id);
    }

    @Test
    void answersWithPathAndIdInThisOrder() throws Exception {
        String path = NOTES + "docid/shape";
        String bare = answer(path, "id:ns:note::shape");

        Answer missing = served.get(path);
        Answer put =
                served.post(
                        path,
                        "{\"fields\":{\"year\":7,\"text\":\"Nöte\",\"tags\":[],\"done\":false}}");
        Answer answer = served.get(path);
        Answer ids = served.get(path + "?fieldSet=%5Bid%5D");
        Answer updated = served.put(path, "{\"fields\":{\"year\":{\"increment\":1}}}");
        Answer removed = served.delete(path);
        Answer again = served.delete(path);
        Answer nothing = served.put(path, "{\"fields\":{\"year\":{\"increment\":1}}}");

        assertThat(missing.status()).isEqualTo(404);
        assertThat(answer.body())
                .isEqualTo(
                        bare.replace(
                                "}", ",\"fields\":{\"text\":\"Nöte\",\"year\":7,\"done\":false}}"));
        assertThat(ids.body()).isEqualTo(bare.replace("}", ",\"fields\":{}}"));
        for (Answer each : List.of(missing, put, updated, removed, again)) {
            assertThat(each.body()).isEqualTo(bare);
            assertThat(each.header("Content-Type")).isEqualTo(JSON);
        }
        for (Answer each : List.of(put, answer, ids, updated, removed, again, nothing)) {
            assertThat(each.status()).isEqualTo(200);
        }
        assertThat(nothing.body()).isEqualTo(bare.replace("}", ",\"notFound\":true}"));
        assertThat(nothing.header("X-Crabro-Not-Found")).isEqualTo("true");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            ignoreLeadingAndTrailingWhitespace = true,
            value = {
                "docid/a+b                         | id:ns:note::a b",
                "docid/a%2Bb                       | id:ns:note::a+b",
                "docid/a%20b%2Fc%2Bd               | id:ns:note::a b/c+d",
                "docid/a%20b/c%2Bd                 | id:ns:note::a b/c+d",
                "docid/a/b/                        | id:ns:note::a/b",
                "docid/a%2F%2Fb                    | id:ns:note::a//b",
                "docid/x:y:z                       | id:ns:note::x:y:z",
                "docid/%C3%A5                      | id:ns:note::å",
                "group/a%20g%2Fh=i/1/2             | id:ns:note:g=a g/h=i:1/2",
                "number/9223372036854775808/1      | id:ns:note:n=9223372036854775808:1",
                "number/18446744073709551615/1     | id:ns:note:n=18446744073709551615:1",
            })
    void readsIdsFromPathsAndGivesThePathBackAsItCame(String path, String id) throws Exception {
        Answer put = served.post(NOTES + path, "{\"fields\":{\"text\":\"x\"}}");
        Answer got = served.get(NOTES + path);

        assertThat(put.body()).isEqualTo(answer(NOTES + path, id));
        assertThat(got.json().get("pathId").asString()).isEqualTo(NOTES + path);
        assertThat(got.json().get("id").asString()).isEqualTo(id);
        assertThat(got.status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "docid/a//b",
                "docid/a/./b",
                "docid/a/../b",
                "docid/%2E%2E",
                "group//1",
                "number/-1/1",
                "number/18446744073709551616/1",
                "number/seven/1",
                "docid/%EF%BF%BE"
            })
    void refusesIdsThatAreNone(String path) throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
            Answer answer = served.send(method, NOTES + path, "{\"fields\":{}}");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.json().propertyNames()).containsExactly("pathId", "message");
            assertThat(answer.json().get("pathId").asString()).isEqualTo(NOTES + path);
        }
    }

    @Test
    void saysWhichMethodsAPathHas() throws Exception {
        String one = NOTES + "docid/1";
        Answer options = served.send("OPTIONS", one, "");
        Answer root = served.send("OPTIONS", "/document/v1/", "");

        assertThat(options.status()).isEqualTo(204);
        assertThat(options.body()).isEmpty();
        assertThat(options.header("Allow")).isEqualTo("GET,POST,PUT,DELETE");
        assertThat(root.header("Allow")).isEqualTo("GET,POST,DELETE");
        for (String method : List.of("PATCH", "HEAD", "TRACE", "MOVE")) {
            Answer answer = served.send(method, one, "");
            assertThat(answer.status()).isEqualTo(405);
            assertThat(answer.header("Allow")).isEqualTo("GET,POST,PUT,DELETE");
            if (!method.equals("HEAD")) {
                assertThat(answer.body())
                        .isEqualTo(
                                "{\"pathId\":\"%s\",\"message\":\"'%s' not allowed at '%s'. Allowed methods are: GET, POST, PUT, DELETE\"}"
                                        .formatted(one, method, one));
            }
        }
        Answer put = served.put("/document/v1/", "{}");
        assertThat(put.status()).isEqualTo(405);
        assertThat(put.message()).contains("'PUT'", "'/document/v1/'", "GET, POST, DELETE");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/document/v1/ns",
                "/document/v1/ns/note",
                "/document/v1/ns/note/other/1",
                "/document/v1//note/docid/1/2/3?x=y"
            })
    void listsPathsInA404(String target) throws Exception {
        Answer answer = served.get(target);

        if (answer.status() == 400) {
            // A part of it is empty.
            assertThat(target).contains("//");
            return;
        }
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().propertyNames()).containsExactly("pathId", "message");
        assertThat(answer.message())
                .contains(
                        "'" + target + "'",
                        "/document/v1/,",
                        "/document/v1/{namespace}/{documentType}/docid/",
                        "/document/v1/{namespace}/{documentType}/group/{group}/",
                        "/document/v1/{namespace}/{documentType}/number/{number}/",
                        "docid/{docid}",
                        "group/{group}/{docid}",
                        "number/{number}/{docid}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "condition=                             | 400 | condition",
                "create=                                | 400 | create",
                "timeout=soon                           | 400 | timeout",
                "timeout=                               | 400 | timeout",
                "timeout=100                            | 200 | ",
                "timeout=0.5ks                          | 200 | ",
                "timeout=50000ms                        | 200 | ",
                "timeout=50parsecs                      | 200 | ",
                "timeout=50000000%C2%B5s                | 200 | ",
                "tracelevel=10                          | 400 | tracelevel",
                "tracelevel=-1                          | 400 | tracelevel",
                "tracelevel=two                         | 400 | tracelevel",
                "create=TRUE                            | 200 | ",
                "create=yes                             | 200 | ",
                "condition=false&condition=true&create=true | 200 | ",
                "CONDITION=false                        | 200 | ",
                "unknown=1                              | 200 | ",
                "route=default                          | 200 | ",
                "route=elsewhere                        | 400 | route",
                "condition=note.                        | 400 | condition",
                "condition=note.nothere==1              | 400 | nothere",
                "condition=tag.name%20%3D%3D            | 400 | condition",
            })
    void readsParametersOfWrites(String query, int status, String part) throws Exception {
        for (String method : List.of("POST", "PUT")) {
            Answer answer =
                    served.send(method, NOTES + "docid/parameters?" + query, "{\"fields\":{}}");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
            if (part != null) {
                assertThat(answer.message()).contains(part);
                assertThat(answer.json().get("pathId").asString())
                        .isEqualTo(NOTES + "docid/parameters");
            }
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "dryRun=true            | dryRun",
                "fieldSet=              | fieldSet",
                "fieldSet=note:nothere  | nothere",
                "fieldSet=tag:name      | tag:name",
                "fieldSet=text          | text",
                "cluster=nowhere        | nowhere",
                "cluster=places         | places",
            })
    void refusesParametersOfReads(String query, String part) throws Exception {
        Answer answer = served.get(NOTES + "docid/1?" + query);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.message()).contains(part);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "POST | ``                                              | object",
                "POST | {                                               | line 1",
                "POST | []                                              | object",
                "POST | {}                                              | \"fields\"",
                "POST | {\"fields\":[]}                                 | object",
                "POST | {\"fields\":{\"nothere\":1}}                    | 'nothere' is not defined",
                "POST | {\"fields\":{\"year\":42.0}}                    | year",
                "POST | {\"fields\":{\"year\":{\"assign\":1}}}          | year",
                "POST | {\"fields\":{\"tags\":[null]}}                  | tags",
                "POST | {\"fields\":{\"prices\":[{\"key\":\"a\"}]}}     | prices",
                "POST | {\"fields\":{\"place\":{\"values\":[1]}}}       | place",
                "PUT  | ``                                              | object",
                "PUT  | {\"fields\":{\"year\":1}}                       | year",
                "PUT  | {\"fields\":{\"year\":{\"upsert\":1}}}          | upsert",
                "PUT  | {\"fields\":{\"text\":{\"increment\":1}}}       | text",
                "PUT  | {\"fields\":{\"year\":{\"assign\":1}},\"condition\":\"note.\"} | condition",
            })
    void refusesBodiesThatAreWrongWithoutWriting(String method, String body, String part)
            throws Exception {
        served.note("docid/wrong", "\"year\":1");
        Answer answer = served.send(method, NOTES + "docid/wrong", body);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
        assertThat(answer.message()).contains(part);
        assertThat(answer.json().get("pathId").asString()).isEqualTo(NOTES + "docid/wrong");
        assertThat(served.get(NOTES + "docid/wrong").json().get("fields").toString())
                .isEqualTo("{\"year\":1}");
    }

    @Test
    void refusesTypesThatThereAreNot() throws Exception {
        for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
            Answer answer =
                    served.send(method, "/document/v1/ns/nothere/docid/1", "{\"fields\":{}}");
            assertThat(answer.status()).isEqualTo(400);
            assertThat(answer.message()).contains("nothere");
        }
    }

    /** What becomes of writes by whether there is a document, a condition and {@code create}. */
    @ParameterizedTest
    @CsvSource({
        "POST,false,,false,200", "POST,false,note.year==1,false,412",
        "POST,false,note.year==1,true,200", "POST,true,note.year==1,false,200",
        "POST,true,note.year==2,true,412", "PUT,false,,false,200",
        "PUT,false,,true,200", "PUT,false,note.year==1,false,412",
        "PUT,false,note.year==1,true,200", "PUT,true,note.year==2,true,412",
        "PUT,true,note.year==1,false,200", "DELETE,false,note.year==1,false,412",
        "DELETE,true,note.year==2,false,412", "DELETE,true,note.year==1,false,200"
    })
    void looksAtConditions(
            String method, boolean exists, String condition, boolean create, int status)
            throws Exception {
        String path = NOTES + "docid/condition";
        served.delete(path);
        if (exists) {
            served.note("docid/condition", "\"year\":1");
        }
        String body =
                method.equals("POST")
                        ? "{\"fields\":{\"year\":5}}"
                        : method.equals("PUT") ? "{\"fields\":{\"year\":{\"assign\":5}}}" : "";
        Answer answer =
                served.send(
                        method,
                        path
                                + "?create="
                                + create
                                + (condition == null
                                        ? ""
                                        : "&condition=" + condition.replace("=", "%3D")),
                        body);

        assertThat(answer.status()).as(answer.toString()).isEqualTo(status);
        if (status == 412) {
            assertThat(answer.json().propertyNames()).containsExactly("pathId", "id", "message");
            assertThat(answer.message()).contains("251013", "TEST_AND_SET_CONDITION_FAILED");
        }
        boolean isWritten = status == 200 && !(method.equals("PUT") && !exists && !create);
        Answer now = served.get(path);
        if (!isWritten) {
            assertThat(now.status()).isEqualTo(exists ? 200 : 404);
        }
        if (now.status() == 200) {
            assertThat(now.json().get("fields").get("year").asInt()).isEqualTo(isWritten ? 5 : 1);
        }
    }

    @Test
    void dryRunsLookAtThePathAloneUnlessTheyAreToValidate() throws Exception {
        String handshake = "/document/v1/feeder/handshake/docid/dummy?dryRun=true&timeout=29993ms";
        Answer answer = served.post(handshake, "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body())
                .isEqualTo(
                        answer(
                                "/document/v1/feeder/handshake/docid/dummy",
                                "id:feeder:handshake::dummy"));
        assertThat(served.put(NOTES + "docid/dry?dryRun=true&condition=x", "{").status())
                .isEqualTo(200);
        assertThat(served.delete(NOTES + "docid/dry?dryRun=true").status()).isEqualTo(200);
        assertThat(served.post(NOTES + "number/x/1?dryRun=true", "").status()).isEqualTo(400);
        for (String method : List.of("POST", "PUT", "DELETE")) {
            Answer validated =
                    served.send(
                            method,
                            NOTES + "docid/dry?dryRun=validate&condition=note.year%20%3D%3D",
                            "{\"fields\":{}}");
            assertThat(validated.status()).as(validated.toString()).isEqualTo(400);
        }
        Answer fine =
                served.post(
                        NOTES + "docid/dry?dryRun=validate&condition=note.year%3D%3D1&create=true",
                        "{\"fields\":{\"text\":\"a\"}}");
        assertThat(fine.status()).as(fine.toString()).isEqualTo(200);
        assertThat(served.post("/document/v1/no/type/docid/1?dryRun=validate", "{}").status())
                .isEqualTo(400);
        assertThat(served.get(NOTES + "docid/dry").status()).isEqualTo(404);
    }

    @Test
    void tracesWhatItDidWhereThatIsAskedFor() throws Exception {
        Answer put = served.post(NOTES + "docid/trace?tracelevel=9", "{\"fields\":{}}");
        Answer got = served.get(NOTES + "docid/trace?tracelevel=1");

        assertThat(put.json().propertyNames()).containsExactly("pathId", "id", "trace");
        assertThat(got.json().propertyNames()).containsExactly("pathId", "id", "trace", "fields");
        for (JsonNode note : put.json().get("trace")) {
            assertThat(note.get("message").asString()).isNotEmpty();
        }
        assertThat(put.json().get("trace").size()).isPositive();
        assertThat(
                        served.post(NOTES + "docid/trace?tracelevel=0", "{\"fields\":{}}")
                                .json()
                                .has("trace"))
                .isFalse();
    }

    @Test
    void timesOut() throws Exception {
        served.note("docid/late", "\"year\":1");
        for (String method : List.of("GET", "POST", "PUT", "DELETE")) {
            Answer answer =
                    served.send(method, NOTES + "docid/late?timeout=0.001ms", "{\"fields\":{}}");

            assertThat(answer.status()).as(answer.toString()).isEqualTo(504);
            assertThat(answer.json().propertyNames()).containsExactly("pathId", "id", "message");
            assertThat(answer.message()).isEqualTo("Timeout after 0ms");
        }
    }

    @Test
    void warnsOfWhatAnUpdateDoesNotFind() throws Exception {
        served.note("docid/places", "\"tags\":[\"a\"],\"votes\":{\"x\":1}");
        String behind = "{\"fields\":{\"tags[3]\":{\"assign\":\"b\"},\"year\":{\"assign\":4}}}";
        String weight = "{\"fields\":{\"votes\":{\"match\":{\"element\":\"y\",\"increment\":1}}}}";
        String there = "{\"fields\":{\"tags[0]\":{\"assign\":\"c\"}}}";

        Answer strict = served.put(NOTES + "docid/places?strict=true", behind);
        assertThat(strict.status()).isEqualTo(400);
        assertThat(strict.message()).isEqualTo("there is no 'tags[3]': nothing is updated");
        assertThat(served.get(NOTES + "docid/places").json().get("fields").has("year")).isFalse();

        Answer warned = served.put(NOTES + "docid/places", behind);
        Answer weighed = served.put(NOTES + "docid/places", weight);
        for (Answer each : List.of(warned, weighed)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(200);
            assertThat(each.header("X-Crabro-Ignored-Updates")).isEqualTo("true");
            assertThat(each.json().propertyNames()).containsExactly("pathId", "id", "message");
        }
        assertThat(warned.message()).contains("'tags[3]'");
        assertThat(weighed.message()).contains("'votes{y}'");
        Answer plain = served.put(NOTES + "docid/places?strict=true", there);
        assertThat(plain.status()).isEqualTo(200);
        assertThat(plain.header("X-Crabro-Ignored-Updates")).isEmpty();
        assertThat(served.get(NOTES + "docid/places").json().get("fields").toString())
                .isEqualTo("{\"year\":4,\"tags\":[\"c\"],\"votes\":{\"x\":1}}");
    }

    @Test
    void showsEmptiesWhereThatIsAskedFor() throws Exception {
        served.note("docid/empty", "\"text\":\"\",\"year\":1");

        assertThat(served.get(NOTES + "docid/empty").json().get("fields").toString())
                .isEqualTo("{\"year\":1}");
        assertThat(served.get(NOTES + "docid/empty?empties=true").json().get("fields").toString())
                .isEqualTo("{\"text\":\"\",\"year\":1,\"tags\":[],\"votes\":{},\"prices\":{}}");
        String visit =
                NOTES + "docid?wantedDocumentCount=9&selection=id%3D%3D%22id:ns:note::empty%22";
        String shown = "{\"text\":\"\",\"year\":1,\"tags\":[],\"votes\":{},\"prices\":{}}";
        assertThat(served.get(visit).body()).contains("\"fields\":{\"year\":1}}");
        assertThat(served.get(visit + "&empties=true").body()).contains("\"fields\":" + shown);
        assertThat(
                        served.get(
                                        visit + "&empties=true&stream=true",
                                        "Accept",
                                        "application/jsonl")
                                .body())
                .contains("\"fields\":" + shown);
        Answer many =
                served.post(
                        "/document/v1/?empties=true&fieldSet=note:tags",
                        "{\"get\":\"id:ns:note::empty\"}",
                        "Content-Type",
                        "application/jsonl");
        assertThat(many.body()).contains("\"fields\":{\"tags\":[]}");
    }

    @Test
    void saysLoudlyWhatAClusterDoesNotKeep() throws Exception {
        String path = "/document/v1/ns/fresh/docid/1";
        Answer answer = served.post(path, "{\"fields\":{\"year\":2001}}");
        Answer dropped = served.post(path, "{\"fields\":{\"year\":1999}}");

        assertThat(answer.header("X-Vespa-Ignored-Operation")).isEmpty();
        assertThat(dropped.status()).isEqualTo(200);
        assertThat(dropped.header("X-Vespa-Ignored-Operation")).isEqualTo("true");
        assertThat(dropped.message()).startsWith("nothing was written: ");
        assertThat(served.get(path).json().get("fields").get("year").asInt()).isEqualTo(2001);
    }

    /** A type that has a schema, and that no cluster names. */
    @Test
    void ignoresOperationsOnTypesThatNoClusterKeeps() throws Exception {
        String path = "/document/v1/ns/loose/docid/1";
        for (String method : List.of("POST", "PUT", "DELETE")) {
            Answer answer = served.send(method, path, "{\"fields\":{}}");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            assertThat(answer.header("X-Vespa-Ignored-Operation")).isEqualTo("true");
            assertThat(answer.message())
                    .isEqualTo(
                            "nothing was written: no content cluster keeps documents of type"
                                    + " 'loose'");
        }
        Answer got = served.get(path);
        assertThat(got.status()).isEqualTo(404);
        assertThat(got.header("X-Vespa-Ignored-Operation")).isEqualTo("true");
        assertThat(got.body()).isEqualTo(answer(path, "id:ns:loose::1"));
        Answer lines =
                served.post(
                        "/document/v1/",
                        """
                        {"put":"id:ns:loose::1","fields":{"year":1}}
                        {"remove":"id:ns:loose::1"}
                        {"get":"id:ns:loose::1"}
                        {"put":"id:ns:nothere::1","fields":{}}
                        """,
                        "Content-Type",
                        "application/jsonl");
        List<String> answers = lines.body().lines().toList();
        assertThat(answers.subList(0, 2))
                .allSatisfy(line ->
                        assertThat(line).contains("\"status\":200", "no content cluster keeps"));
        assertThat(answers.get(2)).contains("\"status\":404");
        assertThat(answers.get(3)).contains("\"status\":400", "nothere does not exist");
    }

    @Test
    void acceptsOnlyTrueAndFalseForABoolOnRequest() throws Exception {
        String path = NOTES + "docid/bool";
        for (String wrong : List.of("1", "\"yes\"", "0", "\"\"")) {
            assertThat(served.post(path, "{\"fields\":{\"done\":" + wrong + "}}").status())
                    .isEqualTo(200);
            assertThat(served.get(path).json().get("fields").get("done").asBoolean()).isFalse();
            Answer put =
                    served.post(path + "?strict=true", "{\"fields\":{\"done\":" + wrong + "}}");
            Answer update =
                    served.put(
                            path + "?strict=true",
                            "{\"fields\":{\"done\":{\"assign\":" + wrong + "}}}");
            Answer line =
                    served.post(
                            "/document/v1/?strict=true",
                            "{\"put\":\"id:ns:note::bool\",\"fields\":{\"done\":" + wrong + "}}",
                            "Content-Type",
                            "application/jsonl");
            for (Answer each : List.of(put, update)) {
                assertThat(each.status()).as(each.toString()).isEqualTo(400);
                assertThat(each.message()).contains("true or false for bool");
            }
            assertThat(line.body()).contains("\"status\":400", "true or false for bool");
        }
        for (String right : List.of("true", "\"TRUE\"", "false", "\"False\"")) {
            Answer put =
                    served.post(path + "?strict=true", "{\"fields\":{\"done\":" + right + "}}");
            assertThat(put.status()).as(put.toString()).isEqualTo(200);
        }
    }

    @Test
    void answersInCborWhereThatIsLikedBetter() throws Exception {
        String path = NOTES + "docid/cbor";
        served.note("docid/cbor", "\"year\":7");
        HttpResponse<byte[]> answer =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(served.container(path))
                                        .header(
                                                "Accept",
                                                "application/cbor, application/json;q=0.9")
                                        .build(),
                                HttpResponse.BodyHandlers.ofByteArray());

        assertThat(answer.headers().firstValue("Content-Type")).contains("application/cbor");
        // {"pathId": …, "id": …, "fields": {"year": 7}}, objects of indefinite length.
        assertThat(HexFormat.of().formatHex(answer.body()))
                .startsWith("bf66" + hex("pathId"))
                .endsWith("66" + hex("fields") + "bf64" + hex("year") + "07ffff");
        assertThat(
                        served.get(path, "Accept", "application/json, application/cbor")
                                .header("Content-Type"))
                .isEqualTo(JSON);
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    @Test
    void readsAndWritesGzip() throws Exception {
        String text = "a text that comes again, ".repeat(4000);
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(("{\"fields\":{\"text\":\"" + text + "\"}}").getBytes(UTF_8));
        }
        Answer put =
                served.send(
                        "POST",
                        served.container(NOTES + "docid/gzip"),
                        compressed.toByteArray(),
                        "Content-Encoding",
                        "gzip");
        Answer broken =
                served.post(NOTES + "docid/gzip", "{\"fields\":{}}", "Content-Encoding", "gzip");
        Answer unknown =
                served.post(NOTES + "docid/gzip", "{\"fields\":{}}", "Content-Encoding", "br");
        Answer plain = served.get(NOTES + "docid/gzip");

        assertThat(put.status()).as(put.toString()).isEqualTo(200);
        assertThat(plain.json().get("fields").get("text").asString()).isEqualTo(text);
        assertThat(plain.header("Vary")).isEqualTo("Accept-Encoding");
        assertThat(broken.status()).isEqualTo(400);
        assertThat(unknown.status()).isEqualTo(415);
        for (Answer each : List.of(broken, unknown)) {
            assertThat(each.json().get("pathId").asString()).isEqualTo(NOTES + "docid/gzip");
        }
        try (Socket socket =
                served.open(
                        "GET " + NOTES + "docid/gzip HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n")) {
            byte[] answer = socket.getInputStream().readAllBytes();
            int end =
                    new String(answer, java.nio.charset.StandardCharsets.ISO_8859_1)
                            .indexOf("\r\n\r\n");
            String head = new String(answer, 0, end, UTF_8);
            assertThat(head).contains("Content-Encoding: gzip", "Vary: Accept-Encoding");
            byte[] body =
                    new GZIPInputStream(
                                    new ByteArrayInputStream(
                                            answer, end + 4, answer.length - end - 4))
                            .readAllBytes();
            assertThat(new String(body, UTF_8)).isEqualTo(plain.body());
            assertThat(answer.length).isLessThan(text.length() / 10);
        }
    }

    @Test
    void refusesBodiesThatAreTooLargeHoweverTheyCome() throws Exception {
        served.deploy(
                ServedPackage.SERVICES.replace(
                        "<document-api/>",
                        "<document-api><max-document-size>1MiB</max-document-size></document-api>"));
        String large = "{\"fields\":{\"text\":\"" + "a".repeat(20 << 20) + "\"}}";
        var compressed = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(compressed)) {
            gzip.write(large.getBytes(UTF_8));
        }
        Answer plain = served.post(NOTES + "docid/large", large);
        Answer small =
                served.send(
                        "POST",
                        served.container(NOTES + "docid/large"),
                        compressed.toByteArray(),
                        "Content-Encoding",
                        "gzip");
        String chunked =
                served.raw(
                        "POST "
                                + NOTES
                                + "docid/large HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n"
                                + Integer.toHexString(large.length())
                                + "\r\n"
                                + large
                                + "\r\n0\r\n\r\n");

        for (Answer each : List.of(plain, small)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(413);
            assertThat(each.json().propertyNames()).containsExactly("pathId", "message");
            assertThat(each.message()).contains("1048576");
        }
        assertThat(plain.message()).contains(Integer.toString(large.length()));
        assertThat(chunked).startsWith("HTTP/1.1 413 ").contains("\"pathId\":");
        assertThat(served.get(NOTES + "docid/large").status()).isEqualTo(404);
    }

    @Test
    void leavesOutWhatATypeHasNotWhereThePackageSaysSo() throws Exception {
        served.deploy(
                ServedPackage.SERVICES.replace(
                        "<document-api/>",
                        "<document-api><ignore-undefined-fields>true</ignore-undefined-fields>"
                                + "</document-api>"));
        Answer put =
                served.post(NOTES + "docid/ignored", "{\"fields\":{\"nothere\":{},\"year\":1}}");
        Answer update =
                served.put(NOTES + "docid/ignored", "{\"fields\":{\"nothere\":{\"assign\":1}}}");
        Answer plain = served.post(NOTES + "docid/ignored", "{\"fields\":{\"year\":1}}");

        assertThat(put.status()).as(put.toString()).isEqualTo(200);
        assertThat(put.header("X-Vespa-Ignored-Fields")).isEqualTo("true");
        assertThat(update.header("X-Vespa-Ignored-Fields")).isEqualTo("true");
        assertThat(plain.header("X-Vespa-Ignored-Fields")).isEmpty();
    }

    @Test
    void answers429AtOnceWhereBodiesHoldTooMuch() throws Exception {
        String head =
                "POST "
                        + NOTES
                        + "docid/held HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n{";
        int length = 100 << 20;
        byte[] mebibyte = new byte[1 << 20];
        Arrays.fill(mebibyte, (byte) ' ');
        try (Socket held = served.open(head.formatted(length))) {
            String refused = "";
            for (int i = 0; i < 90 && !refused.startsWith("HTTP/1.1 429"); i++) {
                held.getOutputStream().write(mebibyte);
                try (Socket socket = served.open(head.formatted(length))) {
                    socket.shutdownOutput();
                    refused = new String(socket.getInputStream().readAllBytes(), UTF_8);
                }
            }

            assertThat(refused)
                    .containsIgnoringCase("\r\nRetry-After: 1\r\n")
                    .contains("{\"pathId\":\"" + NOTES + "docid/held\",\"message\":\"overload: ")
                    .contains("requests already enqueued");
        }
        acceptsReturnedBodies();
    }

    /** Returns when the server has seen that the client which held bytes is gone. */
    private void acceptsReturnedBodies() throws Exception {
        int status = 429;
        for (int i = 0; i < 10_000 && status == 429; i++) {
            status = served.post(NOTES + "docid/held", "{\"fields\":{}}").status();
        }
        assertThat(status).isEqualTo(200);
    }
}
