package org.crabro.container.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import javax.xml.parsers.DocumentBuilderFactory;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.Presentation.Format;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.container.search.ResultCoverage;
import org.crabro.container.search.ResultGroups;
import org.crabro.container.search.ResultHit;
import org.crabro.container.search.ResultPage;
import org.crabro.container.search.SearchResult;
import org.crabro.container.yql.GroupingParser;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.json.ValueForm;
import org.crabro.protocol.grouping.AggregateValue;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupHits;
import org.crabro.protocol.grouping.GroupId;
import org.crabro.protocol.grouping.GroupList;
import org.crabro.protocol.grouping.GroupValue;
import org.crabro.protocol.grouping.GroupingLimits;
import org.crabro.protocol.grouping.GroupingPlanner;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.SearchHit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class XmlResultTest {
    private static final DocumentId ID = DocumentId.parse("id:n:music:g=me:1");

    @Test
    void writesFieldsByTheirNames() throws Exception {
        assertThat(rendered(Format.XML, List.of(), List.of()))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="utf-8"?>
                        <result total-hit-count="1" coverage-docs="7" coverage-nodes="1"\
                         coverage-full="true" coverage="100" results-full="1" results="1">
                          <hit type="summary" relevancy="0.5" source="songs">
                            <field name="relevancy">0.5</field>
                            <field name="matchfeatures">
                              <item name="bm25(title)">1.5</item>
                            </field>
                            <field name="title">a &lt;hi&gt;b&lt;/hi&gt; &amp; �é</field>
                            <field name="live">false</field>
                            <field name="tags">
                              <item>x</item>
                              <item>y</item>
                            </field>
                            <field name="weights">
                              <item name="k">2</item>
                            </field>
                          </hit>
                        </result>
                        """);
    }

    @Test
    void writesFieldsOfPagesAsElements() throws Exception {
        assertThat(rendered(Format.PAGE, List.of(), List.of()))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="utf-8"?>
                        <page version="1.0">
                          <content>
                            <hit type="summary" relevance="0.5" source="songs">
                              <id>id:n:music:g=me:1</id>
                              <matchfeatures>
                                <item name="bm25(title)">1.5</item>
                              </matchfeatures>
                              <title>a &lt;hi&gt;b&lt;/hi&gt; &amp; �é</title>
                              <live>false</live>
                              <tags>
                                <item>x</item>
                                <item>y</item>
                              </tags>
                              <weights>
                                <item name="k">2</item>
                              </weights>
                            </hit>
                          </content>
                        </page>
                        """);
    }

    @Test
    void writesTheFirstErrorAndThenTheDetailsOfAll() throws Exception {
        var first = new ResultError(ErrorCode.SEARCH_WARNING, "songs", "no such \"field\" <x>");
        var second = new ResultError(ErrorCode.TIMED_OUT, "", "after 3 s");

        assertThat(rendered(Format.XML, List.of(first, second), List.of()))
                .contains(
                        """
                          <error code="8">Error in search reply.</error>
                          <errordetails>
                            <error source="songs" error="Error in search reply." code="8">\
                        no such "field" &lt;x></error>
                            <error error="Timed out" code="12">after 3 s</error>
                          </errordetails>
                          <hit \
                        """
                                .replace("&lt;x>", "&lt;x&gt;"));
    }

    @Test
    void writesTimesAsAttributesIfTheRequestAsksForThem() throws Exception {
        var timed = presentation(Format.XML, UTF_8).timed();

        assertThat(rendered(timed, List.of(), List.of()))
                .contains(
                        " results=\"1\" querytime=\"0.25\" summaryfetchtime=\"0.0\" searchtime=\"0.25\">");
    }

    @Test
    void writesTheEncodingAskedForAndEscapesOtherCharacters() throws Exception {
        byte[] bytes =
                bytes(presentation(Format.XML, StandardCharsets.US_ASCII), List.of(), List.of());

        assertThat(new String(bytes, StandardCharsets.US_ASCII))
                .startsWith("<?xml version=\"1.0\" encoding=\"us-ascii\"?>\n")
                .contains("&amp; &#xfffd;&#xe9;</field>");
    }

    @Test
    void indentsAtMostTenLevels() throws Exception {
        FieldValue value = new FieldValue.StringValue("x");
        for (int i = 0; i < 12; i++) {
            value = new FieldValue.ArrayValue(List.of(value));
        }
        String text = rendered(presentation(Format.XML, UTF_8), hit(Map.of("deep", value)));

        assertThat(text)
                .contains("\n" + "  ".repeat(9) + "<item>\n" + "  ".repeat(10) + "<item>\n")
                .contains("\n" + "  ".repeat(10) + "<item>x</item>\n" + "  ".repeat(10) + "</item>")
                .doesNotContain("  ".repeat(11));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    text   | <id type="string">a&lt;b</id>
                    long   | <id type="long">-3</id>
                    bool   | <id type="bool">true</id>
                    null   | <id type="null"></id>
                    bucket | <id type="long_bucket">~<from>1</from>~<to>9223372036854775807</to>~</id>
                    """)
    void writesTheTypeOfGroups(String kind, String expected) throws Exception {
        GroupId id =
                switch (kind) {
                    case "text" -> new GroupId.Value(new GroupValue.Text("a<b"));
                    case "long" -> new GroupId.Value(new GroupValue.Whole(-3));
                    case "bool" -> new GroupId.Value(new GroupValue.Truth(true));
                    case "bucket" ->
                            new GroupId.Range(
                                    GroupId.Kind.LONG,
                                    Optional.of(new GroupValue.Whole(1)),
                                    Optional.empty());
                    default -> new GroupId.Missing();
                };

        assertThat(rendered(Format.XML, List.of(), List.of(groups(id))).replaceAll("\n *", "~"))
                .contains("<group relevance=\"1.0\">~" + expected.replaceAll("~ *", "~"));
    }

    @Test
    void writesGroupsTheirListsAndHowToSeeMore() throws Exception {
        ResultGroups groups = groups(new GroupId.Value(new GroupValue.Text("a<b")));

        assertThat(rendered(Format.XML, List.of(), List.of(groups)))
                .contains(
                        """
                          <group relevance="1.0">
                            <id type="root"></id>
                            <continuation id="this"></continuation>
                            <grouplist label="a">
                              <continuation id="next">BGAAABEBCBC</continuation>
                              <group relevance="1.0">
                                <id type="string">a&lt;b</id>
                                <output label="count()">3</output>
                                <hitlist label="hits">
                                  <hit type="summary" relevancy="0.5" source="songs">
                        """);
    }

    /** A list of one group, after which there are others. */
    private static ResultGroups groups(GroupId id) {
        String grouping =
                "all(group(a) order(count()) max(1) each(output(count()) each(output(summary()))))";
        GroupingRequest request =
                GroupingPlanner.plan(
                        GroupingParser.parse(grouping).getFirst(),
                        GroupingLimits.DEFAULT,
                        List.of());
        var group =
                new Group<>(
                        id,
                        0.5,
                        List.of(new AggregateValue.Count(3)),
                        List.<GroupList<ResultHit>>of(),
                        List.of(new GroupHits<>(List.of(hit()), 0, 1)));
        var root =
                new Group<>(
                        new GroupId.Root(),
                        1,
                        List.of(),
                        List.of(new GroupList<>(List.of(group), 0, 2)),
                        List.<GroupHits<ResultHit>>of());
        return new ResultGroups(request, 0, root);
    }

    private static ResultHit hit() {
        var summary = new LinkedHashMap<String, FieldValue>();
        summary.put("title", new FieldValue.StringValue("a <hi>b</hi> & \u0001é"));
        summary.put("live", new FieldValue.BoolValue(false));
        summary.put(
                "tags",
                new FieldValue.ArrayValue(
                        List.of(new FieldValue.StringValue("x"), new FieldValue.StringValue("y"))));
        summary.put(
                "weights",
                new FieldValue.WeightedSetValue(Map.of(new FieldValue.StringValue("k"), 2)));
        return hit(summary);
    }

    private static ResultHit hit(Map<String, FieldValue> summary) {
        Map<String, QueryInput> features = Map.of("bm25(title)", new QueryInput.NumberInput(1.5));
        return new ResultHit(
                new SearchHit(ID, 0.5, List.of(), summary, features),
                "songs",
                "music",
                false,
                false,
                Optional.of(ID.toString()));
    }

    private static Presentation presentation(Format format, Charset charset) {
        return new Presentation(
                ValueForm.DEFAULT,
                false,
                new Presentation.Output(format, Optional.empty(), charset),
                false,
                true,
                OptionalLong.empty());
    }

    private static String rendered(
            Format format, List<ResultError> errors, List<ResultGroups> groups) throws Exception {
        return rendered(presentation(format, UTF_8), errors, groups);
    }

    private static String rendered(
            Presentation presentation, List<ResultError> errors, List<ResultGroups> groups)
            throws Exception {
        return new String(bytes(presentation, errors, groups), UTF_8);
    }

    private static String rendered(Presentation presentation, ResultHit hit) throws Exception {
        return new String(bytes(presentation, hit, List.of(), List.of()), UTF_8);
    }

    private static byte[] bytes(
            Presentation presentation, List<ResultError> errors, List<ResultGroups> groups)
            throws Exception {
        return bytes(presentation, hit(), errors, groups);
    }

    private static byte[] bytes(
            Presentation presentation,
            ResultHit hit,
            List<ResultError> errors,
            List<ResultGroups> groups)
            throws Exception {
        var result =
                new SearchResult(
                        new ResultPage(List.of(hit), 1, Optional.empty()),
                        groups,
                        Optional.of(new ResultCoverage(new Coverage(7, 7, false), 1, 1, 1)),
                        QueryCost.NONE,
                        errors,
                        QueryOutput.of(presentation));
        var out = new ByteArrayOutputStream();
        new JsonRenderer().render(result, Duration.ofMillis(250), out);
        DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(out.toByteArray()));
        return out.toByteArray();
    }
}
