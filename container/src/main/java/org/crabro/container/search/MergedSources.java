package org.crabro.container.search;

import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.component.Result;
import org.crabro.container.query.Collapse;
import org.crabro.container.query.Cursor;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Presentation;
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.RequestOutline;
import org.crabro.container.query.ResultError;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.Target;
import org.crabro.container.search.SourceChoice.Chosen;
import org.crabro.protocol.grouping.GroupingException;
import org.crabro.protocol.search.HitOrder;
import org.crabro.protocol.search.HitPosition;
import org.crabro.protocol.search.QueryCost;
import org.crabro.protocol.search.SortKey;

/**
 * Puts the results of sources together: as one list, or with the hits of each source as a section.
 *
 * <p>Blended hits have the order of the query. If sources sort in different ways, or a searcher
 * made hits, they are ordered by relevance.
 */
final class MergedSources {
    private final OwnResults results;
    private final RequestOutline outline;
    private final boolean blends;
    private final boolean hasSections;
    private final List<ResultHit> hits = new ArrayList<>();
    private final List<ResultGroups> groups = new ArrayList<>();
    private final List<ResultSection> sections = new ArrayList<>();
    private final List<ResultError> errors = new ArrayList<>();
    private final Set<List<SortKey>> sortings = new HashSet<>();
    private final List<SearchQuery> queries = new ArrayList<>();
    private Optional<ResultCoverage> coverage = Optional.empty();
    private Optional<String> next = Optional.empty();
    private long totalCount;

    /**
     * @param blends whether the hits of all sources are one list
     * @param hasSections whether the hits of each source are a section; if neither, there is one
     *     source, whose result is the result
     */
    MergedSources(OwnResults results, RequestOutline outline, boolean blends, boolean hasSections) {
        this.results = results;
        this.outline = outline;
        this.blends = blends;
        this.hasSections = hasSections;
    }

    void add(ResultError error) {
        errors.add(error);
    }

    /** Adds the result of steps of the chain itself. */
    void add(Result result) {
        hits.addAll(OwnResults.hits(result));
        totalCount += result.totalCount();
        errors.addAll(results.errors(result));
    }

    /** Adds that the time of a source ran out. An optional source is only a warning. */
    void addTimedOut(Chosen source, boolean isOptional) {
        addError(
                source,
                isOptional,
                new ResultError(
                        ErrorCode.TIMED_OUT,
                        source.name(),
                        "source '%s' did not answer in time".formatted(source.name())));
    }

    private void addError(Chosen source, boolean isOptional, ResultError error) {
        errors.add(
                isOptional && error.code() != ErrorCode.SEARCH_WARNING
                        ? new ResultError(
                                ErrorCode.SEARCH_WARNING,
                                source.name(),
                                "optional source: %s: %s"
                                        .formatted(error.code().summary(), error.message()))
                        : new ResultError(error.code(), source.name(), error.message()));
    }

    /** Adds a result without hits. */
    void add(Chosen source, boolean isOptional, Result failed) {
        results.errors(failed).forEach(error -> addError(source, isOptional, error));
    }

    /**
     * Adds the result of a source.
     *
     * @param query that the source was asked
     */
    void add(Chosen source, OwnQuery query, boolean isOptional, Result result) {
        add(source, isOptional, result);
        Optional<SearchResult> origin =
                result.origin()
                        .filter(SearchResult.class::isInstance)
                        .map(SearchResult.class::cast);
        List<ResultGroups> grouped =
                origin.map(MergedSources::groups).orElse(List.of()).stream()
                        .map(each -> each.from(source.name()))
                        .toList();
        OwnResults.hits(result).forEach(hit -> hits.add(hit.from(source.name())));
        totalCount += result.totalCount();
        coverage = together(coverage, origin.flatMap(SearchResult::coverage));
        if (hasSections) {
            if (!result.hits().isEmpty() || !grouped.isEmpty() || result.errors().isEmpty()) {
                sections.add(new ResultSection(source.name(), grouped));
            }
            return;
        }
        if (blends) {
            understood(query)
                    .ifPresent(each -> {
                        queries.add(each);
                        sortings.add(each.hits().sorting());
                    });
            grouped.forEach(this::addGroups);
        } else {
            groups.addAll(grouped);
            next = origin.flatMap(each -> each.page().next());
        }
    }

