package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Serves one document type from several content clusters. */
class ContentClustersIT {
    private static final String NOTE =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
              }
              fieldset default { fields: text }
            }
            """;

    private static final String HOT = cluster("hot", "streaming", "note.year &gt; 2000");
    private static final String ALL = cluster("all", "index", "");
    private static final String ARCHIVE = cluster("archive", "store-only", "");

    @TempDir Path data;

    private static String cluster(String id, String mode, String selection) {
        return """
        <content id="%s" version="1.0">
          <redundancy>1</redundancy>
          <documents>
            <document type="note" mode="%s" selection="%s"/>
          </documents>
        </content>
        """
                .formatted(id, mode, selection);
    }

    private static String services(String... clusters) {
        return """
        <services version="1.0">
          <container id="default" version="1.0"><search/><document-api/></container>
          %s
        </services>
        """
                .formatted(String.join("", clusters));
    }

    private ServedPackage serve(String... clusters) throws Exception {
        return ServedPackage.of(
                data, Map.of("services.xml", services(clusters), "schemas/note.sd", NOTE));
    }

    private static String fields(String text, int year) {
        return "\"text\":\"%s\",\"year\":%d".formatted(text, year);
    }

    private static List<String> stored(ServedPackage served, String cluster) throws Exception {
        return served
                .everything("/document/v1/?cluster=" + cluster + "&wantedDocumentCount=100")
                .stream()
                .sorted()
                .toList();
    }

    private static JsonNode search(ServedPackage served, String yql, String more) throws Exception {
        ServedPackage.Answer answer =
                served.get("/search/?timeout=60s&yql=" + URLEncoder.encode(yql, UTF_8) + more);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().get("root");
    }

    private static List<String> ids(JsonNode root) {
        var ids = new ArrayList<String>();
        root.path("children")
                .forEach(hit ->
                        ids.add(hit.get("source").asString() + " " + hit.at("/fields/year")));
        return ids;
    }

    @Test
    void writesGoToTheClustersThatSelectThemAndSurviveARestart() throws Exception {
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            served.note("docid/new", fields("one", 2005));
            served.feed(
                    List.of(
                            "{\"put\":\"id:ns:note::old\",\"fields\":{"
                                    + fields("two", 1990)
                                    + "}}",
                            "{\"put\":\"id:ns:note::both\",\"fields\":{"
                                    + fields("two", 2010)
                                    + "}}"));
            served.put(
                    "/document/v1/ns/note/docid/old", "{\"fields\":{\"text\":{\"assign\":\"x\"}}}");
            served.delete("/document/v1/ns/note/docid/both");

            served.restart();

            assertThat(stored(served, "hot")).containsExactly("id:ns:note::new");
            assertThat(stored(served, "archive"))
                    .containsExactly("id:ns:note::new", "id:ns:note::old");
            assertThat(served.get("/document/v1/ns/note/docid/old").json().at("/fields/text"))
                    .hasToString("\"x\"");
            assertThat(served.get("/document/v1/ns/note/docid/old?cluster=archive").status())
                    .isEqualTo(200);
            assertThat(served.get("/document/v1/ns/note/docid/old?cluster=hot").status())
                    .isEqualTo(404);
        }
    }

    @Test
    void aPutThatNoClusterSelectsIsIgnored() throws Exception {
        try (ServedPackage served =
                serve(HOT, cluster("old", "streaming", "note.year &lt; 1900"))) {
            ServedPackage.Answer answer =
                    served.post(
                            "/document/v1/ns/note/docid/1",
                            "{\"fields\":{" + fields("one", 1950) + "}}");

            assertThat(answer.status()).isEqualTo(200);
            assertThat(answer.header("X-Vespa-Ignored-Operation")).isEqualTo("true");
            assertThat(answer.message()).contains("'note.year > 2000' or 'note.year < 1900'");
            assertThat(served.get("/document/v1/ns/note/docid/1").status()).isEqualTo(404);
        }
    }

    @Test
    void aVisitNamesItsCluster() throws Exception {
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            for (String path : List.of("ns/note/docid", "ns/note/group/anna")) {
                ServedPackage.Answer answer = served.get("/document/v1/" + path);

                assertThat(answer.status()).isEqualTo(400);
                assertThat(answer.message())
                        .contains("specify one of the content clusters 'hot', 'archive'");
            }
            assertThat(served.get("/document/v1/?cluster=x").message())
                    .contains("no content cluster 'x', only 'hot', 'archive'");
        }
    }

    @Test
    void aSearchMergesOverItsSources() throws Exception {
        try (ServedPackage served = serve(ALL, HOT, ARCHIVE)) {
            served.note("group/anna/1", fields("boat", 2001));
            served.note("group/anna/2", fields("boat", 1999));
            served.note("group/ben/3", fields("boat", 2003));
            String group = "&streaming.groupname=anna&sorting=-year";
            String yql = "select * from sources * where text contains \"boat\"";

            JsonNode both = search(served, yql, group);
            assertThat(ids(both)).containsExactly("all 2001", "hot 2001", "all 1999");
            assertThat(both.at("/fields/totalCount").asInt()).isEqualTo(3);
            assertThat(both.at("/coverage/results").asInt()).isEqualTo(2);

            assertThat(ids(search(served, yql.replace("sources *", "hot"), group)))
                    .containsExactly("hot 2001");
            assertThat(ids(search(served, yql.replace("sources *", "all"), "&sorting=year")))
                    .containsExactly("all 1999", "all 2001", "all 2003");
            assertThat(
                            search(
                                            served,
                                            yql + " | all(group(year) each(output(count())))",
                                            group + "&hits=0")
                                    .toString())
                    .contains("\"value\":\"2001\",\"fields\":{\"count()\":2}")
                    .contains("\"value\":\"1999\",\"fields\":{\"count()\":1}");
            ServedPackage.Answer storeOnly =
                    served.get(
                            "/search/?yql="
                                    + URLEncoder.encode(
                                            yql.replace("sources *", "archive"), UTF_8));
            assertThat(storeOnly.status()).isEqualTo(400);
            assertThat(storeOnly.body()).contains("stored only (mode=\\\"store-only\\\"");
        }
    }

    @Test
    void documentsMoveFromOneClusterToAnother() throws Exception {
        String overrides =
                "<validation-overrides><allow until='%s'>content-cluster-removal</allow></validation-overrides>"
                        .formatted(LocalDate.now(ZoneOffset.UTC).plusDays(2));
        try (ServedPackage served = serve(HOT)) {
            served.note("group/anna/1", fields("one", 2001));
            served.note("group/anna/2", fields("two", 2002));
            served.deploy(services(HOT, ARCHIVE));
            assertThat(stored(served, "archive")).isEmpty();
            served.note("group/anna/3", fields("three", 2003));

            ServedPackage.Answer copied =
                    served.post(
                            "/document/v1/?cluster=hot&destinationCluster=archive&selection=note.year%3C2003",
                            "");
            assertThat(copied.json().get("documentCount").asInt()).as(copied.body()).isEqualTo(2);
            List<String> all = stored(served, "hot");
            assertThat(stored(served, "archive")).isEqualTo(all).hasSize(3);

            served.change("validation-overrides.xml", overrides);
            served.deploy(services(ARCHIVE));
            served.restart();
            assertThat(stored(served, "archive")).isEqualTo(all);
            assertThat(served.get("/document/v1/ns/note/group/anna").json().get("documentCount"))
                    .isNotNull();
            assertThat(served.get("/document/v1/?cluster=hot").status()).isEqualTo(400);
        }
    }

    @Test
    void aGroupIsRemovedFromEveryClusterOrFromOne() throws Exception {
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            for (String group : List.of("anna", "ben")) {
                served.note("group/" + group + "/1", fields("one", 2001));
            }

            served.delete("/document/v1/ns/note/group/anna/?wholeGroup=true");
            served.delete("/document/v1/ns/note/group/ben/?wholeGroup=true&cluster=hot");

            assertThat(stored(served, "hot")).isEmpty();
            assertThat(stored(served, "archive")).containsExactly("id:ns:note:g=ben:1");
        }
    }

    @Test
    void selectionsChangeTheCopyOfOneCluster() throws Exception {
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            served.note("docid/1", fields("one", 2001));
            served.note("docid/2", fields("two", 2002));

            served.delete("/document/v1/?cluster=hot&selection=note.year%3D%3D2001");
            served.put(
                    "/document/v1/ns/note/docid/?cluster=archive&selection=true",
                    "{\"fields\":{\"text\":{\"assign\":\"changed\"}}}");

            assertThat(stored(served, "hot")).containsExactly("id:ns:note::2");
            assertThat(stored(served, "archive")).hasSize(2);
            assertThat(served.get("/document/v1/ns/note/docid/2?cluster=hot").body())
                    .contains("\"two\"");
            assertThat(served.get("/document/v1/ns/note/docid/2?cluster=archive").body())
                    .contains("\"changed\"");
        }
    }

    @Test
    void aBackupHasTheDocumentsOfAllClusters() throws Exception {
        Path backup = data.resolveSibling(data.getFileName() + "-backup");
        Path restored = data.resolveSibling(data.getFileName() + "-restored");
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            served.note("docid/1", fields("one", 2001));
            served.note("docid/2", fields("two", 1999));
            served.backUp(backup);
        }

        copy(backup, restored.resolve("content-data"));
        try (var served = new ServedPackage(restored)) {
            assertThat(stored(served, "hot")).containsExactly("id:ns:note::1");
            assertThat(stored(served, "archive")).containsExactly("id:ns:note::1", "id:ns:note::2");
            assertThat(restored.resolve("content-data-2")).isDirectory();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        try (Stream<Path> files = Files.walk(from)) {
            for (Path each : files.toList()) {
                Files.copy(
                        each,
                        to.resolve(from.relativize(each)),
                        StandardCopyOption.REPLACE_EXISTING);
            }
        }
    }

    @Test
    void settlesAndCountsAllStores() throws Exception {
        try (ServedPackage served = serve(HOT, ARCHIVE)) {
            served.note("docid/1", fields("one", 2001));
            served.note("docid/2", fields("two", 1999));

            ServedPackage.Answer settled =
                    served.send("POST", served.config("/crabro/v1/settle"), new byte[0]);

            assertThat(settled.status()).as(settled.toString()).isEqualTo(200);
            assertThat(served.get("/prometheus/v1/values").body())
                    .containsPattern("content_proton_documentdb_documents_total[^\\n]* 3(\\.0)? ");
        }
    }

    @Test
    void eachClusterReadsItsOwnParents() throws Exception {
        String types =
                "<content id='%s' version='1.0'><redundancy>1</redundancy><documents><document type='song' mode='index'/><document type='artist' mode='index' global='true'/></documents></content>";
        Map<String, String> files =
                Map.of(
                        "services.xml",
                        services(types.formatted("one"), types.formatted("two")),
                        "schemas/artist.sd",
                        """
                        schema artist {
                          document artist {
                            field year type int { indexing: attribute | summary }
                          }
                        }
                        """,
                        "schemas/song.sd",
                        """
                        schema song {
                          document song {
                            field artist type reference<artist> { indexing: attribute }
                          }
                          import field artist.year as year {}
                          document-summary default { summary year {} }
                        }
                        """);
        try (ServedPackage served = ServedPackage.of(data, files)) {
            served.write("/document/v1/ns/artist/docid/keith", "\"year\":1945");
            served.write("/document/v1/ns/song/docid/1", "\"artist\":\"id:ns:artist::keith\"");
            served.put(
                    "/document/v1/ns/artist/docid/?cluster=two&selection=true",
                    "{\"fields\":{\"year\":{\"assign\":1950}}}");
            String all = "select year from sources one, two where true";

            assertThat(ids(search(served, all, "&sorting=-year&restrict=song")))
                    .containsExactly("two 1950", "one 1945");
            assertThat(ids(search(served, "select year from song where year > 1946", "")))
                    .containsExactly("two 1950");
            JsonNode sections = search(served, all, "&searchChain=native&restrict=song");
            assertThat(sections.path("children")).hasSize(2);
            for (JsonNode section : sections.path("children")) {
                assertThat(ids(section))
                        .containsExactly(
                                section.get("source").asString().equals("one")
                                        ? "one 1945"
                                        : "two 1950");
            }
            String grouped = all + " | all(group(year) each(output(count())))";
            assertThat(search(served, grouped, "&hits=0&restrict=song").toString())
                    .contains("\"value\":\"1945\",\"fields\":{\"count()\":1}")
                    .contains("\"value\":\"1950\",\"fields\":{\"count()\":1}");
        }
    }
}
