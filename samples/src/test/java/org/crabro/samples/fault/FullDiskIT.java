package org.crabro.samples.fault;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where a disk is above its limit nothing is written that takes room, and everything else is. */
class FullDiskIT {
    private static final String NOTES = "/document/v1/ns/note/";
    private static final String FULL =
            ServedPackage.SERVICES.replace(
                    "<redundancy>1</redundancy>",
                    "<redundancy>1</redundancy><tuning><resource-limits><disk>0.000001</disk>"
                            + "</resource-limits></tuning>");

    @TempDir static Path directory;

    private static ServedPackage served;

    @BeforeAll
    static void start() throws Exception {
        served = new ServedPackage(directory);
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    @BeforeEach
    void fill() throws Exception {
        served.deploy(ServedPackage.SERVICES);
        served.note(
                "docid/full",
                "\"year\":1,\"text\":\"a\",\"done\":true,\"tags\":[\"a\",\"b\"],"
                        + "\"votes\":{\"x\":1},\"prices\":{\"milk\":1},\"place\":[1,2]");
        served.deploy(FULL);
    }

    @Test
    void answers507WhereADiskIsTooFullAndReadsAndRemovesOn() throws Exception {
        Answer put = served.post(NOTES + "docid/full2", "{\"fields\":{\"text\":\"b\"}}");
        Answer grown =
                served.put(NOTES + "docid/full", "{\"fields\":{\"text\":{\"assign\":\"b\"}}}");
        Answer counted =
                served.put(NOTES + "docid/full", "{\"fields\":{\"year\":{\"increment\":1}}}");
        Answer got = served.get(NOTES + "docid/full");
        Answer removed = served.delete(NOTES + "docid/full");

        for (Answer each : List.of(put, grown)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(507);
            assertThat(each.json().propertyNames()).containsExactly("pathId", "id", "message");
            assertThat(each.message()).contains("disk", "%", "configured limit");
        }
        for (Answer each : List.of(counted, got, removed)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(200);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {"year":{"increment":1}}                       | 200
                    {"year":{"divide":3}}                          | 200
                    {"year":{"assign":7},"done":{"assign":false}}  | 200
                    {"text":{"assign":null}}                       | 200
                    {"tags":{"remove":["a"]}}                      | 200
                    {"votes":{"remove":{"x":0}}}                   | 200
                    {}                                             | 200
                    {"text":{"assign":"b"}}                        | 507
                    {"year":{"assign":7},"text":{"assign":"b"}}    | 507
                    {"tags":{"add":["c"]}}                         | 507
                    {"tags":{"assign":["c"]}}                      | 507
                    {"votes":{"add":{"y":1}}}                      | 507
                    {"place":{"assign":[3,4]}}                     | 507
                    {"prices{milk}":{"increment":1}}               | 507
                    {"prices{milk}":{"remove":0}}                  | 507
                    {"tags[0]":{"remove":0}}                       | 507
                    """)
    void acceptsUpdatesThatCannotMakeADocumentLarger(String fields, int status) throws Exception {
        String body = "{\"fields\":%s}".formatted(fields);

        assertThat(served.put(NOTES + "docid/full", body).status()).isEqualTo(status);
        Answer line =
                served.post(
                        "/document/v1/",
                        "{\"update\":\"id:ns:note::full\",\"fields\":" + fields + "}",
                        "Content-Type",
                        "application/jsonl");
        assertThat(line.body()).contains("\"status\":" + status);
        if (!fields.equals("{}")) {
            assertThat(served.put(NOTES + "docid/none?create=true", body).status()).isEqualTo(507);
        }
    }

    @Test
    void changesWhatIsSelectedAlike() throws Exception {
        String selected = NOTES + "docid?cluster=notes&selection=id%3D%3D%22id:ns:note::full%22";

        Answer grown = served.put(selected, "{\"fields\":{\"text\":{\"assign\":\"b\"}}}");
        Answer counted = served.put(selected, "{\"fields\":{\"year\":{\"increment\":1}}}");
        Answer removed = served.delete(selected);

        assertThat(grown.status()).as(grown.toString()).isEqualTo(507);
        for (Answer each : List.of(counted, removed)) {
            assertThat(each.status()).as(each.toString()).isEqualTo(200);
            assertThat(each.json().get("documentCount").asInt()).isEqualTo(1);
        }
        assertThat(served.get(NOTES + "docid?wantedDocumentCount=9").status()).isEqualTo(200);
    }
}
