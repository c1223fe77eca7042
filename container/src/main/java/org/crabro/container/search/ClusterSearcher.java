package org.crabro.container.search;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.crabro.config.schema.Phases;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.dispatch.SearchDispatch.Outcome;
import org.crabro.container.query.Cursor;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.PlannedSearch;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.ResultPlan;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.Target;
import org.crabro.container.query.TraceLine;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupingException;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.search.Coverage;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.PlanPhase;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchReport;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SortKey;
import org.crabro.ranking.onnx.RankModels;

/**
 * The last step of the chain. It searches all document types concurrently and merges the hits in
 * the order of the query.
 */
final class ClusterSearcher implements SearchStep {
    private final SearchDispatch dispatch;
    private final RankModels models;
    private final boolean isOneOfSeveral;

    /**
     * @param models the models of global phases, which stay open while queries run
     * @param isOneOfSeveral whether groups are merged with those of other searches, which needs all
     *     of them
     */
    ClusterSearcher(SearchDispatch dispatch, RankModels models, boolean isOneOfSeveral) {
        this.models = models;
        this.dispatch = dispatch;
        this.isOneOfSeveral = isOneOfSeveral;
    }

    @Override
    public SearchResult search(SearchQuery query, Execution next) {
        long start = System.nanoTime();
        List<Outcome> outcomes = outcomes(query);
        var blend = new Blend(query, models, isOneOfSeveral);
        blend.endPhase("search", start);
        for (int i = 0; i < outcomes.size(); i++) {
            blend.add(query.targets().get(i), outcomes.get(i));
        }
        return blend.result();
    }

    private List<Outcome> outcomes(SearchQuery query) {
        if (query.targets().size() == 1) {
            return List.of(ask(query, query.targets().getFirst()));
        }
        try (ExecutorService threads =
                Executors.newThreadPerTaskExecutor(
                        Thread.ofVirtual().name("search-cluster").factory())) {
            List<Future<Outcome>> asked =
                    query.targets().stream()
                            .map(target -> threads.submit(() -> ask(query, target)))
                            .toList();
            var outcomes = new ArrayList<Outcome>();
            for (Future<Outcome> each : asked) {
                outcomes.add(each.get());
            }
            return outcomes;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while content nodes search", e);
        }
    }

