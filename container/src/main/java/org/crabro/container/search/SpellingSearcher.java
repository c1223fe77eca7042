package org.crabro.container.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.dispatch.SearchDispatch.Outcome;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.SpelledWord;
import org.crabro.container.query.Target;
import org.crabro.container.query.TraceLine;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.search.WordCount;

/**
 * Adds words to those that a user may have misspelled, or not have typed to the end. It asks the
 * content nodes how many documents have each word, and which words are near it. One decision holds
 * for all nodes, so the result does not depend on where documents are.
 */
final class SpellingSearcher implements SearchStep {
    /** The rank profile that every schema has and that computes nothing. */
    private static final String UNRANKED = "unranked";

    private final SearchDispatch dispatch;

    SpellingSearcher(SearchDispatch dispatch) {
        this.dispatch = dispatch;
    }

    /**
     * The counts of the words.
     *
     * @param counts in the order of the questions; empty if nodes did not answer
     * @param problem why they did not; empty if the search fails for the same reason
     */
    private record Counted(List<WordCount> counts, QueryCost cost, String problem) {
        static Counted nothing(String problem) {
            return new Counted(List.of(), QueryCost.NONE, problem);
        }
    }

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        if (!SpelledTree.hasSpelling(query.condition().tree())) {
            return next.search(query);
        }
        var tree = new SpelledTree(query.condition().tree());
        if (!tree.isAsking()) {
            return next.search(query.withTree(tree.exact()));
        }
        long start = System.nanoTime();
        Counted counted = counted(query, tree);
        if (counted.counts().isEmpty()) {
            return next.search(warned(query.withTree(tree.exact()), counted.problem()));
        }
        List<SpelledWord> words = tree.spelled(counted.counts());
        SearchQuery spelled = query.withTree(tree.with(words, counted.counts()));
        SearchResult result = next.search(explained(spelled, words, System.nanoTime() - start));
        return new SearchResult(
                result.page(),
                result.groups(),
                result.coverage(),
                result.cost().plus(counted.cost()),
                result.errors(),
                result.output());
    }

    private Counted counted(SearchQuery query, SpelledTree tree) {
        SearchReport all = SearchReport.NONE;
        for (Target target : query.targets()) {
            switch (ask(query, target, tree)) {
                case Outcome.Answered(SearchReply.Found(_, _, _, var report))
                        when report.words().size() == tree.questionCount() ->
                        all = all.plus(report);
                case Outcome.Answered(SearchReply.TimedOut()) -> {
                    return Counted.nothing("time was too short");
                }
                case Outcome.Answered(SearchReply.Rejected(var reason)) -> {
                    return Counted.nothing(reason);
                }
                case Outcome.Answered(SearchReply.Overloaded(var reason)) -> {
                    return Counted.nothing(reason);
                }
                case Outcome.Answered _ -> {
                    return Counted.nothing("a content node did not count the words");
                }
                case Outcome.Forbidden _ -> {
                    // The search is refused, too.
                    return Counted.nothing("");
                }
            }
        }
        return new Counted(all.words(), all.cost(), "");
    }

    private Outcome ask(SearchQuery query, Target target, SpelledTree tree) {
        return dispatch.search(
                query.caller().principal(),
                query.caller().deadline(),
                target.cluster(),
                target.scope(),
                (header, partitions) ->
                        new SearchRequest(
                                header.withClient(query.caller().client()),
                                new SearchScope(
                                        partitions,
                                        target.schema().name(),
                                        target.scope(),
                                        List.of()),
                                new RankedQuery(tree.question(), unranked(target)),
                                new HitSettings(0, List.of(), SummarySettings.DEFAULT),
                                GroupingSettings.NONE,
                                new ReplySettings(
                                        false, query.output().traceLevel(), false, true)));
    }

    private static RankSettings unranked(Target target) {
        return new RankSettings(
                UNRANKED,
                Map.of(),
                RankSettings.Statistics.NONE,
                target.ranking().settings().nowSeconds());
    }

    private static SearchQuery warned(SearchQuery query, String problem) {
        if (problem.isEmpty()) {
            return query;
        }
        QueryOutput output = query.output();
        var problems = new ArrayList<>(output.problems());
        problems.add(
                new ResultError(
                        ErrorCode.SEARCH_WARNING,
                        "",
                        "Words match as they are written, without other spellings: " + problem));
        return with(
                query,
                new QueryOutput(
                        output.presentation(),
                        output.traceLevel(),
                        output.trace(),
                        output.window(),
                        problems,
                        output.plan()));
    }

    private static SearchQuery explained(SearchQuery query, List<SpelledWord> words, long nanos) {
        QueryOutput output = query.output();
        SearchQuery planned =
                output.plan().isEmpty()
                        ? query
                        : with(
                                query,
                                output.withPlan(
                                        output.plan()
                                                .map(plan ->
                                                        plan.with(new PlanPhase("words", nanos))
                                                                .withWords(words))));
        return output.traceLevel() == 0
                ? planned
                : planned.tracing(words.stream().map(word -> TraceLine.now(word.text())).toList());
    }

    private static SearchQuery with(SearchQuery query, QueryOutput output) {
        return new SearchQuery(
                query.condition(),
                query.targets(),
                query.hits(),
                query.grouping(),
                query.caller(),
                output);
    }
}
