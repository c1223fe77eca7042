package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.MapFiles;
import org.junit.jupiter.api.Test;

/** Mistyped packages: each is a valid application or is rejected with a reason. */
class PackageFuzzTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int PACKAGES = Integer.getInteger("crabro.packages", 1_000);
    private static final int CHANGES_MAX = 4;

    /** Words, numbers, blanks, and every other character by itself. */
    private static final Pattern PART =
            Pattern.compile("[A-Za-z_][A-Za-z_0-9.-]*|[0-9]+|\\s+|.", Pattern.DOTALL);

    private static final List<String> ODD =
            List.of(
                    "{",
                    "}",
                    "(",
                    ")",
                    "<",
                    ">",
                    "\"",
                    "'",
                    ":",
                    "|",
                    "\n",
                    "\0",
                    "\uD800",
                    "é",
                    "-1",
                    "1e999",
                    "99999999999999999999",
                    "]]>",
                    "<!--",
                    "&amp;",
                    "&x;",
                    "${",
                    "%{",
                    "#",
                    "\\",
                    "file:",
                    "inherits",
                    "tensor(",
                    "array<",
                    "@",
                    "..",
                    "/",
                    "\t",
                    "\uFEFF");

    private static final Map<String, String> PACKAGE =
            new TreeMap<>(
                    Map.of(
                            "services.xml",
                            """
                            <?xml version="1.0" encoding="utf-8"?>
                            <services version="1.0" xmlns:deploy="vespa" xmlns:preprocess="properties" minimum-required-vespa-version="8.1">
                              <preprocess:properties><port>8081</port></preprocess:properties>
                              <preprocess:include file="part.xml"/>
                              <container id="default" version="1.0">
                                <search deploy:environment="prod"><chain id="c" inherits="vespa"><phase id="p" before="q"/><phase id="q" after="p"/></chain></search>
                                <document-api><timeout>1.5</timeout><max-document-size>1MiB</max-document-size></document-api>
                                <document-processing><chain id="d" inherits="indexing"/></document-processing>
                                <config name="my.own.x"><a><item key="k"><b>1</b></item></a></config>
                                <nodes><node hostalias="node1"/></nodes>
                                <http><server id="main" port="${port}"/></http>
                              </container>
                            </services>
                            """,
                            "part.xml",
                            """
                            <content id="store" version="1.0">
                              <min-redundancy>1</min-redundancy>
                              <documents>
                                <document type="base" mode="index"/>
                                <document type="child" mode="streaming"/>
                                <document type="song" mode="index"/>
                                <document type="maker" mode="index" global="true"/>
                              </documents>
                              <group><distribution partitions="*"/><group name="a"><node hostalias="node1" distribution-key="0"/></group></group>
                              <tuning><resource-limits><disk>0.8</disk></resource-limits></tuning>
                            </content>
                            """,
                            "hosts.xml",
                            "<hosts><host name=\"localhost\"><alias>node1</alias></host></hosts>",
                            "validation-overrides.xml",
                            "<validation-overrides><allow until=\"2026-12-01\">schema-removal</allow></validation-overrides>",
                            "schemas/base.sd",
                            """
                            schema base {
                              document base {
                                # All that is built.
                                field title type string {
                                  indexing: index | summary
                                  alias: heading
                                  sorting { function: uca strength: primary }
                                  match { word cased }
                                  rank-type: about
                                }
                                field tags type array<string> { indexing: attribute | summary }
                                field year type int { attribute: fast-search indexing: attribute
                                  attribute { fast-search } }
                                field vector type tensor<bfloat16>(x[4]) {
                                  indexing: attribute | index
                                  attribute { distance-metric: angular }
                                  index { hnsw { max-links-per-node: 16 } }
                                }
                                struct person inherits name { field born type int { id: 5 } }
                                field people type map<string, person> { indexing: summary
                                  struct-field key { indexing: attribute
                                    attribute: fast-search }
                                  struct-field value.born { indexing: attribute } }
                                field weights type weightedset<string> { indexing: summary }
                                field place type position { indexing: summary }
                              }
                              annotation old { field a type int {} }
                              struct name { field first type string { match: cased } }
                              field names type array<string> {
                                indexing: input people | for_each { get_field $value | get_field first } | index
                              }
                              field age type long {
                                indexing {
                                  if (input year * 2 >= 0x10 - 1L) { input year + 5 | attribute; } else { 3L | attribute };
                                  input title | switch { case "a": hash | attribute; default: "1" | to_long | attribute };
                                  select_input { title: substring 0 5 | split "," | join '-' | hash | attribute };
                                }
                              }
                              field short type string { indexing: input title . " " . input title || "none" | summary }
                              fieldset default { fields: title, tags }
                              rank-profile default {
                                inputs { query(q) tensor<float>(x[4]): [1, 2, 3, 4]  query(w): 0.5 }
                                constants { k: 3.0 }
                                function inline f(a, b) { expression: a * b + k }
                                first-phase { expression { f(bm25(title), query(w)) + if (attribute(year) > 3, 1, 2) } }
                                match-features: closeness(field,vector) attribute(year)
                                rank-properties { bm25(title).k1: 1.1 }
                              }
                              document-summary small inherits default { summary title { source: title } }
                            }
                            """,
                            "schemas/child.sd",
                            """
                            schema child inherits base {
                              document child inherits base { field n type long { indexing: attribute } }
                              rank-profile near inherits default { first-phase { expression: file: score } }
                            }
                            """,
                            "schemas/child/own.profile",
                            "rank-profile own inherits near { num-threads-per-search: 2 rank-profile in inherits own {} }",
                            "schemas/score.expression",
                            "query(w) * max(attribute(year), 1) - freshness(n) ^ 2",
                            "search/query-profiles/default.xml",
                            """
                            <query-profile id="default" type="mine">
                              <dimensions>a, b</dimensions>
                              <field name="hits" overridable="false">%{.n}</field><field name="n">3</field>
                              <query-profile for="*, 1"><field name="n">4</field></query-profile>
                            </query-profile>
                            """,
                            "search/query-profiles/types/mine.xml",
                            "<query-profile-type id=\"mine\" inherits=\"native\"><field name=\"n\" type=\"integer\" mandatory=\"true\"/></query-profile-type>"));

    static {
        PACKAGE.put(
                "schemas/song.sd",
                """
                schema song {
                  document song {
                    field title type string { indexing: index | summary
                      bolding: on
                      summary: full
                      summary short: dynamic }
                    field lines type array<string> { indexing: index | summary
                      summary: matched-elements-only }
                    field maker type reference<maker> { indexing: attribute }
                    field year type int { attribute: fast-search indexing: attribute }
                    field kind type string { indexing: attribute
                      attribute: fast-search
                      match: cased
                      dictionary { hash
                        cased } }
                  }
                  import field maker.name as by {}
                  constant scale { file: constants/scale.json type: tensor<float>(k{},x[2]) }
                  onnx-model m {
                    file: models/m.onnx
                    input "in": attribute(kind)
                    output out: score
                  }
                  document-summary words {
                    from-disk
                    summary both { source: title, lines }
                    summary title { bolding: on }
                  }
                  rank-profile p {
                    constants { c tensor<float>(k{},x[2]): file: constants/scale.json }
                    match-phase { attribute: year max-hits: 10
                      diversity { attribute: kind min-groups: 2 } }
                    rank-type title: tags
                  }
                }
                """);
        PACKAGE.put(
                "schemas/maker.sd",
                "document maker { field name type string { indexing: attribute } }\ndocument thing {}\n");
        PACKAGE.put(
                "constants/scale.json",
                "{\"type\": \"tensor<float>(k{},x[2])\", \"blocks\": {\"a\": [1, 2.5e1]}}");
        PACKAGE.put("models/m.onnx", "a model");
        PACKAGE.put(
                "configdefinitions/x.def",
                "namespace=my.own\na{}.b int default=1 range=[0, 3]\nc enum {D, E} default=D\n");
    }

    private final Random random = new Random(SEED);

    @Test
    void isValidAsItIs() {
        CompiledApplication compiled = ApplicationCompiler.compile(new MapFiles(PACKAGE), 1);

        assertThat(compiled.model().schemas().keySet())
                .containsExactlyInAnyOrder("base", "child", "song", "maker");
    }

    @Test
    void acceptsOrRejectsEachInput() {
        int valid = 0;
        int invalid = 0;
        for (int i = 0; i < PACKAGES; i++) {
            Map<String, String> files = changed();
            try {
                ApplicationCompiler.compile(new MapFiles(files), 1);
                valid++;
            } catch (InvalidApplicationException e) {
                assertThat(e.problems()).isNotEmpty().noneMatch(String::isBlank);
                invalid++;
            } catch (RuntimeException | StackOverflowError e) {
                fail("seed %d, package %d: %s".formatted(SEED, i, difference(files)), e);
            }
        }

        // Both happen, so that it is not always the first check that ends a package.
        assertThat(valid).isGreaterThan(PACKAGES / 100);
        assertThat(invalid).isGreaterThan(PACKAGES / 2);
    }

    private Map<String, String> changed() {
        var files = new HashMap<>(PACKAGE);
        List<String> paths = List.copyOf(PACKAGE.keySet());
        int changes = 1 + random.nextInt(CHANGES_MAX);
        for (int i = 0; i < changes; i++) {
            files.computeIfPresent(
                    paths.get(random.nextInt(paths.size())), (_, text) -> changed(text));
        }
        return files;
    }

    private String changed(String text) {
        List<String> parts = parts(text);
        if (parts.isEmpty()) {
            return any(ODD);
        }
        int at = random.nextInt(parts.size());
        switch (random.nextInt(6)) {
            case 0 -> parts.remove(at);
            case 1 -> parts.add(at, any(ODD));
            case 2 -> parts.set(at, any(parts));
            case 3 -> parts.add(at, any(parts(any(List.copyOf(PACKAGE.values())))));
            case 4 -> {
                int to = Math.min(parts.size(), at + 1 + random.nextInt(20));
                parts.addAll(at, List.copyOf(parts.subList(at, to)));
            }
            default -> parts.subList(at, Math.min(parts.size(), at + random.nextInt(20))).clear();
        }
        return String.join("", parts);
    }

    private String any(List<String> words) {
        return words.get(random.nextInt(words.size()));
    }

    private static List<String> parts(String text) {
        var parts = new ArrayList<String>();
        Matcher matcher = PART.matcher(text);
        while (matcher.find()) {
            parts.add(matcher.group());
        }
        return parts;
    }

    private static String difference(Map<String, String> files) {
        var changed = new StringBuilder();
        files.forEach((path, text) -> {
            if (!text.equals(PACKAGE.get(path))) {
                changed.append('\n').append(path).append(":\n").append(text);
            }
        });
        return changed.toString();
    }
}
