package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SnippetRules;
import org.crabro.config.schema.SnippetSettings;
import org.crabro.config.schema.SnippetSize;
import org.crabro.config.schema.StemMarking;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.Mode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApplicationCompilerTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container version="1.0"><search/><document-api/></container>
              <content version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;
    private static final String NOTE =
            """
            schema note {
                document note {
                    field text type string { indexing: index | summary }
                }
            }
            """;

    private final Map<String, String> files =
            new LinkedHashMap<>(Map.of("services.xml", SERVICES, "schemas/note.sd", NOTE));

    @Test
    void compilesAPackage() {
        CompiledApplication compiled = compile();

        assertThat(compiled.model().generation()).isEqualTo(7);
        assertThat(compiled.model().schemas()).containsOnlyKeys("note");
        assertThat(compiled.model().services().contents().getFirst().documents().getFirst().mode())
                .isEqualTo(Mode.STREAMING);
        assertThat(compiled.notices()).isEmpty();
    }

    /** In mode index words have stems by default, in mode streaming they have none. */
    @Test
    void aTypeInSeveralClustersIsSearchedByTheModeOfEach() {
        files.put(
                "services.xml",
                "<services version='1.0'>"
                        + cluster("a", "index")
                        + cluster("b", "streaming")
                        + cluster("c", "store-only")
                        + "</services>");
        ApplicationModel both = compile().model();
        files.put("services.xml", cluster("a", "index"));
        Schema index = Objects.requireNonNull(compile().model().schemas().get("note"));
        files.put("services.xml", cluster("b", "streaming"));
        Schema streaming = Objects.requireNonNull(compile().model().schemas().get("note"));

        assertThat(index).isNotEqualTo(streaming);
        assertThat(both.services().contents())
                .flatExtracting(ContentCluster::documents)
                .extracting(both::schema)
                .containsExactly(index, streaming, index);
    }

    @Test
    void aPartOfAModelHasTheTypesThatAreStored() {
        files.put(
                "services.xml",
                "<services version='1.0'>"
                        + cluster("a", "index")
                        + cluster("b", "streaming")
                        + "</services>");
        ApplicationModel both = compile().model();

        ApplicationModel part = both.part((cluster, _) -> cluster.equals("b"));

        assertThat(part.services().contents()).extracting(ContentCluster::id).containsExactly("b");
        assertThat(part.schemas().get("note"))
                .isEqualTo(
                        both.schema(both.services().contents().getLast().documents().getFirst()));
        assertThat(
                        Objects.requireNonNull(both.part((_, _) -> false).schemas().get("note"))
                                .rankProfiles())
                .isEmpty();
    }

    private static String cluster(String id, String mode) {
        return """
        <content id="%s" version="1.0">
          <redundancy>1</redundancy>
          <documents><document type="note" mode="%s"/></documents>
        </content>
        """
                .formatted(id, mode);
    }

    @Test
    void knowsHowSnippetsAreMade() {
        files.put(
                "services.xml",
                SERVICES.replace(
                        "</content>",
                        """
                        <config name="vespa.config.search.summary.juniperrc">
                          <length>1000</length>
                          <max_matches>2</max_matches>
                          <override>
                            <item><fieldname>text</fieldname><length>9</length></item>
                          </override>
                        </config></content>
                        """));

        SnippetRules rules =
                Objects.requireNonNull(compile().model().schemas().get("note"))
                        .summaries()
                        .snippets();

        assertThat(rules.of("other"))
                .isEqualTo(
                        new SnippetSettings(
                                new SnippetSize(1_000, 128, 2, 128),
                                200,
                                1_000,
                                new StemMarking(5, 3),
                                true));
        assertThat(rules.of("text"))
                .isEqualTo(
                        new SnippetSettings(
                                new SnippetSize(9, 128, 2, 128),
                                200,
                                1_000,
                                new StemMarking(5, 3),
                                true));
    }

    @Test
    void leavesOutSchemasThatNoClusterNames() {
        files.put("schemas/other.sd", NOTE.replace("note", "other"));

        CompiledApplication compiled = compile();

        assertThat(compiled.model().schemas()).containsOnlyKeys("note");
        assertThat(compiled.notices())
                .containsExactly(
                        new Notice(Notice.Level.INFO, "schema other: no content cluster names it"));
    }

    @Test
    void readsTheOldDirectoryOfSchemas() {
        files.remove("schemas/note.sd");
        files.put("searchdefinitions/note.sd", NOTE);

        assertThat(compile().notices())
                .containsExactly(
                        new Notice(
                                Notice.Level.WARNING,
                                "searchdefinitions/: this is the old name; move the files to"
                                        + " schemas/"));
    }

    @Test
    void reportsTheProblemsOfAllFiles() {
        files.put("services.xml", SERVICES.replace("<search/>", "<serch/>"));
        files.put("schemas/note.sd", NOTE.replace("indexing", "indexng"));
        files.put(
                "schemas/other.sd",
                "schema other {\n  document other {\n    field a type int {}\n}");
        files.put(".preprocessed/a", "");

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(this::compile)
                .satisfies(e ->
                        assertThat(
                                        e.problems().stream()
                                                .map(text -> text.lines().findFirst().orElse("")))
                                .containsExactly(
                                        ".preprocessed/a: this directory is not for packages;"
                                                + " remove it",
                                        "schemas/note.sd:3:34: expected one of alias, attribute, bolding, "
                                                + "dictionary, id, index, indexing, kind, linguistics, map, match, normalizing, "
                                                + "query-command, rank, rank-type, sorting, stemming, struct-field, summary, summary-to, weight, weightedset"
                                                + " but found 'indexng'; did you mean 'indexing'?",
                                        "schemas/other.sd:4:2: expected the '}' for the '{'"
                                                + " at line 1 but found the end of the file",
                                        "services.xml:2:28: unknown element 'serch' in"
                                                + " container; expected elements out of"
                                                + " accesslog, client-authorize, clients,"
                                                + " component, components, config, document,"
                                                + " document-api, document-processing,"
                                                + " handler, http, include, inference,"
                                                + " load-balancer, model-evaluation, nodes, processing,"
                                                + " search, secret-store, secrets, server,"
                                                + " threadpool, zookeeper; did you mean"
                                                + " 'search'?"))
                .withMessageStartingWith("Invalid application: 4 problems:\n.preprocessed/a: ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    components/a.jar          => components/a.jar: no jar that can be read: /package/components/a.jar
                    models.generated/a        => models.generated/a: this directory is not for packages; remove it
                    searchdefinitions/note.sd => searchdefinitions/note.sd: schemas/note.sd exists, too; remove one
                    """)
    void rejectsForbiddenFiles(String path, String problem) {
        files.put(path, "");

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(this::compile)
                .satisfies(e -> assertThat(e.problems()).contains(problem));
    }

    @Test
    void aSingleProblemStandsInTheMessage() {
        files.remove("services.xml");

        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(this::compile)
                .withMessage(
                        "Invalid application: services.xml: missing in the root of the package,"
                                + " where it is required");
    }

    private CompiledApplication compile() {
        return ApplicationCompiler.compile(new MapFiles(files), 7);
    }
}
