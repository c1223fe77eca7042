package org.crabro.container.render;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
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

class XmlResultTest {
    private static final DocumentId ID = DocumentId.parse("id:n:music:g=me:1");

    @Test
    void writesFieldsByTheirNames() throws Exception {
        assertThat(rendered(Format.XML, List.of(), List.of()))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="utf-8"?>\
                        <result total-hit-count="1" coverage="100" coverage-docs="7"\
                         coverage-nodes="1" coverage-full="true" results="1" results-full="1">\
                        <hit relevancy="0.5" source="songs"><id>id:n:music:g=me:1</id>\
                        <field name="matchfeatures"><item name="bm25(title)">1.5</item></field>\
                        <field name="title">a &lt;hi&gt;b&lt;/hi&gt; &amp; �é</field>\
                        <field name="live">false</field>\
                        <field name="tags"><item>x</item><item>y</item></field>\
                        <field name="weights"><item name="k">2</item></field>\
                        </hit></result>\
                        """);
    }

    @Test
    void writesFieldsOfPagesAsElements() throws Exception {
        assertThat(rendered(Format.PAGE, List.of(), List.of()))
                .isEqualTo(
                        """
                        <?xml version="1.0" encoding="utf-8"?>\
                        <page version="1.0"><content>\
                        <hit relevance="0.5" source="songs"><id>id:n:music:g=me:1</id>\
                        <matchfeatures><item name="bm25(title)">1.5</item></matchfeatures>\
                        <title>a &lt;hi&gt;b&lt;/hi&gt; &amp; �é</title>\
                        <live>false</live><tags><item>x</item><item>y</item></tags>\
                        <weights><item name="k">2</item></weights>\
                        </hit></content></page>\
                        """);
    }

    @Test
    void tellsErrorsFirst() throws Exception {
        var error = new ResultError(ErrorCode.SEARCH_WARNING, "songs", "no such \"field\" <x>");

        assertThat(rendered(Format.XML, List.of(error), List.of()))
                .contains(
                        "results-full=\"1\"><error code=\"8\" summary=\"Error in search reply.\""
                                + " source=\"songs\">no such \"field\" &lt;x&gt;</error><hit ");
    }

    @Test
    void writesGroupsTheirListsAndHowToSeeMore() throws Exception {
        String grouping =
                "all(group(a) order(count()) max(1) each(output(count()) each(output(summary()))))";
        GroupingRequest request =
                GroupingPlanner.plan(
                        GroupingParser.parse(grouping).getFirst(),
                        GroupingLimits.DEFAULT,
                        List.of());
        var group =
                new Group<>(
                        new GroupId.Value(new GroupValue.Text("a<b")),
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

        assertThat(rendered(Format.XML, List.of(), List.of(new ResultGroups(request, 0, root))))
                .contains(
                        """
                        <group id="group:root:0" relevance="1.0"><continuation id="this">\
                        </continuation><grouplist label="a"><continuation id="next">BGAAABEBCBC\
                        </continuation><group id="group:string:a&lt;b" relevance="1.0"\
                         value="a&lt;b"><output label="count()">3</output>\
                        <hitlist label="hits"><hit relevancy="0.5" source="songs">\
                        """);
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
        Map<String, QueryInput> features = Map.of("bm25(title)", new QueryInput.NumberInput(1.5));
        return new ResultHit(
                new SearchHit(ID, 0.5, List.of(), summary, features),
                "songs",
                "music",
                false,
                false,
                Optional.of(ID.toString()));
    }

    private static String rendered(
            Format format, List<ResultError> errors, List<ResultGroups> groups) throws Exception {
        var presentation =
                new Presentation(
                        ValueForm.DEFAULT,
                        false,
                        new Presentation.Output(format, Optional.empty()),
                        false,
                        true,
                        OptionalLong.empty());
        var result =
                new SearchResult(
                        new ResultPage(List.of(hit()), 1, Optional.empty()),
                        groups,
                        Optional.of(new ResultCoverage(new Coverage(7, 7, false), 1, 1, 1)),
                        QueryCost.NONE,
                        errors,
                        QueryOutput.of(presentation));
        var out = new ByteArrayOutputStream();
        new JsonRenderer().render(result, Duration.ZERO, out);
        DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(out.toByteArray()));
        return out.toString(UTF_8);
    }
}
