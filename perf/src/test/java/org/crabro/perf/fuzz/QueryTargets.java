package org.crabro.perf.fuzz;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.container.yql.FieldKind;
import org.crabro.container.yql.GeoText;
import org.crabro.container.yql.Grammar;
import org.crabro.container.yql.GroupingJson;
import org.crabro.container.yql.GroupingParser;
import org.crabro.container.yql.QueryContext;
import org.crabro.container.yql.SelectJson;
import org.crabro.container.yql.SimpleQueryParser;
import org.crabro.container.yql.YqlParser;
import org.crabro.container.yql.YqlQuery;
import org.crabro.container.yql.YqlSyntaxException;
import org.crabro.protocol.grouping.GroupingException;
import org.crabro.protocol.grouping.GroupingLimits;
import org.crabro.protocol.grouping.GroupingOperation;
import org.crabro.protocol.grouping.GroupingPlanner;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.query.TermSettings;

/** The languages of queries, as text in and trees out. */
final class QueryTargets {
    private static final List<String> GRAMMARS =
            List.of("weakAnd", "all", "any", "web", "phrase", "near", "oNear", "tokenize");

    private QueryTargets() {}

    static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText(
                        "yql",
                        QueryTargets::yql,
                        YqlSyntaxException.class,
                        GroupingException.class),
                FuzzTarget.ofText("simple-queries", QueryTargets::words),
                FuzzTarget.ofText("select-where", QueryTargets::where, YqlSyntaxException.class),
                FuzzTarget.ofText(
                        "select-grouping",
                        text -> GroupingParser.parse(GroupingJson.grouping(text)),
                        YqlSyntaxException.class),
                FuzzTarget.ofText("select-fields", SelectJson::fields, YqlSyntaxException.class),
                FuzzTarget.ofText(
                        "groupings",
                        QueryTargets::grouping,
                        YqlSyntaxException.class,
                        GroupingException.class),
                FuzzTarget.ofText("places", QueryTargets::place));
    }

    private static void yql(String text) {
        YqlQuery query = YqlParser.parse(text, Asked.WITH_PARAMETERS);
        QueryText.of(query.tree());
        query.groupings().forEach(each -> plan(each.operation()));
    }

    private static void where(String text) {
        QueryText.of(SelectJson.where(text, Asked.WITH_PARAMETERS));
    }

    /** The first character of the input chooses the grammar. */
    private static void words(String text) {
        int first = text.isEmpty() ? 0 : text.charAt(0);
        Grammar grammar = Grammar.of(GRAMMARS.get(first % GRAMMARS.size())).orElseThrow();
        String tail = text.isEmpty() ? "" : text.substring(1);
        SimpleQueryParser.parse(tail, grammar, "text", Asked.PLAIN, TermSettings.DEFAULT)
                .ifPresent(QueryText::of);
        SimpleQueryParser.signed(tail, "text", Asked.PLAIN);
    }

    /** Checks that a parsed grouping is written as text that parses to the same. */
    private static void grouping(String text) {
        for (GroupingOperation operation : GroupingParser.parse(text)) {
            String written = operation.text();
            List<GroupingOperation> again = GroupingParser.parse(written);
            if (again.size() != 1 || !again.getFirst().text().equals(written)) {
                throw new AssertionError(written + " reads back as " + again);
            }
            plan(operation);
        }
    }

    private static void plan(GroupingOperation operation) {
        GroupingPlanner.plan(operation, GroupingLimits.DEFAULT, List.of());
    }

    private static void place(String text) {
        GeoText.latitude(text);
        GeoText.longitude(text);
        GeoText.radius(text);
    }

    /** A request over {@link FuzzedApplication}. */
    private record Asked(Map<String, String> parameters) implements QueryContext {
        static final Asked PLAIN = new Asked(Map.of());
        static final Asked WITH_PARAMETERS =
                new Asked(
                        Map.of(
                                "q", "blue whale",
                                "n", "7",
                                "yes", "TRUE",
                                "list", "red, 'dark, blue', 5",
                                "weights", "{a:1, 'b':2, 7:3}",
                                "pairs", "[[1,10],[2,20]]",
                                "query", "summer -winter"));

        @Override
        public Optional<String> parameter(String name) {
            return Optional.ofNullable(parameters.get(name));
        }

        @Override
        public FieldKind fieldKind(String name) {
            return switch (name) {
                case "default" -> new FieldKind.Words(false);
                case "text" -> new FieldKind.Words(true);
                case "word", "year" -> new FieldKind.Whole();
                case "all_pairs.a" -> new FieldKind.Exact("@@");
                default -> new FieldKind.Unknown();
            };
        }

        @Override
        public void count(int chars) {}

        @Override
        public Optional<QueryNode> userQuery() {
            return parameter("query")
                    .flatMap(text ->
                            SimpleQueryParser.parse(
                                    text, Grammar.DEFAULT, "default", this, TermSettings.DEFAULT));
        }
    }
}