    /** The groups of a source that is a federation itself are in its sections. */
    private static List<ResultGroups> groups(SearchResult result) {
        var all = new ArrayList<>(result.groups());
        result.page().sections().forEach(section -> all.addAll(section.groups()));
        return all;
    }

    private static Optional<ResultCoverage> together(
            Optional<ResultCoverage> one, Optional<ResultCoverage> other) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().plus(other.get()))
                : one.or(() -> other);
    }

    private static Optional<SearchQuery> understood(OwnQuery query) {
        try {
            return Optional.of(query.understood());
        } catch (IllegalQueryException _) {
            // The searchers of the source replaced the query.
            return Optional.empty();
        }
    }

    private void addGroups(ResultGroups added) {
        for (int i = 0; i < groups.size(); i++) {
            ResultGroups previous = groups.get(i);
            if (previous.number() == added.number() && previous.request().equals(added.request())) {
                groups.set(i, previous.plus(added, order()));
                return;
            }
        }
        groups.add(added);
    }

    private Comparator<ResultHit> order() {
        return Comparator.comparing(
                ResultHit::hit, new HitOrder(isSortedAlike() ? sorting() : List.of()));
    }

    /** Returns the order of the sources, if all have the same one; otherwise that of relevance. */
    private List<SortKey> sorting() {
        return sortings.size() == 1 ? sortings.iterator().next() : List.of();
    }

    /** Returns whether all hits have values to sort by, of the same types. */
    private boolean isSortedAlike() {
        List<Set<Class<?>>> kinds = new ArrayList<>();
        sorting().forEach(_ -> kinds.add(new HashSet<>()));
        for (ResultHit hit : hits) {
            if (hit.hit().sortValues().size() != kinds.size()) {
                return false;
            }
            for (int i = 0; i < kinds.size(); i++) {
                Set<Class<?>> kind = kinds.get(i);
                hit.hit().sortValues().get(i).ifPresent(value -> kind.add(value.getClass()));
            }
        }
        return kinds.stream().allMatch(kind -> kind.size() < 2);
    }

    /** Returns the result as searchers see it. */
    Result result() {
        List<ResultHit> shown = blends ? blended() : hits;
        return results.shown(
                new SearchResult(
                        new ResultPage(shown, totalCount, blends ? next(shown) : next, sections),
                        blends ? shownGroups() : groups,
                        coverage,
                        QueryCost.NONE,
                        errors,
                        new QueryOutput(Presentation.DEFAULT, 0, List.of(), outline.window())));
    }

    private List<ResultHit> blended() {
        hits.sort(order());
        List<ResultHit> retained = hits;
        if (!queries.isEmpty()) {
            Collapse collapse = queries.getFirst().hits().collapse();
            List<Target> targets =
                    queries.stream().flatMap(query -> query.targets().stream()).toList();
            retained = FieldCollapse.merged(hits, collapse, targets);
        }
        return retained.stream()
                .skip(outline.window().offset())
                .limit(outline.window().hits())
                .toList();
    }

    private List<ResultGroups> shownGroups() {
        if (groups.isEmpty() || queries.isEmpty()) {
            return groups;
        }
        ZoneId zone = ZoneId.of(queries.getFirst().grouping().timeZone());
        try {
            return groups.stream().map(each -> each.shown(zone)).toList();
        } catch (GroupingException e) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER, String.valueOf(e.getMessage()));
        }
    }

    /** Returns the start of the next page; empty if there is none. */
    private Optional<String> next(List<ResultHit> shown) {
        boolean isTold =
                isSortedAlike()
                        && !queries.isEmpty()
                        && queries.getFirst().hits().page().isTold()
                        && !shown.isEmpty()
                        && shown.size() == outline.window().hits();
        return isTold
                ? Cursor.text(HitPosition.of(shown.getLast().hit()), sorting())
                : Optional.empty();
    }
}
