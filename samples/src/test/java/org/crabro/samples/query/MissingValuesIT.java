package org.crabro.samples.query;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.crabro.samples.fixture.ServedPackage.Answer;
import org.crabro.samples.fixture.StreamingServer;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/**
 * Groups of documents that lack values, over HTTP: one with the value 5 in each field, one with 0,
 * and one without any value. The type {@code streamed} has mode streaming, {@code indexed} has mode
 * index.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MissingValuesIT {
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="indexes" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="indexed" mode="index"/>
                  <document type="parent" mode="index" global="true"/>
                </documents>
              </content>
              <content id="streams" version="1.0">
                <redundancy>1</redundancy>
                <documents>
                  <document type="streamed" mode="streaming"/>
                </documents>
              </content>
            </services>
            """;

    private static final String FIELDS =
            """
                field b type byte { indexing: attribute | summary }
                field i type int { indexing: attribute | summary }
                field l type long { indexing: attribute | summary }
                field f type float { indexing: attribute | summary }
                field d type double { indexing: attribute | summary }
                field t type bool { indexing: attribute | summary }
                field s type string { indexing: attribute | summary }
                field r type raw { indexing: attribute | summary }
                field pos type position { indexing: attribute | summary }
                field list type array<int> { indexing: attribute | summary }
                field words type weightedset<string> { indexing: attribute | summary }
            """;

    private static final String TYPE =
            """
            schema NAME {
              document NAME {
                struct person {
                  field name type string {}
                  field age type int {}
                  field height type double {}
                }
            FIELDS
                field people type array<person> {
                  indexing: summary
                  struct-field name { indexing: attribute }
                  struct-field age { indexing: attribute }
                  struct-field height { indexing: attribute }
                }
                field m type map<string, int> {
                  indexing: summary
                  struct-field key { indexing: attribute }
                  struct-field value { indexing: attribute }
                }
                REFERENCE
              }
              IMPORTS
            }
            """;

    @TempDir static Path data;

    @AutoClose private ServedPackage served;

    private static String type(String name, String reference, String imports) {
        return TYPE.replace("NAME", name)
                .replace("FIELDS", FIELDS)
                .replace("REFERENCE", reference)
                .replace("IMPORTS", imports);
    }

    /** The documents with 5 and without values are in a run, the one with 0 is not. */
    @BeforeAll
    void fill() throws Exception {
        served =
                ServedPackage.of(
                        data.resolve("data"),
                        Map.of(
                                "services.xml",
                                SERVICES,
                                "schemas/parent.sd",
                                "schema parent { document parent {\n" + FIELDS + "\n} }",
                                "schemas/indexed.sd",
                                type(
                                        "indexed",
                                        "field ref type reference<parent> { indexing: attribute }",
                                        """
                                        import field ref.b as pb {}
                                        import field ref.i as pi {}
                                        import field ref.l as pl {}
                                        import field ref.f as pf {}
                                        import field ref.d as pd {}
                                        import field ref.t as pt {}
                                        import field ref.s as ps {}
                                        import field ref.list as plist {}
                                        """),
                                "schemas/streamed.sd",
                                type("streamed", "", "")));
        String five =
                """
                "b":5,"i":5,"l":5,"f":5,"d":5,"t":true,"s":"five","r":"Zml2ZQ==",
                "pos":{"lat":1,"lng":2},"list":[5],"words":{"five":1}\
                """;
        String zero =
                """
                "b":0,"i":0,"l":0,"f":0,"d":0,"t":false,"s":"","r":"",
                "pos":{"lat":0,"lng":0},"list":[0],"words":{"zero":1}\
                """;
        String fiveParts =
                """
                ,"people":[{"name":"ann","age":5,"height":5},{"name":"bo"}],"m":{"k":5,"o":1}\
                """;
        String zeroParts =
                """
                ,"people":[{"name":"cy","age":0,"height":0}],"m":{"k":0}\
                """;
        put("parent/docid/5", five);
        put("parent/docid/0", zero);
        put("parent/docid/none", "");
        put("streamed/group/g/5", five + fiveParts);
        put("streamed/group/g/none", "");
        put("indexed/docid/5", five + fiveParts + ",\"ref\":\"id:n:parent::5\"");
        put("indexed/docid/none", "\"ref\":\"id:n:parent::none\"");
        served.backUp(data.resolve("backup"));
        put("streamed/group/g/0", zero + zeroParts);
        put("indexed/docid/0", zero + zeroParts + ",\"ref\":\"id:n:parent::0\"");
    }

    private void put(String path, String fields) throws Exception {
        served.write("/document/v1/n/" + path, fields);
    }

    /** What is grouped by, and the groups in mode streaming and in mode index. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    b                          | long:0=2 long:5=1                | long:-128=1 long:0=1 long:5=1
                    i                          | long:0=2 long:5=1                | long:-2147483648=1 long:0=1 long:5=1
                    l                          | long:0=2 long:5=1                | long:-9223372036854775808=1 long:0=1 long:5=1
                    f                          | double:0.0=2 double:5.0=1        | double:NaN=1 double:0.0=1 double:5.0=1
                    d                          | double:0.0=2 double:5.0=1        | double:NaN=1 double:0.0=1 double:5.0=1
                    t                          | bool:false=2 bool:true=1         | bool:false=2 bool:true=1
                    s                          | string:=2 string:five=1          | string:=2 string:five=1
                    r                          | raw:=2 raw:Zml2ZQ===1            | raw:=2 raw:Zml2ZQ===1
                    list                       | long:0=1 long:5=1                | long:0=1 long:5=1
                    words                      | string:five=1 string:zero=1      | string:five=1 string:zero=1
                    people.age                 | long:0=2 long:5=1                | long:-2147483648=1 long:0=1 long:5=1
                    people.height              | double:0.0=2 double:5.0=1        | double:NaN=1 double:0.0=1 double:5.0=1
                    m{"k"}                     | long:0=1 long:5=1                | long:-2147483648=1 long:0=1 long:5=1
                    m{"o"}                     | long:1=1                         | long:-2147483648=2 long:1=1
                    m.value                    | long:0=1 long:1=1 long:5=1       | long:0=1 long:1=1 long:5=1
                    attribute(i)               | long:0=2 long:5=1                | long:-2147483648=1 long:0=1 long:5=1
                    i + 1                      | long:1=2 long:6=1                | long:-2147483647=1 long:1=1 long:6=1
                    -i                         | long:-5=1 long:0=2               | long:-5=1 long:0=1 long:2147483648=1
                    d + 1                      | double:1.0=2 double:6.0=1        | double:NaN=1 double:1.0=1 double:6.0=1
                    max(d, 1)                  | double:1.0=2 double:5.0=1        | double:1.0=2 double:5.0=1
                    min(d, 1)                  | double:0.0=2 double:1.0=1        | double:NaN=1 double:0.0=1 double:1.0=1
                    math.floor(d)              | double:0.0=2 double:5.0=1        | double:NaN=1 double:0.0=1 double:5.0=1
                    tolong(d)                  | long:0=2 long:5=1                | long:-9223372036854775808=1 long:0=1 long:5=1
                    todouble(b)                | double:0.0=2 double:5.0=1        | double:-128.0=1 double:0.0=1 double:5.0=1
                    tostring(d)                | string:0=2 string:5=1            | string:0=1 string:5=1 string:NaN=1
                    strlen(s)                  | long:0=2 long:4=1                | long:0=2 long:4=1
                    size(list)                 | long:0=1 long:1=2                | long:0=1 long:1=2
                    cat(b)                     | raw:AA===2 raw:BQ===1            | raw:AA===1 raw:BQ===1 raw:gA===1
                    time.year(i)               | long:1970=3                      | long:1901=1 long:1970=2
                    time.date(i)               | string:1970-1-1=3                | string:1901-12-13=1 string:1970-1-1=2
                    time.hourofday(i)          | long:0=3                         | long:0=2 long:20=1
                    time.bucket(i, "1d")       | long:0=3                         | long:-2147558400=1 long:0=2
                    fixedwidth(i, 10)          | long_bucket:0:10=3               | long_bucket:-2147483650:-2147483640=1 long_bucket:0:10=2
                    fixedwidth(l, 10)          | long_bucket:0:10=3               | long_bucket:-9223372036854775808:-9223372036854775800=1 long_bucket:0:10=2
                    fixedwidth(d, 10)          | double_bucket:0.0:10.0=3         | null=1 double_bucket:0.0:10.0=2
                    predefined(i, bucket[0, 10>)     | long_bucket:0:10=3         | null=1 long_bucket:0:10=2
                    predefined(i, bucket(-inf, 0), bucket[0, 10>) | long_bucket:0:10=3 | long_bucket:-9223372036854775808:0=1 long_bucket:0:10=2
                    predefined(d, bucket[0.0, 10.0>) | double_bucket:0.0:10.0=3   | null=1 double_bucket:0.0:10.0=2
                    zcurve.x(pos)              | long:0=2 long:2000000=1          | long:0=2 long:2000000=1
                    zcurve.y(pos)              | long:0=2 long:1000000=1          | long:-2147483648=1 long:0=1 long:1000000=1
                    math.floor(geo_distance(pos, 0, 0).km) | double:0.0=2 double:248.0=1 | double:NaN=1 double:0.0=1 double:248.0=1
                    """)
    void aMissingValueDiffersFromZeroInModeIndex(String by, String streaming, String index)
            throws Exception {
        String grouping = "all(group(" + by + ") each(output(count())))";

        assertThat(groups("streamed", grouping)).as("streaming").isEqualTo(streaming);
        assertThat(groups("indexed", grouping)).as("index").isEqualTo(index);
    }

    /** A parent has 5, a parent has 0, and a parent has no values. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    pb    | long:-128=1 long:0=1 long:5=1
                    pi    | long:-2147483648=1 long:0=1 long:5=1
                    pl    | long:-9223372036854775808=1 long:0=1 long:5=1
                    pf    | double:NaN=1 double:0.0=1 double:5.0=1
                    pd    | double:NaN=1 double:0.0=1 double:5.0=1
                    pt    | bool:false=2 bool:true=1
                    ps    | string:=2 string:five=1
                    plist | long:0=1 long:5=1
                    """)
    void aMissingImportedValueDiffersFromZero(String by, String groups) throws Exception {
        assertThat(groups("indexed", "all(group(" + by + ") each(output(count())))"))
                .isEqualTo(groups);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    sum(b)        | 5                  | -123
                    sum(i)        | 5                  | -2147483643
                    sum(l)        | 5                  | -9223372036854775803
                    sum(d)        | 5.0                | NaN
                    min(i)        | 0                  | -2147483648
                    min(f)        | 0.0                | NaN
                    min(d)        | 0.0                | NaN
                    min(s)        | ''                 | ''
                    max(i)        | 5                  | 5
                    max(d)        | 5.0                | 5.0
                    max(d - d)    | 0.0                | 0.0
                    max(-i)       | 0                  | 2147483648
                    avg(b)        | 1.6666666666666667 | -41.0
                    avg(d)        | 1.6666666666666667 | NaN
                    stddev(d)     | 2.3570226039551585 | NaN
                    xor(i)        | 5                  | -2147483643
                    sum(list)     | 5                  | 5
                    sum(m{"k"})   | 5                  | -2147483643
                    min(people.age) | 0                | -2147483648
                    """)
    void aggregatesSeeTheMissingValue(String aggregate, String streaming, String index)
            throws Exception {
        assertThat(value("streamed", aggregate)).as("streaming").isEqualTo(streaming);
        assertThat(value("indexed", aggregate)).as("index").isEqualTo(index);
    }

    /** NaN is smaller than every number, as the smallest whole number is. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    group(d) order(min(d)) each(output(count()))            | double:NaN=1 double:0.0=1 double:5.0=1
                    group(d) order(-min(d)) each(output(count()))           | double:5.0=1 double:0.0=1 double:NaN=1
                    group(d) order(sum(d)) max(1) each(output(count()))     | double:NaN=1
                    group(d) order(-avg(d)) max(1) each(output(count()))    | double:5.0=1
                    group(d) order(-max(d)) max(2) each(output(count()))    | double:5.0=1 double:0.0=1
                    group(i) order(min(i)) max(1) each(output(count()))     | long:-2147483648=1
                    group(i) having(min(i) < 0) each(output(count()))       | long:-2147483648=1
                    group(d) having(min(d) < 0) each(output(count()))       | double:NaN=1
                    group(i) filter(range(-1, 10, i)) each(output(count())) | long:0=1 long:5=1
                    group(d) filter(range(-1, 10, d)) each(output(count())) | double:0.0=1 double:5.0=1
                    group(i) filter(range(-inf, 0, i)) each(output(count())) | long:-2147483648=1
                    group(d) filter(regex("NaN", tostring(d))) each(output(count())) | double:NaN=1
                    group(i) filter(range(0, inf, i)) fill() max(2) each(output(count())) | long:0=1 long:1=0
                    group(i) fill() max(3) each(output(count()))            | long:-2147483648=1 long:0=1 long:1=0
                    group(l) fill() max(3) each(output(count()))            | long:-9223372036854775808=1 long:0=1 long:1=0
                    group(fixedwidth(i, 3)) fill() each(output(count()))    | long_bucket:-2147483649:-2147483646=1 long_bucket:0:3=1 long_bucket:3:6=1
                    group(fixedwidth(l, 2)) fill() each(output(count()))    | long_bucket:-9223372036854775808:-9223372036854775806=1 long_bucket:0:2=1 long_bucket:2:4=0 long_bucket:4:6=1
                    group(fixedwidth(d, 2)) fill() each(output(count()))    | null=1 double_bucket:0.0:2.0=1 double_bucket:2.0:4.0=0 double_bucket:4.0:6.0=1
                    group(time.bucket(i, "1d")) fill() each(output(count())) | long:-2147558400=1 long:0=2
                    group(time.year(l)) fill() each(output(count()))        | long:-998029=1 long:1970=2
                    """)
    void ordersAndFiltersSeeTheMissingValue(String grouping, String groups) throws Exception {
        assertThat(groups("indexed", "all(" + grouping + ")")).isEqualTo(groups);
    }

    private JsonNode root(String type, String grouping) throws Exception {
        Answer answer =
                served.get(
                        "/search/?timeout=60s%s&yql="
                                        .formatted(
                                                type.equals("streamed")
                                                        ? "&streaming.selection=true"
                                                        : "")
                                + URLEncoder.encode(
                                        "select * from %s where true limit 0 | %s"
                                                .formatted(type, grouping),
                                        UTF_8));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        assertThat(answer.json().path("root").path("errors").isMissingNode())
                .as(answer.toString())
                .isTrue();
        return answer.json().path("root");
    }

    private String groups(String type, String grouping) throws Exception {
        return StreamingServer.groups(root(type, grouping))
                .replace("{count():", "=")
                .replace("}", "")
                .replace("[", "")
                .replace("]", "")
                .strip();
    }

    private String value(String type, String aggregate) throws Exception {
        JsonNode fields =
                root(type, "all(output(" + aggregate + "))")
                        .path("children")
                        .path(0)
                        .path("fields");
        assertThat(fields.propertyNames()).hasSize(1);
        return fields.path(fields.propertyNames().iterator().next()).asString();
    }
}
