package org.crabro.samples.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Feeds and reads documents whose fields have every type that schemas have. */
class SchemaLanguageIT {
    private static final String SCHEMA =
            """
            schema note {
              document note {
                struct person { field name type string {} field born type int {} }
                field text type string { indexing: summary | index }
                field author type person { indexing: summary }
                field readers type map<string, person> { indexing: summary }
                field counts type array<int> { indexing: summary }
                field colors type weightedset<string> { indexing: summary }
                field place type position { indexing: summary }
                field level type byte { indexing: summary | attribute }
                field bytes type raw { indexing: summary }
                field home type uri { indexing: summary | index
                  alias: web-page }
                field words type tensor<float>(word{}) { indexing: summary }
                field chunks type tensor<float>(chunk{},x[2]) { indexing: summary }
              }
              field names type array<string> {
                indexing: input readers | for_each { get_field $value | get_field name } | index
              }
              field size type int {
                indexing {
                  if (input text == "one two") { 2 | attribute } else { 1 | attribute };
                }
              }
              field number type int {
                indexing: input text | split " " | for_each { hash | to_string } | join "" | substring 0 1 | to_int | attribute
              }
            }
            """;
    private static final String FIELDS =
            """
            {"text":"one two","author":{"name":"Ann","born":1950},\
            "readers":{"a":{"name":"Bo"},"b":{"born":1}},"counts":[3,-1],\
            "colors":{"red":2,"blue":-5},"place":{"lat":63.4,"lng":10.4},"level":-7,\
            "bytes":"AQID","home":"http://crabro.org/a",\
            "words":{"type":"tensor<float>(word{})","cells":{"one":1.0,"two":0.5}},\
            "chunks":{"type":"tensor<float>(chunk{},x[2])","blocks":{"0":[1.0,2.0],"1":[3.0,4.0]}}}\
            """;

    private static final String DOCUMENT = "/document/v1/test/note/group/anna/1";

    @TempDir Path data;

    private ServedPackage served;

    @BeforeEach
    void start() throws Exception {
        served = ServedPackage.ofNotes(data, SCHEMA);
    }

    @AfterEach
    void stop() {
        served.close();
    }

    @Test
    void keepsAndShowsValuesWithParts() throws Exception {
        ServedPackage.Answer put = put(FIELDS);
        ServedPackage.Answer got = served.get(DOCUMENT);
        ServedPackage.Answer answer = search("select * from note where text contains \"two\"");

        assertThat(put.status()).as("%s", put).isEqualTo(200);
        assertThat(got.json().path("fields").toString()).isEqualTo(FIELDS);
        assertThat(answer.json().path("root").path("children").path(0).path("fields").toString())
                .as("%s", answer)
                .contains(FIELDS.substring(1, FIELDS.length() - 1));
    }

    @Test
    void findsByNumbersAndTextsOfRarerTypes() throws Exception {
        put(FIELDS);

        assertThat(count("level < 0")).isEqualTo(1);
        assertThat(count("level > 0")).isZero();
        assertThat(count("home contains \"crabro\"")).isEqualTo(1);
        assertThat(search("select * from note where colors contains \"red\"").toString())
                .contains("colors");
    }

    @Test
    void findsByWhatScriptsMadeAndByOtherNames() throws Exception {
        put(FIELDS);

        assertThat(count("names contains \"bo\"")).isEqualTo(1);
        assertThat(count("names contains \"ann\"")).isZero();
        assertThat(count("size = 2")).isEqualTo(1);
        assertThat(count("web-page contains \"crabro\"")).isEqualTo(1);
    }

    @Test
    void refusesDocumentsThatScriptsCannotWorkWith() throws Exception {
        ServedPackage.Answer put = put("{\"text\":\"\"}");

        assertThat(put.status()).isEqualTo(400);
        assertThat(put.json().path("message").asString())
                .contains("field 'number': expected a whole");
    }

    @Test
    void aStructThatContainsItselfIsStoredChangedShownAndSearchedByLevel(@TempDir Path other)
            throws Exception {
        String schema =
                """
                schema note {
                  document note {
                    struct node { field name type string {} field children type array<node> {} }
                    field tree type node {
                      indexing: summary
                      struct-field name { indexing: index }
                      struct-field children.children.name { indexing: index }
                    }
                  }
                }
                """;
        try (ServedPackage trees = ServedPackage.ofNotes(other, schema)) {
            String tree = tree(1, 16);
            trees.write(DOCUMENT, "\"tree\":" + tree);

            assertThat(trees.get(DOCUMENT).json().at("/fields/tree").toString()).isEqualTo(tree);
            assertThat(trees.get("/document/v1/test/note/group/anna/").body()).contains(tree);
            assertThat(ids(trees, "tree.name contains \"n1\"")).isEqualTo(tree);
            assertThat(ids(trees, "tree.children.children.name contains \"n3\"")).isEqualTo(tree);
            assertThat(ids(trees, "tree.children.children.name contains \"n4\"")).isEmpty();
            ServedPackage.Answer changed =
                    trees.put(
                            DOCUMENT,
                            "{\"fields\":{\"tree.children[0].children[0].name\":{\"assign\":\"new\"}}}");
            assertThat(changed.status()).as(changed.toString()).isEqualTo(200);
            assertThat(ids(trees, "tree.children.children.name contains \"new\""))
                    .isEqualTo(tree.replace("\"n3\"", "\"new\""));
            ServedPackage.Answer deeper =
                    trees.post(DOCUMENT, "{\"fields\":{\"tree\":" + tree(1, 17) + "}}");
            assertThat(deeper.status()).as(deeper.toString()).isEqualTo(400);
            trees.restart();
            assertThat(ids(trees, "true")).isEqualTo(tree.replace("\"n3\"", "\"new\""));
        }
    }

    private static String tree(int level, int depth) {
        String name = "{\"name\":\"n%d\"".formatted(level);
        return level == depth
                ? name + "}"
                : name + ",\"children\":[" + tree(level + 1, depth) + "]}";
    }

    /** Returns the tree of the first hit; empty without a hit. */
    private static String ids(ServedPackage trees, String condition) throws Exception {
        return trees.search("anna", "select * from note where " + condition, "")
                .json()
                .path("root")
                .at("/children/0/fields/tree")
                .toString();
    }

    private int count(String condition) throws Exception {
        ServedPackage.Answer answer = search("select * from note where " + condition);
        assertThat(answer.status()).as("%s", answer).isEqualTo(200);
        return answer.json().path("root").path("fields").path("totalCount").intValue();
    }

    private ServedPackage.Answer put(String fields) throws Exception {
        return served.post(DOCUMENT, "{\"fields\":" + fields + "}");
    }

    private ServedPackage.Answer search(String yql) throws Exception {
        return served.search("anna", yql, "");
    }
}
