package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Fields whose numbers are times, over HTTP. The type {@code streamed} has mode streaming, {@code
 * indexed} has mode index.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TimesIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="indexes" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="indexed" mode="index"/></documents>
              </content>
              <content id="streams" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="streamed" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String SCHEMA =
            """
            schema TYPE {
              document TYPE {
                struct event {
                  field at type long {}
                  field name type string {}
                }
                field number type int { indexing: attribute | summary }
                field time type long {
                  indexing: attribute | summary
                  attribute: fast-search
                  kind: time
                }
                field millis type long {
                  indexing: attribute | summary
                  kind: time-ms
                }
                field micros type long {
                  indexing: attribute | summary
                  kind: time-us
                }
                field day type long {
                  indexing: attribute | summary
                  kind: date
                }
                field days type array<long> {
                  indexing: attribute | summary
                  kind: date
                }
                field seen type map<string, long> {
                  indexing: summary
                  struct-field key { indexing: attribute }
                  struct-field value { indexing: attribute }
                  kind: time
                }
                field events type array<event> {
                  indexing: summary
                  struct-field at {
                    indexing: attribute
                    kind: time
                  }
                  struct-field name { indexing: attribute }
                }
                field plain type long { indexing: attribute | summary }
              }
              document-summary short {
                summary when { source: time }
              }
            }
            """;

    /** The last two documents are not in a run. The fourth is written as numbers. */
    private static final List<String> DOCUMENTS =
            List.of(
                    """
                    "time":"2024-05-01T10:00:00Z","millis":"2024-05-01T10:00:00.5Z",\
                    "micros":"2024-05-01T12:00:00.000001+02:00","day":"2024-05-01",\
                    "days":["2024-05-01","2023-01-31"],"seen":{"a":"2024-05-01"},\
                    "events":[{"at":"2024-05-01","name":"x"},{"at":"2022-01-01","name":"y"}]\
                    """,
                    "\"time\":\"2024-05-31T23:59:59Z\",\"millis\":-1,\"day\":\"1969-12-31\"",
                    "\"time\":\"2024-06-01\",\"millis\":0,\"micros\":-1,\"day\":0",
                    "\"time\":-62167219200,\"millis\":253402300799999,\"day\":253402300799",
                    "\"time\":9223372036854775807,\"plain\":1714557600");

    @TempDir static Path data;

    @AutoClose private ServedPackage served;

    @BeforeAll
    void fill() throws Exception {
        served =
                ServedPackage.of(
                        data.resolve("data"),
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/indexed.sd",
                                SCHEMA.replace("TYPE", "indexed"),
                                "schemas/streamed.sd",
                                SCHEMA.replace("TYPE", "streamed")));
        for (int i = 0; i < DOCUMENTS.size(); i++) {
            if (i == 3) {
                served.backUp(data.resolve("backup"));
            }
            String fields = DOCUMENTS.get(i) + ",\"number\":" + (i + 1);
            served.write(path("streamed", i + 1), fields);
            served.write(path("indexed", i + 1), fields);
        }
    }

    private static String path(String type, int number) {
        return "/document/v1/n/"
                + type
                + (type.equals("streamed") ? "/group/g/" : "/docid/")
                + number;
    }

    private Answer search(String type, String yql, String... parameters) throws Exception {
        var target = new StringBuilder("/search/?timeout=60s&hits=20&yql=");
        target.append(URLEncoder.encode(yql.replace("TYPE", type), UTF_8));
        if (type.equals("streamed")) {
            target.append("&streaming.groupname=g");
        }
        for (String parameter : parameters) {
            String[] parts = parameter.split("=", 2);
            target.append('&')
                    .append(URLEncoder.encode(parts[0], UTF_8))
                    .append('=')
                    .append(URLEncoder.encode(parts[1], UTF_8));
        }
        return served.get(target.toString());
    }

    private List<Integer> numbers(String type, String condition) throws Exception {
        Answer answer = search(type, "select number from TYPE where " + condition);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        var numbers = new ArrayList<Integer>();
        for (JsonNode hit : answer.json().path("root").at("/children")) {
            numbers.add(hit.at("/fields/number").asInt());
        }
        Collections.sort(numbers);
        return numbers;
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "streamed"})
    void showsTheTimesOfOneDocument(String type) throws Exception {
        String path = path(type, 1);

        JsonNode texts = served.get(path + "?format.dates=iso").json().get("fields");
        assertThat(texts.get("time").asString()).isEqualTo("2024-05-01T10:00:00Z");
        assertThat(texts.get("millis").asString()).isEqualTo("2024-05-01T10:00:00.500Z");
        assertThat(texts.get("micros").asString()).isEqualTo("2024-05-01T10:00:00.000001Z");
        assertThat(texts.get("day").asString()).isEqualTo("2024-05-01");
        assertThat(texts.get("days").toString()).isEqualTo("[\"2024-05-01\",\"2023-01-31\"]");
        assertThat(texts.at("/seen/a").asString()).isEqualTo("2024-05-01T00:00:00Z");
        assertThat(texts.at("/events/1/at").asString()).isEqualTo("2022-01-01T00:00:00Z");
        assertThat(texts.get("number").asInt()).isEqualTo(1);
        for (String numbers : List.of("", "?format.dates=number")) {
            assertThat(served.get(path + numbers).json().at("/fields/time").asLong())
                    .isEqualTo(1_714_557_600);
        }
        // A number that is no time of a year with four digits.
        assertThat(
                        served.get(path(type, 5) + "?format.dates=iso")
                                .json()
                                .at("/fields/time")
                                .asLong())
                .isEqualTo(Long.MAX_VALUE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    TYPE.time == "2024-05"                 | [1, 2]
                    TYPE.time >= "2024-05"                 | [1, 2, 3, 5]
                    TYPE.millis == "1969-12-31"            | [2]
                    TYPE.micros < "1970"                   | [3]
                    TYPE.day == "2024-05-01"               | [1]
                    TYPE.day <= "1970"                     | [2, 3]
                    TYPE.days < "2024"                     | [1]
                    TYPE.seen{"a"} == "2024"               | [1]
                    TYPE.events.at < "2023"                | [1]
                    TYPE.time > now() - 7d                 | [5]
                    TYPE.millis > now() - 7d               | [4]
                    """)
    void visitsByTimes(String selection, String expected) throws Exception {
        for (String type : List.of("streamed", "indexed")) {
            Answer answer =
                    served.get(
                            "/document/v1/?stream=true&cluster=%s&selection=%s"
                                    .formatted(
                                            type.equals("streamed") ? "streams" : "indexes",
                                            URLEncoder.encode(
                                                    selection.replace("TYPE", type), UTF_8)));
            assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
            var numbers = new ArrayList<Integer>();
            for (JsonNode document : answer.json().get("documents")) {
                numbers.add(document.at("/fields/number").asInt());
            }
            Collections.sort(numbers);
            assertThat(numbers.toString()).as(type).isEqualTo(expected);
        }
    }

    /** A visit shows a document as a GET of it does, in all forms. */
    @ParameterizedTest
    @CsvSource({
        "indexed, application/json, false",
        "streamed, application/json, true",
        "indexed, application/jsonl, true",
        "streamed, application/jsonl, true",
    })
    void showsTheTimesOfManyDocuments(String type, String accept, boolean isStream)
            throws Exception {
        String target =
                "/document/v1/?cluster=%s&wantedDocumentCount=1000&timestamps=true&format.dates=iso%s"
                        .formatted(
                                type.equals("streamed") ? "streams" : "indexes",
                                isStream ? "&stream=true" : "");
        Answer answer = served.get(target, "Accept", accept);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        List<JsonNode> documents = new ArrayList<>();
        if (accept.endsWith("jsonl")) {
            for (String line : answer.body().lines().toList()) {
                JsonNode each = new JsonMapper().readTree(line);
                if (each.has("put")) {
                    documents.add(each);
                }
            }
        } else {
            answer.json().get("documents").forEach(documents::add);
        }

        assertThat(documents).hasSizeGreaterThan(4);
        for (JsonNode document : documents) {
            JsonNode single =
                    served.get(
                                    path(type, document.at("/fields/number").asInt())
                                            + "?format.dates=iso")
                            .json();
            assertThat(document.get("fields")).isEqualTo(single.get("fields"));
            assertThat(document.get("timestamp").isNumber()).isTrue();
        }
        assertThat(answer.body()).contains("\"2024-05-01T10:00:00.500Z\"", "[\"2024-05-01\",");
    }

    @Test
    void refusesTextsWhereDocumentsCanBeFed() throws Exception {
        assertThat(served.get(path("indexed", 1) + "?format.dates=ISO").toString())
                .contains("expected iso or number but found 'ISO'");
        assertThat(served.get("/document/v1/?cluster=indexes&format.dates=ISO").toString())
                .contains("expected iso or number but found 'ISO'");
        assertThat(served.get("/document/v1/a/indexed/group/?format.dates=iso").toString())
                .contains("format.dates=iso is for GET of documents");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    time = "2024-05"                            | [1, 2]
                    time = "2024-05-01T10:00:00Z"               | [1]
                    time >= "2024-05"                           | [1, 2, 3, 5]
                    time > "2024-06"                            | [5]
                    time <= "2024-05"                           | [1, 2, 4]
                    time < "2024-05"                            | [4]
                    time = "0000"                               | [4]
                    time >= "2024-05-01" and time < now()       | [1, 2, 3]
                    time > now() - 7d                           | [5]
                    time in ("2024-05-01", "2024-06-01T00:00:00Z", 9223372036854775807) | [1, 3, 5]
                    range(time, "2024-05-31", "2024-06")        | [2, 3]
                    !(time = "2024-05")                         | [3, 4, 5]
                    millis = "1969-12-31"                       | [2]
                    millis = "9999"                             | [4]
                    millis = "2024-05-01T10:00:00.500Z"         | [1]
                    micros = "2024-05-01T10:00:00.000001Z"      | [1]
                    micros = "1969-12-31T23:59:59.999999Z"      | [3]
                    day = "2024-05-01"                          | [1]
                    day < "1970"                                | [2]
                    day <= "1970"                               | [2, 3]
                    days = "2023"                               | [1]
                    seen{"a"} >= "2024"                         | [1]
                    seen{"b"} >= "2024"                         | []
                    events.at = "2022"                          | [1]
                    events contains sameElement(name contains "x", at >= "2024") | [1]
                    events contains sameElement(name contains "y", at >= "2024") | []
                    """)
    void findsTimes(String condition, String numbers) throws Exception {
        assertThat(numbers("indexed", condition).toString()).isEqualTo(numbers);
        assertThat(numbers("streamed", condition).toString()).isEqualTo(numbers);
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "streamed"})
    void showsTimesAsAsked(String type) throws Exception {
        String yql = "select * from TYPE where number = ";
        JsonNode numbers = search(type, yql + 1).json().path("root").at("/children/0/fields");
        assertThat(numbers.get("time").asLong()).isEqualTo(1_714_557_600);
        assertThat(numbers.get("time").isNumber()).isTrue();
        assertThat(numbers.at("/seen/a").isNumber()).isTrue();
        JsonNode texts =
                search(type, yql + 1, "presentation.dates=iso")
                        .json()
                        .path("root")
                        .at("/children/0/fields");
        assertThat(texts.get("time").asString()).isEqualTo("2024-05-01T10:00:00Z");
        assertThat(texts.get("millis").asString()).isEqualTo("2024-05-01T10:00:00.500Z");
        assertThat(texts.get("micros").asString()).isEqualTo("2024-05-01T10:00:00.000001Z");
        assertThat(texts.get("day").asString()).isEqualTo("2024-05-01");
        assertThat(texts.get("days").toString()).isEqualTo("[\"2024-05-01\",\"2023-01-31\"]");
        assertThat(texts.get("seen").toString()).isEqualTo("{\"a\":\"2024-05-01T00:00:00Z\"}");
        assertThat(texts.at("/events/1/at").asString()).isEqualTo("2022-01-01T00:00:00Z");
        JsonNode ends =
                search(type, yql + 4, "presentation.dates=iso")
                        .json()
                        .path("root")
                        .at("/children/0/fields");
        assertThat(ends.get("time").asString()).isEqualTo("0000-01-01T00:00:00Z");
        assertThat(ends.get("millis").asString()).isEqualTo("9999-12-31T23:59:59.999Z");
        JsonNode far =
                search(type, yql + 5, "presentation.dates=iso")
                        .json()
                        .path("root")
                        .at("/children/0/fields");
        assertThat(far.get("time").asLong()).isEqualTo(Long.MAX_VALUE);
        assertThat(far.get("plain").asLong()).isEqualTo(1_714_557_600);
        String xml =
                search(type, yql + 1, "presentation.dates=iso", "presentation.format=xml").body();
        assertThat(xml).contains("<field name=\"day\">2024-05-01</field>");
        assertThat(
                        search(
                                        type,
                                        yql + 1,
                                        "presentation.dates=iso",
                                        "presentation.summary=short")
                                .body())
                .contains("\"when\":\"2024-05-01T10:00:00Z\"");
        Answer wrong = search(type, yql + 1, "presentation.dates=german");
        assertThat(wrong.status()).isEqualTo(400);
        assertThat(wrong.body())
                .contains("presentation.dates: expected iso or number but found 'german'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "streamed"})
    void groupsByTimes(String type) throws Exception {
        String yql =
                "select * from TYPE where number < 4 limit 0 | all(group(%s) order(min(number)) each(output(count(), max(%s))))";
        for (String field : List.of("time", "millis", "micros", "day")) {
            Answer answer = search(type, yql.formatted("time.date(" + field + ")", field));
            assertThat(values(answer).getFirst()).as(answer.toString()).isEqualTo("2024-5-1");
        }
        Answer millis = search(type, yql.formatted("time.year(millis)", "millis"));
        assertThat(values(millis)).as(millis.toString()).containsExactly("2024", "1969", "1970");
        Answer numbers = search(type, yql.formatted("day", "time"));
        assertThat(values(numbers)).containsExactly("1714521600", "-86400", "0");
        Answer texts = search(type, yql.formatted("day", "time"), "presentation.dates=iso");
        assertThat(values(texts)).containsExactly("2024-05-01", "1969-12-31", "1970-01-01");
        assertThat(
                        texts.json()
                                .path("root")
                                .at("/children/0/children/0/children/0/fields/max(time)")
                                .asString())
                .as(texts.toString())
                .isEqualTo("2024-05-01T10:00:00Z");
        Answer buckets =
                search(
                        type,
                        yql.formatted("time.bucket(millis, \"1d\")", "millis"),
                        "presentation.dates=iso");
        assertThat(values(buckets))
                .as(buckets.toString())
                .containsExactly("2024-05-01", "1969-12-31", "1970-01-01");
        Answer hours =
                search(
                        type,
                        yql.formatted("time.bucket(millis, \"1h\")", "millis"),
                        "presentation.dates=iso");
        assertThat(values(hours))
                .as(hours.toString())
                .containsExactly(
                        "2024-05-01T10:00:00Z", "1969-12-31T23:00:00Z", "1970-01-01T00:00:00Z");
        Answer xml =
                search(
                        type,
                        yql.formatted("day", "time"),
                        "presentation.dates=iso",
                        "presentation.format=xml");
        assertThat(xml.body()).contains("2024-05-01").contains("2024-05-01T10:00:00Z");
    }

    private static List<String> values(Answer answer) {
        var values = new ArrayList<String>();
        for (JsonNode group : answer.json().path("root").at("/children/0/children/0/children")) {
            values.add(group.get("value").asString());
        }
        return values;
    }

    @ParameterizedTest
    @ValueSource(strings = {"indexed", "streamed"})
    void writesTimes(String type) throws Exception {
        String path = path(type, 77);
        served.write(path, "\"time\":\"2024-05-01\",\"seen\":{\"a\":5}");
        Answer updated =
                served.put(
                        path,
                        """
                        {"fields":{"time":{"assign":"2001-02-03T04:05:06Z"},"seen{a}":{"assign":"2001-02-03"},
                        "days":{"add":["2001-02-03"]},"events":{"assign":[{"at":"2001-02-03"}]}}}
                        """);
        assertThat(updated.status()).as(updated.toString()).isEqualTo(200);
        JsonNode fields = served.get(path).json().get("fields");
        assertThat(fields.get("time").asLong()).isEqualTo(981_173_106);
        assertThat(fields.at("/seen/a").asLong()).isEqualTo(981_158_400);
        assertThat(fields.at("/days/0").asLong()).isEqualTo(981_158_400);
        assertThat(fields.at("/events/0/at").asLong()).isEqualTo(981_158_400);
        served.feed(
                List.of(
                        "{\"put\":\"id:n:%s:%s:77\",\"fields\":{\"millis\":\"2001-02-03\"}}"
                                .formatted(type, type.equals("streamed") ? "g=g" : "")));
        assertThat(served.get(path).json().at("/fields/millis").asLong())
                .isEqualTo(981_158_400_000L);
        assertThat(served.delete(path).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "time":"2024-13-01"          | field 'time': "2024-13-01" is no time, since the month is 13: expected one from 01 to 12
                    "time":"2024-05"             | field 'time': "2024-05" is no time: expected a day such as 2024-05-01 or a time such as 2024-05-01T10:00:00Z
                    "time":""                    | field 'time': "" is no time: expected a day such as 2024-05-01
                    "day":"2024-05-01T10:00:00Z" | expected a day such as 2024-05-01 for kind date but found a time, 2024-05-01T10:00:00Z
                    "time":1.5                   | expected a long, a whole number from -2^63 to 2^63-1, but found 1.5
                    "plain":"2024-05-01"         | expected a long, a whole number from -2^63 to 2^63-1, but found \\"2024-05-01\\"
                    """)
    void refusesWhatIsNoTime(String fields, String message) throws Exception {
        for (String type : List.of("indexed", "streamed")) {
            Answer answer = served.post(path(type, 78), "{\"fields\":{" + fields + "}}");
            assertThat(answer.status()).as(answer.toString()).isEqualTo(400);
            assertThat(answer.message().replace("\"", "\\\""))
                    .contains(message.replace("\\\"", "\"").replace("\"", "\\\""));
        }
    }

    @Test
    void namesWhatAConditionExpects() throws Exception {
        Answer answer = search("indexed", "select * from TYPE where time > \"2024-13-01\"");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().path("root").at("/errors/0/message").asString())
                .contains(
                        "\"2024-13-01\" is no time, since the month is 13: expected one from 01 to"
                                + " 12");
        assertThat(search("indexed", "select * from TYPE where plain > \"2024-05-01\"").body())
                .contains("expected a number for '>'");
    }
}
