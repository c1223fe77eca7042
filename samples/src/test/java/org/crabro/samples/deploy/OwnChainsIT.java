package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.crabro.container.http.BrowserSettings;
import org.crabro.container.http.HttpSettings;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.NotesApplication;
import org.crabro.samples.fixture.OwnJar;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Chains of an application's own in files of their own, hosts of handlers, and paging. */
class OwnChainsIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
                <document-processing/>
                <handler id="inside" class="own.Named"><binding>http://inside.*/hello</binding></handler>
                <handler id="exact" class="own.Named"><binding>http://exact.example/hello</binding></handler>
                <handler id="any" class="own.Named"><binding>http://*/hello</binding></handler>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="index"/></documents>
              </content>
            </services>
            """;

    private static final String SEARCH_CHAINS =
            """
            <search>
              <chain id="default" inherits="vespa">
                <searcher id="odd" class="own.Hiding"/>
              </chain>
              <chain id="defaults" inherits="default">
                <config name="own.hiding"><marked>from the file</marked></config>
                <searcher id="marks" class="own.Marking"/>
              </chain>
            </search>
            """;

    private static final String DOCUMENT_CHAINS =
            """
            <chain id="default"><documentprocessor id="ends" class="own.Ends"/></chain>
            """;

    private static final String HEAD =
            "package own; import java.util.*; import org.crabro.component.*; import"
                    + " org.crabro.document.*; import org.crabro.document.operation.*;\n";

    private static final Map<String, String> SOURCES =
            Map.of(
                    "own/Hiding.java",
                    HEAD
                            + """
                            public final class Hiding implements Searcher {
                                public Result search(Query query, Execution execution) {
                                    Result found = execution.search(query);
                                    List<Hit> hits = new ArrayList<>(found.hits());
                                    hits.removeIf(hit -> hit.fields().get("version") instanceof FieldValue.IntValue(int version) && version % 2 == 1);
                                    return found.withHits(hits);
                                }
                            }
                            """,
                    "own/Marking.java",
                    HEAD
                            + """
                            public final class Marking implements Searcher {
                                private final String text;
                                public Marking(ComponentContext context) { text = context.config("own.hiding").text("marked", ""); }
                                public Result search(Query query, Execution execution) {
                                    Result found = execution.search(query);
                                    return found.withHits(found.hits().stream().map(hit -> hit.withField("mark", new FieldValue.StringValue(text))).toList());
                                }
                            }
                            """,
                    "own/Ends.java",
                    HEAD
                            + """
                            public final class Ends implements DocumentProcessor {
                                public Progress process(DocumentOperation operation) {
                                    if (!(operation instanceof DocumentOperation.Put(Document document))) return Progress.done(operation);
                                    var fields = new LinkedHashMap<>(document.fields());
                                    fields.put("text", new FieldValue.StringValue("ended"));
                                    return Progress.done(new DocumentOperation.Put(new Document(document.id(), fields)));
                                }
                            }
                            """,
                    "own/Named.java",
                    HEAD
                            + """
                            public final class Named implements Handler {
                                private final String id;
                                public Named(ComponentContext context) { id = context.id(); }
                                public void handle(HttpRequest request, HttpResponse response) throws java.io.IOException {
                                    response.body().write(id.getBytes(java.nio.charset.StandardCharsets.UTF_8));
                                }
                            }
                            """);

    private static byte[] jar = {};

    @TempDir static Path work;
    @TempDir Path data;

    private final Http http = new Http();
    private CrabroServer server;

    @BeforeAll
    static void compile() throws Exception {
        jar = OwnJar.of(SOURCES, work);
    }

    @BeforeEach
    void start() throws Exception {
        var named = new BrowserSettings(List.of("inside.other", "outside.example"), List.of());
        server =
                CrabroServer.start(
                        TestSettings.of(
                                data,
                                HttpSettings.loopback(0).with(named),
                                true,
                                HttpSettings.loopback(0)));
        Map<String, byte[]> files = new LinkedHashMap<>();
        files.put("services.xml", SERVICES.getBytes(UTF_8));
        files.put("schemas/note.sd", NotesApplication.SCHEMA.getBytes(UTF_8));
        files.put("search/chains/mine.xml", SEARCH_CHAINS.getBytes(UTF_8));
        files.put("docproc/chains/mine.xml", DOCUMENT_CHAINS.getBytes(UTF_8));
        files.put("components/own.jar", jar);
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue());
            }
        }
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        bytes.toByteArray());
        assertThat(deployed.status()).as("%s", deployed).isEqualTo(200);
        for (int i = 0; i < 10; i++) {
            Http.Answer put =
                    http.post(
                            server.container().resolve("/document/v1/n/note/docid/" + i),
                            Http.JSON.readTree("{\"fields\":{\"version\":" + i + "}}"));
            assertThat(put.status()).as("%s", put).isEqualTo(200);
        }
    }

    @AfterEach
    void stop() {
        server.close();
        http.close();
    }

    @Test
    void chainsStandInFilesOfTheirOwn() throws Exception {
        JsonNode hits = search("&searchChain=defaults&hits=2").path("children");

        assertThat(hits).hasSize(1);
        assertThat(hits.get(0).path("fields").toString())
                .contains("\"version\":0", "\"text\":\"ended\"", "\"mark\":\"from the file\"");
    }

    @Test
    void pagesGoOnWhereASearcherLeftOutHits() throws Exception {
        var versions = new ArrayList<Integer>();
        var sizes = new ArrayList<Integer>();
        String after = "";
        for (int page = 0; page < 10 && after != null; page++) {
            JsonNode root = search("&hits=3&after=" + URLEncoder.encode(after, UTF_8));
            JsonNode hits = root.path("children");
            hits.forEach(hit -> versions.add(hit.path("fields").path("version").asInt()));
            sizes.add(hits.size());
            JsonNode next = root.path("fields").path("after");
            after = next.isMissingNode() ? null : next.asString();
        }

        // Of 3, 3, 3 and 1 hits those with odd versions are hidden.
        assertThat(versions).containsExactly(0, 2, 4, 6, 8);
        assertThat(sizes).startsWith(2, 1, 2, 0);
    }

    @Test
    void handlersAnswerAtTheirHosts() throws Exception {
        assertThat(called("inside.other")).isEqualTo("inside");
        assertThat(called("INSIDE.other:8080")).isEqualTo("inside");
        assertThat(called("exact.example")).isEqualTo("exact");
        assertThat(called("outside.example")).isEqualTo("any");
        assertThat(called("127.0.0.1")).isEqualTo("any");
        assertThat(called("inside.attacker.example")).contains("is not a name of this server");
    }

    private JsonNode search(String more) throws Exception {
        String yql = URLEncoder.encode("select * from note where true order by version", UTF_8);
        URI target = server.container().resolve("/search/?timeout=60s&yql=" + yql + more);
        Http.Answer answer = http.get(target);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.body().path("root");
    }

    private String called(String host) throws Exception {
        List<String> command =
                List.of(
                        "curl",
                        "-s",
                        "-H",
                        "Host: " + host,
                        server.container().resolve("/hello").toString());
        Process curl = new ProcessBuilder(command).start();
        String answer = new String(curl.getInputStream().readAllBytes(), UTF_8);
        assertThat(curl.waitFor()).isZero();
        return answer;
    }
}
