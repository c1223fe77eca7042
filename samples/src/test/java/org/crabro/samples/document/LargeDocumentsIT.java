package org.crabro.samples.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Documents of tens of megabytes are written, read, found and kept like others; up to a limit. */
class LargeDocumentsIT {
    private static final int LENGTH = 40 << 20;
    private static final String NOTES = "/document/v1/ns/note/group/large/";

    @TempDir static Path directory;

    private static ServedPackage served;

    @BeforeAll
    static void start() throws Exception {
        served = new ServedPackage(directory.resolve("data"));
    }

    @AfterAll
    static void stop() {
        served.close();
    }

    @Test
    void keepsALargeDocument() throws Exception {
        served.deploy(ServedPackage.SERVICES);
        String text = "elephant ".repeat(LENGTH / "elephant ".length());
        served.note("group/large/1", "\"year\":1,\"text\":\"" + text + "\"");
        served.note("group/large/2", "\"year\":2,\"text\":\"mouse\"");

        has(text);
        served.restart();
        has(text);
        served.backUp(directory.resolve("backup"));
        has(text);
        Answer updated = served.put(NOTES + "1", "{\"fields\":{\"year\":{\"increment\":2}}}");
        assertThat(updated.status()).as(updated.body()).isEqualTo(200);
        assertThat(served.get(NOTES + "1").json().get("fields").get("year").asInt()).isEqualTo(3);

        for (int i = 10; i < 14; i++) {
            served.note("group/large/" + i, "\"year\":9,\"text\":\"" + text + "\"");
        }
        Answer all = served.search("large", "select text from note where year = 9", "");
        Answer years = served.search("large", "select year from note where year = 9", "");
        assertThat(all.status()).as(all.body()).isEqualTo(413);
        assertThat(all.body()).contains("are allowed (requests.memory)");
        assertThat(years.json().get("root").get("children").size()).isEqualTo(4);
    }

    /** Looks for the document in every way. */
    private static void has(String text) throws Exception {
        assertThat(text(served.get(NOTES + "1").json())).isEqualTo(text);
        JsonNode visited = served.get(NOTES + "?wantedDocumentCount=10").json();
        assertThat(text(visited.get("documents").get(0))).isEqualTo(text);
        for (String word : new String[] {"elephant", "mouse"}) {
            JsonNode root =
                    served.search(
                                    "large",
                                    "select * from note where text contains '" + word + "'",
                                    "")
                            .json()
                            .get("root");
            assertThat(root.get("fields").get("totalCount").asInt()).isEqualTo(1);
            assertThat(text(root.get("children").get(0))).startsWith(word);
        }
    }

    private static String text(JsonNode document) {
        return document.get("fields").get("text").asString();
    }

    @Test
    void refusesWhatTheClusterSaysIsTooLargeFromItsActivationOn() throws Exception {
        String small =
                ServedPackage.SERVICES.replaceFirst(
                        "<redundancy>1</redundancy>",
                        "<redundancy>1</redundancy>"
                                + "<tuning><max-document-size>1MiB</max-document-size></tuning>");
        String text = "\"" + "x".repeat(1 << 20) + "\"";

        served.deploy(small);
        Answer note = served.post(NOTES + "3", "{\"fields\":{\"text\":" + text + "}}");
        Answer city =
                served.post("/document/v1/ns/city/docid/1", "{\"fields\":{\"name\":" + text + "}}");

        assertThat(note.status()).isEqualTo(400);
        assertThat(note.message())
                .matches(".* has 10486\\d\\d bytes, more than the maximum of 1048576");
        assertThat(city.status()).as("of another cluster").isEqualTo(200);

        served.deploy(ServedPackage.SERVICES);
        served.note("group/large/3", "\"text\":" + text);
    }

    @Test
    void refusesLargerBodiesThanTheContainerSaysWhateverTheirEncoding() throws Exception {
        served.deploy(
                ServedPackage.SERVICES.replace(
                        "<document-api/>",
                        "<document-api><max-document-size>1MiB</max-document-size></document-api>"));
        byte[] body = ("{\"fields\":{\"text\":\"" + "x".repeat(1 << 20) + "\"}}").getBytes(UTF_8);
        byte[] compressed = gzip(body);

        Answer plain = served.send("POST", served.container(NOTES + "4"), body);
        Answer packed =
                served.send(
                        "POST",
                        served.container(NOTES + "4"),
                        compressed,
                        "Content-Encoding",
                        "gzip");

        for (Answer each : new Answer[] {plain, packed}) {
            assertThat(each.status()).as(each.body()).isEqualTo(413);
            assertThat(each.message())
                    .matches("the body has \\d+ bytes or more, at most 1048576 are allowed");
        }
        assertThat(plain.message()).contains(" " + body.length + " ");
    }

    private static byte[] gzip(byte[] bytes) throws IOException {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(bytes);
        }
        return out.toByteArray();
    }
}
