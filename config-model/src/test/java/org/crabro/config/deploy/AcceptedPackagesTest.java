package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.crabro.config.application.MapFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.document.FieldType.Primitive;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packages that look careless and work on Vespa are accepted, with a warning if needed. */
class AcceptedPackagesTest {
    private static final String SERVICES =
            """
            <services version="1.0">
              %s
              <container id="default" version="1.0">
                <search/>
                %s
              </container>
              <content id="store" version="1.0">
                <redundancy>1</redundancy>
                <documents>%s<document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private static final String NOTE = "schema note { document note { %s } %s }";

    /** A package, changed by a test. */
    private final Map<String, String> files =
            new TreeMap<>(
                    Map.of(
                            "services.xml", SERVICES.formatted("", "", ""),
                            "schemas/note.sd",
                                    NOTE.formatted(
                                            "field text type string { indexing: index }", "")));

    private CompiledApplication compiled() {
        return ApplicationCompiler.compile(new MapFiles(files), 1);
    }

    private Schema note() {
        return Objects.requireNonNull(compiled().model().schemas().get("note"));
    }

    private RankProfile profile(String name) {
        return Objects.requireNonNull(note().rankProfiles().get(name));
    }

    private List<String> warnings() {
        return compiled().notices().stream()
                .filter(notice -> notice.level() == Notice.Level.WARNING)
                .map(Notice::message)
                .toList();
    }

    private void isRefused(String... parts) {
        assertThatExceptionOfType(InvalidApplicationException.class)
                .isThrownBy(this::compiled)
                .withMessageContainingAll(parts);
    }

    @Test
    void theSameConfigTwiceInOneElementAndAtSeveralLevelsAddsUp() {
        String config =
                "<config name=\"vespa.config.search.summary.juniperrc\"><length>%d</length></config>";
        files.put(
                "services.xml",
                SERVICES.formatted(config.formatted(100) + config.formatted(200), "", ""));

        assertThat(warnings()).isEmpty();
        assertThat(note().summaries().snippets().of("text").size().length()).isEqualTo(200);
    }

    @Test
    void theFallbackMultiplierOfSnippetsIsAWarning() {
        files.put(
                "services.xml",
                SERVICES.formatted(
                        "<config name=\"vespa.config.search.summary.juniperrc\">"
                                + "<winsize_fallback_multiplier>10.5</winsize_fallback_multiplier>"
                                + "</config>",
                        "",
                        ""));

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("winsize_fallback_multiplier has no effect");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<documents>CONFIG<document type='note' mode='index'/></documents>",
                "<documents><document type='note' mode='index'/></documents>"
                        + "<group name='g'>CONFIG<node hostalias='a' distribution-key='0'/></group>",
                "<documents><document type='note' mode='index'/></documents>"
                        + "<nodes>CONFIG<node hostalias='a' distribution-key='0'/></nodes>",
                "<documents><document type='note' mode='index'/></documents><search>CONFIG</search>"
            })
    void aConfigIsRefusedWhereTheXmlSchemaAllowsNone(String content) {
        String services =
                "<content version='1.0'><redundancy>1</redundancy>%s</content>".formatted(content);
        files.put("services.xml", services.replace("CONFIG", ""));
        assertThat(compiled().model().services().contents()).hasSize(1);

        files.put(
                "services.xml", services.replace("CONFIG", "<config name='a.b'><c>1</c></config>"));

        isRefused("'config'");
    }

    private static final String TWO_CONTAINERS =
            """
            <services version="1.0">
              <container id="query" version="1.0">
                <search>%s</search>
                <nodes count="2"/>
              </container>
              <container id="feed" version="1.0">
                <document-api/>
                <document-processing/>
                %s
                <nodes count="3"/>
              </container>
              <content id="store" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="note" mode="streaming"/>
                  <document-processing cluster="feed"/>
                </documents>
              </content>
            </services>
            """;

    @Test
    void containersWithNodesOfTheirOwnMayUseOnePort() {
        files.put("services.xml", TWO_CONTAINERS.formatted("", ""));
        assertThat(warnings())
                .containsOnlyOnce(
                        "services.xml:6:3: containers 'query' and 'feed' have hosts of their own; here, one"
                                + " process answers for both at port 8080");

        files.put(
                "services.xml",
                TWO_CONTAINERS.formatted("", "").replace("<nodes count=\"2\"/>", ""));
        assertThat(warnings()).anyMatch(warning -> warning.contains("at port 8080"));
        files.put(
                "services.xml",
                TWO_CONTAINERS.formatted("", "").replaceAll("<nodes count.*/>", ""));
        isRefused(
                "containers 'query' and 'feed' both listen on port 8080; give one of them another");
    }

    @ParameterizedTest
    @CsvSource({"native, c", "vespa, d"})
    void containersOfOnePortMustNotHaveDifferentChainsOfOneName(String parent, String other) {
        String chain =
                "<chain id=\"%s\" inherits=\"%s\"><federation id=\"f\"><source idref=\"store\"/>"
                        + "</federation></chain>";
        String first = chain.formatted("c", "vespa");
        files.put(
                "services.xml",
                TWO_CONTAINERS.formatted(
                        first, "<search>" + chain.formatted(other, parent) + "</search>"));

        if (other.equals("d")) {
            assertThat(compiled().model().services().containers()).hasSize(2);
        } else {
            isRefused(
                    "services.xml:6:3",
                    "containers 'query' and 'feed' both listen on port 8080, and each has a different search chain 'c'");
        }
        files.put(
                "services.xml", TWO_CONTAINERS.formatted(first, "<search>" + first + "</search>"));
        assertThat(compiled().model().services().containers()).hasSize(2);
        files.put(
                "services.xml",
                TWO_CONTAINERS.formatted(first.replace("\"c\"", "\"default\""), "<search/>"));
        isRefused("each has a different search chain 'default'");
    }

    @Test
    void theSameDocumentTypeTwiceInOneClusterIsAWarning() {
        files.put(
                "services.xml",
                SERVICES.formatted("", "", "<document type=\"note\" mode=\"index\"/>"));

        assertThat(warnings())
                .singleElement()
                .asString()
                .contains("services.xml:9:52", "note", "twice");
    }

    @Test
    void legacyIsAcceptedUnlessItAsksForOldPositions() {
        String legacy = "<legacy><v7-geo-positions>%s</v7-geo-positions></legacy>";
        files.put("services.xml", SERVICES.formatted(legacy.formatted("false"), "", ""));

        assertThat(warnings()).isEmpty();
        files.put("services.xml", SERVICES.formatted(legacy.formatted("true"), "", ""));
        isRefused("v7-geo-positions true is not supported");
    }

    @Test
    void filesWithUnexpectedExtensionsAndInUnexpectedDirectoriesAreWarnings() {
        files.put("components/model.txt", "");
        files.put("schemas/query-profiles/default.xml", "<query-profile id=\"default\"/>");
        files.put("models/train.py", "");

        assertThat(warnings())
                .anyMatch(warning -> warning.contains("components/model.txt"))
                .anyMatch(warning -> warning.contains("schemas/query-profiles/default.xml"));
    }

    @Test
    void aFileInAnUnexpectedDirectoryIsUsedByItsPath() {
        files.put("components/cells.json", "{\"values\": [3, 4]}");
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "",
                        """
                        constant c { file: components/cells.json type: tensor(x[2]) }
                        rank-profile p { first-phase { expression: sum(constant(c)) } }
                        """));

        assertThat(profile("p").firstPhase().toString()).contains("3.0, 4.0");
    }

    @Test
    void anIncludedDirectoryThatIsMissingOrAbsoluteIsRefused() {
        files.put("services.xml", SERVICES.formatted("", "<include dir=\"parts\"/>", ""));
        isRefused("parts");

        files.put("services.xml", SERVICES.formatted("", "<include dir=\"/parts\"/>", ""));
        isRefused("/parts");
    }

    @Test
    void aDocumentTypeNeedsASchemaAndADocumentOfItsName() {
        files.put("schemas/base.sd", "schema base { document other {} }");
        for (String type : List.of("base", "other", "nothing")) {
            files.put(
                    "services.xml",
                    SERVICES.formatted(
                            "", "", "<document type=\"%s\" mode=\"index\"/>".formatted(type)));

            isRefused("'" + type + "'");
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    <component id="com.yahoo.language.opennlp.OpenNlpLinguistics" bundle="model-integration"/> | is left out
                    <handler id="com.yahoo.container.handler.VipStatusHandler" bundle="container-disc"/> | the server answers /status.html itself
                    """)
    void builtInComponentsAndHandlersAreAcceptedByClassName(String element, String warning) {
        files.put("services.xml", SERVICES.formatted("", element, ""));

        assertThat(warnings()).singleElement().asString().contains(warning);
    }

    @Test
    void builtInComponentsThatAreNotBuiltAreRefusedByName() {
        files.put(
                "services.xml",
                SERVICES.formatted(
                        "",
                        "<component id=\"com.yahoo.search.Unheard\" bundle=\"container-search-and-docproc\"/>",
                        ""));

        isRefused("com.yahoo.search.Unheard", "not built");
    }

    @Test
    void queryProfileFilesUseADotForASlash() {
        files.put("search/query-profiles/a.b.xml", "<query-profile id=\"a/b\"/>");

        assertThat(warnings()).isEmpty();
    }

    @Test
    void aDocumentWithAnotherNameThanItsSchemaServesForInheritance() {
        files.put(
                "schemas/base.sd",
                "schema base { document other { field year type int { indexing: attribute } } }");
        files.put(
                "schemas/note.sd",
                "schema note { document note inherits other {} rank-profile p { first-phase {"
                        + " expression: attribute(year) } } }");

        assertThat(note().field("year")).isPresent();
    }

    @Test
    void namesOfFieldsMayBeWordsOfTheLanguage() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "field attribute type int { indexing: attribute }"
                                + " field summary type string { indexing: summary }"
                                + " field match type string { indexing: index }",
                        "rank-profile p { first-phase { expression: attribute(attribute) } }"));

        assertThat(warnings()).isEmpty();
        assertThat(note().fields()).containsOnlyKeys("attribute", "summary", "match");
    }

    @Test
    void aFieldOfAChildDocumentMayRepeatAnInheritedOneWithTheSameType() {
        files.put("schemas/base.sd", "schema base { document base { field year type int {} } }");
        String child =
                "schema note { document note inherits base { field year type %s { indexing: attribute"
                        + " } } }";
        files.put("schemas/note.sd", child.formatted("int"));

        assertThat(note().field("year"))
                .hasValueSatisfying(field -> assertThat(field.isSearchable()).isTrue());
        files.put("schemas/note.sd", child.formatted("long"));
        isRefused("field 'year' is declared twice");
    }

    @Test
    void aFieldMayComeFromTwoParentsWithTheSameType() {
        files.put(
                "schemas/a.sd",
                "schema a { document a { field year type int { indexing: attribute } } }");
        files.put("schemas/b.sd", "schema b { document b { field year type int {} } }");
        files.put("schemas/note.sd", "schema note { document note inherits a, b {} }");

        assertThat(note().field("year"))
                .hasValueSatisfying(field -> {
                    assertThat(field.field().type()).isEqualTo(Primitive.INT);
                    assertThat(field.isSearchable()).isTrue();
                });
        files.put("schemas/b.sd", "schema b { document b { field year type float {} } }");
        isRefused("field 'year' is declared twice");
    }

    @Test
    void theSameStructMayBeDeclaredInSeveralInheritedSchemasIfEqual() {
        String schema =
                "schema %1$s { document %1$s { struct s { field x type %2$s {} } field f%1$s type s {} } }";
        files.put("schemas/a.sd", schema.formatted("a", "int"));
        files.put("schemas/b.sd", schema.formatted("b", "int"));
        files.put("schemas/note.sd", "schema note { document note inherits a, b {} }");

        assertThat(note().fields()).containsOnlyKeys("fa", "fb");
        files.put("schemas/b.sd", schema.formatted("b", "string"));
        isRefused("struct 's' is declared twice");
    }

    @Test
    void indexRankAndRankTypeOfUnknownFieldsAreWarnings() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "field text type string { indexing: index }",
                        """
                        index nothing { stemming: none }
                        rank-profile p {
                          rank none: filter
                          rank-type nobody: identity
                        }
                        """));

        assertThat(warnings())
                .anyMatch(warning -> warning.contains("index 'nothing'"))
                .anyMatch(warning -> warning.contains("'none'"))
                .anyMatch(warning -> warning.contains("'nobody'"));
    }

    @Test
    void listsOfFeaturesAddUpAndReplaceInheritedOnesUnlessTheyInheritThem() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "field text type string { indexing: index }",
                        """
                        rank-profile a {
                          function twice(x) { expression: 2 * x }
                          match-features: matches (text)
                          match-features { bm25(text) twice(3) }
                        }
                        rank-profile b inherits a { match-features: fieldLength(text) }
                        rank-profile c inherits a { match-features inherits a { now } }
                        """));

        assertThat(profile("a").shown().match())
                .containsOnlyKeys("matches(text)", "bm25(text)", "twice(3)");
        assertThat(profile("b").shown().match()).containsOnlyKeys("fieldLength(text)");
        assertThat(profile("c").shown().match())
                .containsOnlyKeys("matches(text)", "bm25(text)", "twice(3)", "now");
    }

    @Test
    void aNestedProfileInheritsTheProfileThatContainsItAndMayNameSiblings() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "field text type string { indexing: index }",
                        """
                        rank-profile outer {
                          function f() { expression: 1 }
                          rank-profile sibling inherits outer { function g() { expression: 2 } }
                          rank-profile inner inherits outer.sibling {
                            first-phase { expression: f + g }
                          }
                        }
                        """));

        assertThat(note().rankProfiles()).containsKeys("outer", "outer.sibling", "outer.inner");
    }

    @Test
    void aSettingInheritedWithDifferentValuesFromSeveralParentsIsRefused() {
        String profiles =
                """
                rank-profile a { first-phase { rank-score-drop-limit: 1.0 } }
                rank-profile b { first-phase { rank-score-drop-limit: %s } }
                rank-profile c inherits a, b {}
                """;
        files.put("schemas/note.sd", NOTE.formatted("", profiles.formatted("2.0")));

        isRefused(
                "rank-profile 'c' inherits setting 'first-phase rank-score-drop-limit' from both 'a'"
                        + " and 'b'; declare it in 'c' itself");
        files.put("schemas/note.sd", NOTE.formatted("", profiles.formatted("1.0")));
        assertThat(warnings()).isEmpty();
    }

    @Test
    void fieldsOutsideTheDocumentNeedNoScriptOrOneThatStartsWithAValue() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted(
                        "field text type string { indexing: index }",
                        """
                        field copy type string { indexing: input text | index }
                        field one type int { indexing: 1 | attribute }
                        field counter type int { indexing: attribute
                          attribute { mutable } }
                        field twin type int { indexing: input counter | attribute }
                        field empty type int {}
                        """));

        assertThat(note().fields()).containsKeys("text", "copy", "one", "counter", "twin");
        files.put(
                "schemas/note.sd",
                NOTE.formatted("", "field a type int { indexing: input no | attribute }"));
        isRefused("'no'");
    }

    @Test
    void aModelAtAUriSaysHowToPutTheFileIntoThePackage() {
        files.put(
                "schemas/note.sd",
                NOTE.formatted("", "onnx-model m { uri: https://example.com/a/m.onnx?v=1 }"));

        isRefused(
                "onnx-model 'm' is at a URI: files at a URI are not fetched here. Put the file into the"
                        + " package, such as models/m.onnx, and write 'file: models/m.onnx' instead of"
                        + " uri");
    }
}