    private Outcome ask(SearchQuery query, Target target) {
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
                                new RankedQuery(
                                        query.condition().tree(), target.ranking().settings()),
                                new HitSettings(
                                        wanted(query, target),
                                        sorting(query, target),
                                        query.hits().page().after(),
                                        target.summary()),
                                query.grouping(),
                                new ReplySettings(
                                        query.caller().softTimeout(),
                                        query.output().traceLevel(),
                                        query.output().plan().isPresent())));
    }

    /** The sort value of a source is the cluster of the target. */
    private static List<SortKey> sorting(SearchQuery query, Target target) {
        var keys = new ArrayList<SortKey>();
        for (SortKey key : query.hits().sorting()) {
            keys.add(
                    key instanceof SortKey.Sources(boolean ascending, _)
                            ? new SortKey.Sources(ascending, target.cluster())
                            : key);
        }
        return keys;
    }

    /** The content node returns all hits that the global phase ranks. */
    private static int wanted(SearchQuery query, Target target) {
        int shown = query.hits().count() + query.hits().offset();
        return query.hits().count() == 0
                ? 0
                : Math.min(
                        target.place().hitsPerNode(),
                        Math.max(
                                shown,
                                target.ranking()
                                        .global()
                                        .map(Phases.Global::rerankCount)
                                        .orElse(0)));
    }

    /** Merges the replies for the document types. */
    private static final class Blend {
        private final SearchQuery query;
        private final RankModels models;
        private final List<ResultHit> hits = new ArrayList<>();
        private final List<ResultError> errors = new ArrayList<>();
        private final List<TraceLine> trace = new ArrayList<>();
        private final Set<String> answered = new HashSet<>();
        private final Set<String> degraded = new HashSet<>();
        private Optional<ResultPlan> plan;
        private Coverage coverage = new Coverage(0, 0, false);
        private QueryCost cost = QueryCost.NONE;
        private final boolean keepsGroups;
        private long totalCount;

        /** The number of targets whose nodes are unavailable. */
        private int missing;

        /** The groups so far, by grouping. */
        private List<Group<ResultHit>> groups = List.of();

        Blend(SearchQuery query, RankModels models, boolean keepsGroups) {
            this.query = query;
            this.models = models;
            this.keepsGroups = keepsGroups;
            errors.addAll(query.output().problems());
            trace.addAll(query.output().trace());
            this.plan = query.output().plan();
            if (query.output().traceLevel() > 0) {
                trace.add(
                        TraceLine.now(
                                "Query as searched: " + QueryText.of(query.condition().tree())));
            }
        }

        /** Adds a phase to the plan, if the query is explained. */
        void endPhase(String name, long start) {
            plan = plan.map(each -> each.with(new PlanPhase(name, System.nanoTime() - start)));
        }

        void add(Target target, Outcome outcome) {
            switch (outcome) {
                case Outcome.Answered(SearchReply.Found answer) -> add(target, answer);
                case Outcome.Answered(SearchReply.Rejected(var reason)) ->
                        fail(target, ErrorCode.ILLEGAL_QUERY, reason);
                case Outcome.Answered(SearchReply.TimedOut()) ->
                        fail(
                                target,
                                ErrorCode.TIMED_OUT,
                                "time ran out before anything was found in '%s'"
                                        .formatted(target.schema().name()));
                case Outcome.Answered(SearchReply.Overloaded(var reason)) ->
                        fail(target, ErrorCode.TOO_MANY_QUERIES, reason);
                case Outcome.Answered(SearchReply.WrongOwner(var version)) ->
                        fail(
                                target,
                                ErrorCode.BACKEND_COMMUNICATION,
                                "the node asked is not the owner in cluster state %d; try again"
                                        .formatted(version));
                case Outcome.Answered(SearchReply.Failed(var reason)) ->
                        fail(target, ErrorCode.SEARCH_REPLY, reason);
                case Outcome.Answered(SearchReply.Unavailable(var reason)) -> {
                    missing++;
                    degraded.add(target.cluster());
                    fail(target, ErrorCode.BACKEND_COMMUNICATION, reason);
                }
                case Outcome.Forbidden(var reason) -> fail(target, ErrorCode.FORBIDDEN, reason);
            }
        }

        private void add(Target target, SearchReply.Found answer) {
            GlobalRanking.Outcome ranked = ranked(target, answer.hits());
            if (ranked.isStopped() && !query.caller().softTimeout()) {
                fail(
                        target,
                        ErrorCode.TIMED_OUT,
                        "time ran out in the global-phase of '%s'"
                                .formatted(target.ranking().profile().name()));
                return;
            }
            answered.add(target.cluster());
            boolean isFull =
                    !answer.report().coverage().timedOut()
                            && answer.report().coverage().documents()
                                    >= answer.report().coverage().total();
            if (!isFull || ranked.isStopped()) {
                degraded.add(target.cluster());
            }
            coverage =
                    coverage.plus(answer.report().coverage())
                            .plus(new Coverage(0, 0, ranked.isStopped()));
            cost = cost.plus(answer.report().cost());
            totalCount += answer.totalCount();
            for (String warning : answer.report().warnings()) {
                errors.add(new ResultError(ErrorCode.SEARCH_WARNING, target.cluster(), warning));
            }
            for (String warning : target.ranking().warnings()) {
                errors.add(new ResultError(ErrorCode.SEARCH_WARNING, target.cluster(), warning));
            }
            if (!ranked.hits().isEmpty()) {
                target.missingSummary().ifPresent(summary -> addMissing(summary, target));
            }
            var display = new HitDisplay(query.output().presentation(), target);
            for (SearchHit hit : ranked.hits()) {
                hits.add(display.shown(hit));
            }
            addGroups(display, answer.groups());
            plan =
                    plan.map(each ->
                            each.plus(
                                    new ResultPlan(
                                            List.of(), List.of(planned(target, answer.report())))));
            if (query.output().traceLevel() > 0) {
                tell("%s.%s:".formatted(target.cluster(), target.schema().name()));
                answer.report().trace().forEach(line -> tell("  " + line));
                tell(
                        query.caller().principal().hasEveryGroup()
                                ? told(target, answer.report().cost())
                                : "  no counts of blocks, as the sender is limited to some groups");
            }
        }

        private static PlannedSearch planned(Target target, SearchReport report) {
            return new PlannedSearch(
                    target.cluster(),
                    target.schema().name(),
                    target.ranking().profile().name(),
                    report.plans());
        }

        private void addMissing(String summary, Target target) {
            errors.add(
                    new ResultError(
                            ErrorCode.SEARCH_WARNING,
                            target.cluster(),
                            "Schema '%s' has no document summary '%s': its hits have the fields of its default"
                                    .formatted(target.schema().name(), summary)));
        }

        private void tell(String line) {
            trace.add(TraceLine.now(line));
        }

        private GlobalRanking.Outcome ranked(Target target, List<SearchHit> hits) {
            if (target.ranking().global().isEmpty()) {
                return new GlobalRanking.Outcome(hits, 0, 0, false);
            }
            long start = System.nanoTime();
            GlobalRanking.Outcome outcome =
                    GlobalRanking.rank(
                            target.ranking().global().get(),
                            target,
                            hits,
                            models,
                            query.caller().deadline());
            endPhase("global-phase", start);
            totalCount -= outcome.dropped();
            if (outcome.incomplete() > 0) {
                errors.add(
                        new ResultError(
                                ErrorCode.SEARCH_WARNING,
                                target.cluster(),
                                "%d hits came without a feature that the global-phase of '%s' needs, and count as 0"
                                        .formatted(
                                                outcome.incomplete(),
                                                target.ranking().profile().name())));
            }
            return outcome;
        }

        private void addGroups(HitDisplay display, List<Group<SearchHit>> lists) {
            var added = new ArrayList<Group<ResultHit>>();
            for (int i = 0; i < lists.size(); i++) {
                Group<ResultHit> group = lists.get(i).map(hit -> Optional.of(display.shown(hit)));
                added.add(
                        groups.isEmpty()
                                ? group
                                : groups.get(i)
                                        .plus(
                                                group,
                                                query.grouping().requests().get(i).root(),
                                                order()));
            }
            groups = added.isEmpty() ? groups : added;
        }

        private Comparator<ResultHit> order() {
            return Comparator.comparing(ResultHit::hit, new HitOrder(query.hits().sorting()));
        }

        private List<ResultGroups> shownGroups() {
            try {
                return groupsAsAsked();
            } catch (GroupingException e) {
                throw new IllegalQueryException(
                        ErrorCode.INVALID_PARAMETER, String.valueOf(e.getMessage()));
            }
        }

        private List<ResultGroups> groupsAsAsked() {
            if (groups.isEmpty()) {
                return List.of();
            }
            List<GroupingRequest> requests = query.grouping().requests();
            ZoneId zone = ZoneId.of(query.grouping().timeZone());
            boolean isShown = query.grouping().isWhole() || keepsGroups;
            var shown = new ArrayList<ResultGroups>();
            for (int i = 0; i < groups.size(); i++) {
                var all =
                        new ResultGroups(requests.get(i), i, groups.get(i), times(requests.get(i)));
                shown.add(isShown ? all : all.shown(zone));
            }
            return shown;
        }

        private GroupTimes times(GroupingRequest request) {
            return query.output().presentation().values().timesAsTexts()
                    ? GroupTimes.of(
                            request.root(), query.targets().stream().map(Target::schema).toList())
                    : GroupTimes.NONE;
        }

        private static String told(Target target, QueryCost cost) {
            return "%s.%s: %d blocks, %d passed over, %d rows, %d bytes, %d of them from the device, %.3f ms of CPU"
                    .formatted(
                            target.cluster(),
                            target.schema().name(),
                            cost.blocks(),
                            cost.skippedBlocks(),
                            cost.rows(),
                            cost.bytes(),
                            cost.deviceBytes(),
                            cost.cpuNanos() / 1e6);
        }

        private void fail(Target target, ErrorCode code, String reason) {
            errors.add(new ResultError(code, target.cluster(), reason));
        }

        SearchResult result() {
            if (query.targets().size() > 1) {
                hits.sort(order());
            }
            Optional<ResultCoverage> covered =
                    answered.isEmpty()
                            ? Optional.empty()
                            : Optional.of(
                                    new ResultCoverage(
                                            coverage,
                                            answered.size(),
                                            answered.size(),
                                            (int)
                                                    answered.stream()
                                                            .filter(each ->
                                                                    !degraded.contains(each))
                                                            .count(),
                                            (double) missing / query.targets().size()));
            int from = Math.min(query.hits().offset(), hits.size());
            List<ResultHit> shown =
                    hits.subList(from, from + Math.min(query.hits().count(), hits.size() - from));
            return new SearchResult(
                    new ResultPage(shown, totalCount, next(shown)),
                    shownGroups(),
                    covered,
                    cost,
                    errors,
                    query.output().withTrace(trace).withPlan(plan));
        }

        /** Returns the start of the next page; empty if there is none. */
        private Optional<String> next(List<ResultHit> shown) {
            if (!query.hits().page().isTold()
                    || shown.isEmpty()
                    || shown.size() < query.hits().count()) {
                return Optional.empty();
            }
            return Cursor.text(HitPosition.of(shown.getLast().hit()), query.hits().sorting());
        }
    }
}
