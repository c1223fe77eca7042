package org.crabro.config.queryprofile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Findings;
import org.crabro.config.application.MapFiles;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QueryProfilesTest {
    private static final String FOLDER = "search/query-profiles/";

    @Test
    void givesTheNearestValueOfEachName() {
        QueryProfiles profiles =
                read(
                        Map.of(
                                "base.xml",
                                """
                                <query-profile id="base">
                                  <field name="hits">5</field>
                                  <field name="timeout">2</field>
                                  <field name="color">red</field>
                                </query-profile>
                                """,
                                "other.xml",
                                """
                                <query-profile id="other" inherits="base">
                                  <field name="color">blue</field>
                                  <field name="size">9</field>
                                </query-profile>
                                """,
                                "default.xml",
                                """
                                <query-profile id="default" inherits="base other">
                                  <description>What everybody gets.</description>
                                  <field name="hits">7</field>
                                  <field name="model"><ref>words</ref></field>
                                  <field name="model.type">all</field>
                                </query-profile>
                                """,
                                "words.xml",
                                """
                                <query-profile id="words">
                                  <field name="type">any</field>
                                  <field name="defaultIndex">body</field>
                                </query-profile>
                                """));

        // The first parent has precedence over the second, even if the second's value is declared
        // closer. A reference has precedence over the values after it.
        assertThat(texts(profiles, "default", Map.of()))
                .containsOnly(
                        entry("hits", "7"),
                        entry("model.type", "any"),
                        entry("model.defaultIndex", "body"),
                        entry("timeout", "2"),
                        entry("color", "red"),
                        entry("size", "9"));
        assertThat(profiles.resolve("none", _ -> Optional.empty())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    a=1           | one
                    a=1,b=2       | one-two
                    b=2           | any-two
                    a=3,b=2       | any-two
                    a=3           | base
                                  | base
                    """)
    void choosesTheMostSpecificVariant(String request, String expected) {
        QueryProfiles profiles =
                read(
                        Map.of(
                                "default.xml",
                                """
                                <query-profile id="default">
                                  <dimensions>a, b</dimensions>
                                  <field name="v">base</field>
                                  <field name="w">base</field>
                                  <query-profile for="*, 2"><field name="v">any-two</field></query-profile>
                                  <query-profile for="1"><field name="v">one</field></query-profile>
                                  <query-profile for="1,2" inherits="more"><field name="v">one-two</field></query-profile>
                                </query-profile>
                                """,
                                "more.xml",
                                """
                                <query-profile id="more">
                                  <field name="v">inherited</field><field name="w">inherited</field>
                                </query-profile>
                                """));
        var given = new LinkedHashMap<String, String>();
        if (request != null) {
            for (String each : request.split(",", -1)) {
                given.put(each.substring(0, 1), each.substring(2));
            }
        }

        assertThat(texts(profiles, "default", given))
                .containsEntry("v", expected)
                .containsEntry("w", expected.equals("one-two") ? "inherited" : "base");
    }

    @Test
    void putsValuesIntoTexts() {
        QueryProfiles profiles =
                read(
                        Map.of(
                                "default.xml",
                                """
                                <query-profile id="default">
                                  <field name="yql">select * from %{source} where %{words}!%{none}</field>
                                  <field name="source">mail</field>
                                  <field name="sub"><ref>sub</ref></field>
                                </query-profile>
                                """,
                                "sub.xml",
                                """
                                <query-profile id="sub">
                                  <field name="own">%{.part}-%{source}</field>
                                  <field name="part">x</field>
                                </query-profile>
                                """));

        assertThat(texts(profiles, "default", Map.of("words", "true", "part", "no")))
                .containsEntry("yql", "select * from mail where true!")
                .containsEntry("sub.own", "x-mail");
        assertThat(texts(profiles, "default", Map.of("source", "note")))
                .containsEntry("sub.own", "x-note");
    }

    @Test
    void boundsWhatIsPutIntoTexts() {
        QueryProfiles circle =
                read(
                        Map.of(
                                "default.xml",
                                """
                                <query-profile id="default">
                                  <field name="a">%{b}</field><field name="b">%{a}</field>
                                </query-profile>
                                """));
        QueryProfiles long_ =
                read(
                        Map.of(
                                "default.xml",
                                """
                                <query-profile id="default"><field name="a">%{b}%{b}%{b}</field></query-profile>
                                """));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> texts(circle, "default", Map.of()))
                .withMessage(
                        "query profile 'default': values are put into each other more than 8 deep in"
                                + " 'b'");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> texts(long_, "default", Map.of("b", "x".repeat(500_000))))
                .withMessage("query profile 'default': 'a' is longer than 1,048,576 characters");
    }

    @Test
    void returnsTheHighestVersion() {
        QueryProfiles profiles =
                read(
                        Map.of(
                                "p-1.9.xml",
                                        "<query-profile id='p:1.9'><field name='v'>a</field></query-profile>",
                                "p-1.10.xml",
                                        "<query-profile id='p:1.10'><field name='v'>b</field></query-profile>",
                                "pq.xml",
                                        "<query-profile id='pq'><field name='v'>c</field></query-profile>"));

        assertThat(texts(profiles, "p", Map.of())).containsEntry("v", "b");
        assertThat(texts(profiles, "p:1.9", Map.of())).containsEntry("v", "a");
        assertThat(texts(profiles, "p:1.9.0", Map.of())).containsEntry("v", "a");
        assertThat(profiles.resolve("p:2", _ -> Optional.empty())).isEmpty();
    }

    @Test
    void knowsTypes() {
        QueryProfiles profiles =
                read(
                        Map.of(
                                "types/base.xml",
                                """
                                <query-profile-type id="base">
                                  <strict/>
                                  <match path="true"/>
                                  <field name="age" type="integer" mandatory="true" alias="years old"/>
                                </query-profile-type>
                                """,
                                "types/mine.xml",
                                """
                                <query-profile-type id="mine" inherits="base native">
                                  <field name="ranking.features.query(q)" type="tensor&lt;float&gt;(x[2])"/>
                                  <field name="fixed" type="string" overridable="false"/>
                                  <field name="sub" type="query-profile:base"/>
                                </query-profile-type>
                                """,
                                "default.xml",
                                """
                                <query-profile id="default" type="mine">
                                  <field name="fixed">here</field>
                                  <field name="sub">sub</field>
                                  <field name="hits" overridable="false">3</field>
                                </query-profile>
                                """,
                                "sub.xml",
                                """
                                <query-profile id="sub" type="base"><field name="age">4</field></query-profile>
                                """,
                                "child.xml",
                                "<query-profile id='child' inherits='default'/>"));

        ResolvedProfile profile =
                profiles.resolve("child/of/nobody", _ -> Optional.empty()).orElseThrow();

        assertThat(profile.id()).isEqualTo("child");
        assertThat(profile.type().orElseThrow().isStrict()).isTrue();
        assertThat(profile.type().orElseThrow().isNative()).isTrue();
        assertThat(profile.types()).containsKeys("age", "fixed", "sub", "sub.age");
        assertThat(profile.types().get("age"))
                .isEqualTo(
                        new QueryProfileType.Field(
                                "age",
                                ValueType.Simple.INTEGER,
                                true,
                                true,
                                java.util.List.of("years", "old")));
        assertThat(profile.texts(_ -> Optional.empty())).containsEntry("sub.age", "4");
        assertThat(profile.isOverridable("fixed")).isFalse();
        assertThat(profile.isOverridable("fixed.below")).isFalse();
        assertThat(profile.isOverridable("hits")).isFalse();
        assertThat(profile.isOverridable("sub.age")).isTrue();
        assertThat(profiles.rankInputs())
                .containsExactly(entry("q", TensorType.parse("tensor<float>(x[2])")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    native       | hits            | 3         | ten    | integer
                    model        | sources         | mail      |        |
                    model        | type.composite  | and       |        |
                    ranking      | profile         | near      |        |
                    ranking      | listFeatures    | true      | yes    | boolean
                    ranking      | rerankCount     | 5         | many   | integer
                    ranking      | features.query(x) | 5       |        |
                    presentation | bolding         | false     | no     | boolean
                    presentation | format.tensors  | short     |        |
                    select       | where           | {}        |        |
                    trace        | level           | 2         | deep   | integer
                    trace        | profiling.matching.depth | 1 |       |
                    """)
    void readsBuiltInTypes(String type, String name, String right, String wrong, String expected) {
        String strict =
                "<query-profile-type id='mine' inherits='%s'><strict/></query-profile-type>"
                        .formatted(type);
        String holder =
                """
                <query-profile-type id="holder">
                  <field name="below" type="query-profile:%s"/>
                </query-profile-type>
                """
                        .formatted(type);
        String above =
                """
                <query-profile id="above" type="holder">
                  <field name="below"><ref>a</ref></field>
                </query-profile>
                """;
        for (String own : new String[] {type, "mine"}) {
            String profile =
                    "<query-profile id='a' type='%s'><field name='%s'>%s</field></query-profile>";
            QueryProfiles profiles =
                    read(
                            Map.of(
                                    "types/mine.xml",
                                    strict,
                                    "types/holder.xml",
                                    holder,
                                    "above.xml",
                                    above,
                                    "a.xml",
                                    profile.formatted(own, name, right)));

            assertThat(texts(profiles, "a", Map.of())).containsEntry(name, right);
            assertThat(texts(profiles, "above", Map.of())).containsEntry("below." + name, right);
            if (wrong != null) {
                assertThat(
                                problem(
                                        Map.of(
                                                FOLDER + "types/mine.xml",
                                                strict,
                                                FOLDER + "a.xml",
                                                profile.formatted(own, name, wrong))))
                        .endsWith(
                                "field '%s': expected a value of type %s, but found '%s'"
                                        .formatted(name, expected, wrong));
            }
        }
    }

    @Test
    void refusesAProfileOfAnotherTypeWhereABuiltInTypeIsNeeded() {
        assertThat(
                        problem(
                                Map.of(
                                        FOLDER + "types/t.xml",
                                        """
                                        <query-profile-type id="t">
                                          <field name="x" type="query-profile:ranking"/>
                                        </query-profile-type>
                                        """,
                                        FOLDER + "a.xml",
                                        "<query-profile id='a' type='t'><field name='x'>b</field></query-profile>",
                                        FOLDER + "b.xml",
                                        "<query-profile id='b' type='model'/>")))
                .endsWith(
                        "field 'x': expected a value of type query-profile:ranking, but found query"
                                + " profile 'b', which is of type 'model'");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    x=1,y=2,z=3 | <dimensions>z</dimensions> | 3 | own
                    x=1,y=2,z=3 |                            | 1 | first
                    x=1,y=2,z=3 |                            | 3 | base
                    x=1,y=2,z=3 |                            | 2 | base
                    """)
    void inheritsTheDimensionsOfTheFirstProfile(
            String request, String dimensions, String variant, String expected) {
        var given = new LinkedHashMap<String, String>();
        for (String each : request.split(",", -1)) {
            given.put(each.substring(0, 1), each.substring(2));
        }
        QueryProfiles profiles =
                read(
                        Map.of(
                                "deep.xml",
                                "<query-profile id='deep'><dimensions>x</dimensions></query-profile>",
                                "left.xml",
                                "<query-profile id='left' inherits='deep'/>",
                                "right.xml",
                                "<query-profile id='right'><dimensions>y</dimensions></query-profile>",
                                "default.xml",
                                """
                                <query-profile id="default" inherits="left right">%s
                                  <field name="v">base</field>
                                  <query-profile for="%s"><field name="v">%s</field></query-profile>
                                </query-profile>
                                """
                                        .formatted(
                                                dimensions == null ? "" : dimensions,
                                                variant,
                                                expected.equals("base") ? "variant" : expected)));

        assertThat(texts(profiles, "default", given)).containsEntry("v", expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            textBlock =
                    """
                    a.xml       | <query-profile id='b'/>                                     | 1:16: the file of query-profile 'b' has to be called b.xml
                    a.xml       | <query-profile/>                                            | 1:1: query-profile needs an id: a name, and perhaps a version, as in "default" or "mail:1.2.3"
                    a.xml       | <query-profiles id='a'/>                                    | 1:1: expected query-profile, but found 'query-profiles'
                    a.xml       | <query-profile id='a' inherits='aa'/>                       | 1:23: there is no query profile 'aa'; did you mean 'a'?
                    a.xml       | <query-profile id='a' inherits='a'/>                        | 1:1: query profile 'a': it inherits or refers to itself: a -> a
                    a.xml       | <query-profile id='a'><field name='x'><ref>a</ref></field></query-profile> | 1:1: query profile 'a': it inherits or refers to itself: a -> a
                    a.xml       | <query-profile id='a' type='t'/>                            | 1:23: there is no query profile type 't'
                    a.xml       | <query-profile id='a'><field>1</field></query-profile>      | 1:23: field needs a name
                    a.xml       | <query-profile id='a'><field name='x'>%{y</field></query-profile> | 1:23: expected } after '%{y'
                    a.xml       | <query-profile id='a'><field name='x'>%{.y}</field></query-profile> | 1:23: field 'x': there is no field 'y' in the profile
                    a.xml       | <query-profile id='a'><field name='x' overridable='no'>1</field></query-profile> | 1:39: expected true or false, but found 'no'
                    a.xml       | <query-profile id='a'><query-profile for='1'/></query-profile> | 1:23: there are variants, but no dimensions to choose by
                    a.xml       | <query-profile id='a'><dimensions>x</dimensions><query-profile for='1,2'/></query-profile> | 1:64: found 2 values for 1 dimensions: x
                    a.xml       | <query-profile id='a'><dimensions>x</dimensions><query-profile/></query-profile> | "1:49: a variant needs for=""..."", a value for each dimension"
                    types/t.xml | <query-profile-type id='t'><field name='x' type='text'/></query-profile-type> | 1:28: unknown type 'text'; expected string, query, integer, long, float, double, boolean, tensor(...), query-profile or query-profile:type
                    types/t.xml | <query-profile-type id='t'><field name='x'/></query-profile-type> | 1:28: field needs a type
                    types/t.xml | <query-profile-type id='t' inherits='u'/>                   | 1:28: there is no query profile type 'u'
                    types/t.xml | <query-profile-type id='t' inherits='t'/>                   | 1:28: query profile type 't' inherits itself
                    types/t.xml | <query-profile-type id='t'><field name='x' type='query-profile:u'/></query-profile-type> | 1:44: there is no query profile type 'u'
                    """)
    void rejectsWrongProfiles(String file, String text, String expected) {
        assertThat(problem(Map.of(FOLDER + file, text))).isEqualTo(FOLDER + file + ":" + expected);
    }

    @Test
    void rejectsValuesThatATypeForbids() {
        String type =
                """
                <query-profile-type id="t"><strict/><field name="age" type="integer"/></query-profile-type>
                """;

        assertThat(
                        problem(
                                Map.of(
                                        FOLDER + "types/t.xml",
                                        type,
                                        FOLDER + "a.xml",
                                        "<query-profile id='a' type='t'><field name='age'>old</field></query-profile>")))
                .isEqualTo(
                        FOLDER
                                + "a.xml:1:32: field 'age': expected a value of type integer, but found"
                                + " 'old'");
        assertThat(
                        problem(
                                Map.of(
                                        FOLDER + "types/t.xml",
                                        type,
                                        FOLDER + "a.xml",
                                        "<query-profile id='a' type='t'><field name='ages'>1</field></query-profile>")))
                .isEqualTo(
                        FOLDER
                                + "a.xml:1:32: field 'ages' is not in type 't', which is strict; did"
                                + " you mean 'age'?");
    }

    @Test
    void knowsWhatTheApplicationIsCalledWhateverARequestSays() {
        String profile =
                """
                <query-profile id="default">
                  <dimensions>application, instance</dimensions>
                  <query-profile for="books, beta"><field name="hits">3</field></query-profile>
                  <field name="hits">10</field>
                </query-profile>
                """;
        var beta = new ApplicationName("shop", "books", "beta");
        var files = new MapFiles(new LinkedHashMap<>(Map.of(FOLDER + "default.xml", profile)));
        Map<String, String> request = Map.of("application", "books", "instance", "beta");

        QueryProfiles called = QueryProfilesReader.read(files, beta, new Findings());
        QueryProfiles nameless =
                QueryProfilesReader.read(files, ApplicationName.DEFAULT, new Findings());

        assertThat(texts(called, "default", Map.of())).containsEntry("hits", "3");
        assertThat(texts(nameless, "default", request)).containsEntry("hits", "10");
        assertThat(called).isNotEqualTo(nameless);
    }

    @Test
    void boundsWhatAProfileHas() {
        var files = new LinkedHashMap<String, String>();
        files.put(
                FOLDER + "p0.xml",
                "<query-profile id='p0'><field name='x'>1</field></query-profile>");
        for (int i = 1; i < 20; i++) {
            String below = "<ref>p" + (i - 1) + "</ref>";
            files.put(
                    FOLDER + "p" + i + ".xml",
                    "<query-profile id='p%d'><field name='a'>%s</field><field name='b'>%s</field></query-profile>"
                            .formatted(i, below, below));
        }

        assertThat(problem(files))
                .isEqualTo(
                        FOLDER
                                + "p12.xml:1:1: query profile 'p12': it has 12,286 values with all that"
                                + " it inherits and refers to; at most 10,000 are allowed");
    }

    private static Map<String, String> texts(
            QueryProfiles profiles, String id, Map<String, String> request) {
        return profiles.resolve(id, name -> Optional.ofNullable(request.get(name)))
                .orElseThrow()
                .texts(name -> Optional.ofNullable(request.get(name)));
    }

    private static QueryProfiles read(Map<String, String> files) {
        var findings = new Findings();
        var paths = new LinkedHashMap<String, String>();
        files.forEach((name, text) -> paths.put(FOLDER + name, text));
        QueryProfiles profiles =
                QueryProfilesReader.read(new MapFiles(paths), ApplicationName.DEFAULT, findings);
        assertThat(findings.problems()).isEmpty();
        return profiles;
    }

    /** Returns the first line of the first problem. */
    private static String problem(Map<String, String> files) {
        var findings = new Findings();
        QueryProfilesReader.read(new MapFiles(files), ApplicationName.DEFAULT, findings);
        return findings.problems().getFirst().lines().findFirst().orElseThrow();
    }
}
