package org.crabro.container.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.component.Caller;
import org.crabro.component.InvalidQueryException;
import org.crabro.component.Query;
import org.crabro.container.access.Callers;
import org.crabro.container.query.ErrorCode;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchQuery;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryText;
import org.crabro.protocol.wire.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * The query that searchers of an application see: a request and their changes. The request is
 * parsed once, when a searcher reads a value that needs it.
 */
final class OwnQuery implements Query {
    private final OwnSearch search;
    private final QueryRequest request;
    private final Changes changes;

    /** The parsed query. If two threads parse it, both get the same. */
    private volatile @Nullable SearchQuery understood;

    /**
     * Changes of searchers that are not parameters.
     *
     * @param filters conditions in YQL
     */
    private record Changes(
            List<String> filters,
            OptionalInt hits,
            OptionalInt offset,
            Optional<Duration> timeout) {
        static final Changes NONE =
                new Changes(List.of(), OptionalInt.empty(), OptionalInt.empty(), Optional.empty());
    }

    OwnQuery(OwnSearch search, QueryRequest request) {
        this(search, request, Changes.NONE);
    }

    private OwnQuery(OwnSearch search, QueryRequest request, Changes changes) {
        this.search = search;
        this.request = request;
        this.changes = changes;
    }

    /**
     * Returns the query.
     *
     * @throws IllegalQueryException if the request has no query, or a wrong one
     */
    SearchQuery understood() {
        SearchQuery known = understood;
        if (known == null) {
            known = changed(QueryBuilder.build(search.application(), search.settings(), request));
            understood = known;
        }
        return known;
    }

    /** Returns whether this query belongs to {@code other}. */
    boolean isOf(OwnSearch other) {
        return search == other;
    }

    private SearchQuery changed(SearchQuery built) {
        SearchQuery query = built;
        if (!changes.filters.isEmpty()) {
            var all = new ArrayList<>(List.of(query.condition().tree()));
            for (String filter : changes.filters) {
                all.add(
                        QueryBuilder.condition(
                                search.application(), search.settings(), request, filter));
            }
            query = query.withTree(new QueryNode.And(all));
        }
        int hits = changes.hits.orElse(query.hits().count());
        int offset = changes.offset.orElse(query.hits().offset());
        check("hits", hits, Math.max(query.hits().count(), search.settings().query().maxHits()));
        check(
                "offset",
                offset,
                Math.max(query.hits().offset(), search.settings().query().maxOffset()));
        query = query.withWindow(offset, hits);
        if (changes.timeout.isPresent()) {
            Duration most = search.settings().times().maxTimeout();
            Duration asked = changes.timeout.get();
            Duration timeout = asked.compareTo(most) > 0 ? most : asked;
            query =
                    query.withDeadline(
                            new Deadline(
                                    request.arrivalNanos() + timeout.toNanos(),
                                    request.sender().cancellation()));
        }
        return query;
    }

    private static void check(String name, int asked, int max) {
        if (asked < 0 || asked > max) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "requested %s: %d, max allowed: %d".formatted(name, asked, max));
        }
    }

    private SearchQuery asked() {
        try {
            return understood();
        } catch (IllegalQueryException e) {
            throw search.invalid(e);
        }
    }

    private Parameters parameters() {
        try {
            return RequestProfile.of(search.application().queryProfiles(), request.parameters())
                    .parameters();
        } catch (IllegalQueryException e) {
            throw search.invalid(e);
        }
    }

    @Override
    public Caller caller() {
        return Callers.of(request.sender().principal());
    }

    @Override
    public Optional<String> property(String name) {
        return parameters().named(name);
    }

    @Override
    public Map<String, String> properties() {
        return parameters().values();
    }

    @Override
    public Query withProperty(String name, String value) {
        Map<String, String> values = without(name);
        values.put(name, value);
        return with(values);
    }

    @Override
    public Query withoutProperty(String name) {
        return with(without(name));
    }

    private Map<String, String> without(String name) {
        var values = new LinkedHashMap<>(request.parameters().values());
        Optional<Parameter> builtIn = Parameter.named(name);
        values.keySet()
                .removeIf(each ->
                        each.equals(name)
                                || (builtIn.isPresent() && Parameter.named(each).equals(builtIn)));
        return values;
    }

    private OwnQuery with(Map<String, String> values) {
        return new OwnQuery(search, request.with(new Parameters(values)), changes);
    }

    private OwnQuery with(Changes others) {
        return new OwnQuery(search, request, others);
    }

    @Override
    public String tree() {
        return QueryText.of(asked().condition().tree());
    }

    @Override
    public Query withFilter(String condition) {
        var filters = new ArrayList<>(changes.filters);
        filters.add(condition);
        return with(
                new Changes(List.copyOf(filters), changes.hits, changes.offset, changes.timeout));
    }

    @Override
    public int hits() {
        return asked().hits().count();
    }

    @Override
    public int offset() {
        return asked().hits().offset();
    }

    @Override
    public Query withHits(int hits) {
        return with(
                new Changes(
                        changes.filters, OptionalInt.of(hits), changes.offset, changes.timeout));
    }

    @Override
    public Query withOffset(int offset) {
        return with(
                new Changes(
                        changes.filters, changes.hits, OptionalInt.of(offset), changes.timeout));
    }

    @Override
    public Duration timeLeft() {
        return asked().caller().deadline().remaining();
    }

    @Override
    public Query withTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new InvalidQueryException("a timeout is not negative: " + timeout);
        }
        return with(
                new Changes(changes.filters, changes.hits, changes.offset, Optional.of(timeout)));
    }

    @Override
    public int traceLevel() {
        return search.traceLevel();
    }

    @Override
    public void trace(String message) {
        search.trace(1, message);
    }
}
