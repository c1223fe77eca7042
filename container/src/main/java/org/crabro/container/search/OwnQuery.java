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
import org.crabro.container.query.QueryOutput;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestOutline;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchQuery;
import org.crabro.container.query.SearchedApplication;
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

    /** The part of the application that the chain searches. */
    private final SearchedApplication application;

    /** The parsed query. If two threads parse it, both get the same. */
    private volatile @Nullable SearchQuery understood;

    /**
     * Changes of searchers that are not parameters.
     *
     * @param filters conditions in YQL
     * @param share what a federation asks of a source; empty for the query of a request
     */
    private record Changes(
            List<String> filters,
            OptionalInt hits,
            OptionalInt offset,
            Optional<Duration> timeout,
            Optional<Share> share) {
        static final Changes NONE =
                new Changes(
                        List.of(),
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty());

        Changes with(OptionalInt otherHits, OptionalInt otherOffset) {
            return new Changes(filters, otherHits, otherOffset, timeout, share);
        }
    }

    /**
     * What a federation asks of a source.
     *
     * @param window the hits, in place of those that the request names
     * @param deadline of the source
     * @param sources the names of the sources to ask, if the source is a federation itself; empty
     *     for all
     */
    record Share(QueryOutput.Window window, Deadline deadline, List<String> sources) {
        Share {
            sources = List.copyOf(sources);
        }
    }

    /**
     * @param application the part that the chain searches
     */
    OwnQuery(OwnSearch search, QueryRequest request, SearchedApplication application) {
        this(search, request, Changes.NONE, application);
    }

    private OwnQuery(
            OwnSearch search,
            QueryRequest request,
            Changes changes,
            SearchedApplication application) {
        this.search = search;
        this.request = request;
        this.changes = changes;
        this.application = application;
    }

    /** Returns the query of one source. */
    OwnQuery of(Parameters parameters, Share share, SearchedApplication part) {
        return new OwnQuery(
                search,
                request.with(parameters),
                new Changes(
                        changes.filters,
                        OptionalInt.empty(),
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.of(share)),
                part);
    }

    /** Returns the parameters of the request with the changes of searchers. */
    Parameters requested() {
        return request.parameters();
    }

    /**
     * Returns what a federation reads of this query.
     *
     * @throws IllegalQueryException if a value is wrong
     */
    RequestOutline outline() {
        RequestOutline outline = QueryBuilder.outline(application, search.settings(), request);
        QueryOutput.Window window = changes.share.map(Share::window).orElseGet(outline::window);
        return new RequestOutline(
                changes.share.map(Share::sources).orElseGet(outline::sources),
                outline.restrict(),
                new QueryOutput.Window(
                        changes.hits.orElse(window.hits()), changes.offset.orElse(window.offset())),
                deadline(changes.share.map(Share::deadline).orElseGet(outline::deadline)),
                outline.parameters());
    }

    /** Returns whether the result is put together with those of other sources. */
    boolean isOneOfSeveral() {
        return application.isOneOfSeveral();
    }

    /**
     * Returns the query.
     *
     * @throws IllegalQueryException if the request has no query, or a wrong one
     */
    SearchQuery understood() {
        SearchQuery cached = understood;
        if (cached == null) {
            cached = changed(QueryBuilder.build(application, search.settings(), request));
            understood = cached;
        }
        return cached;
    }

    /** Returns whether this query belongs to {@code other}. */
    boolean isOf(OwnSearch other) {
        return search == other;
    }

    private SearchQuery changed(SearchQuery built) {
        SearchQuery query = built;
        if (changes.share.isPresent()) {
            Share share = changes.share.get();
            query =
                    query.withWindow(share.window.offset(), share.window.hits())
                            .withDeadline(share.deadline);
        }
        if (!changes.filters.isEmpty()) {
            var all = new ArrayList<>(List.of(query.condition().tree()));
            for (String filter : changes.filters) {
                all.add(QueryBuilder.condition(application, search.settings(), request, filter));
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
        return query.withWindow(offset, hits).withDeadline(deadline(query.caller().deadline()));
    }

    /** Returns the deadline that a searcher sets; that of a source is never later than its own. */
    private Deadline deadline(Deadline end) {
        if (changes.timeout.isEmpty()) {
            return end;
        }
        Duration most = search.settings().times().maxTimeout();
        Duration asked = changes.timeout.get();
        Duration timeout = asked.compareTo(most) > 0 ? most : asked;
        long nanos = request.arrivalNanos() + timeout.toNanos();
        return new Deadline(
                changes.share.isPresent() && nanos - end.nanos() > 0 ? end.nanos() : nanos,
                end.cancellation());
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
            return RequestProfile.of(application.queryProfiles(), request.parameters())
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
        remove(values, name);
        return values;
    }

    /** Removes the values of a parameter, whatever their names. */
    static void remove(Map<String, String> values, String name) {
        Optional<Parameter> builtIn = Parameter.named(name);
        values.keySet()
                .removeIf(each ->
                        each.equals(name)
                                || (builtIn.isPresent() && Parameter.named(each).equals(builtIn)));
    }

    private OwnQuery with(Map<String, String> values) {
        return new OwnQuery(search, request.with(new Parameters(values)), changes, application);
    }

    private OwnQuery with(Changes others) {
        return new OwnQuery(search, request, others, application);
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
                new Changes(
                        List.copyOf(filters),
                        changes.hits,
                        changes.offset,
                        changes.timeout,
                        changes.share));
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
        return with(changes.with(OptionalInt.of(hits), changes.offset));
    }

    @Override
    public Query withOffset(int offset) {
        return with(changes.with(changes.hits, OptionalInt.of(offset)));
    }

    @Override
    public Duration timeLeft() {
        SearchQuery cached = understood;
        try {
            // A query of a language model may have a time and no condition.
            return (cached == null ? outline().deadline() : cached.caller().deadline()).remaining();
        } catch (IllegalQueryException e) {
            throw search.invalid(e);
        }
    }

    @Override
    public Query withTimeout(Duration timeout) {
        if (timeout.isNegative()) {
            throw new InvalidQueryException("a timeout is not negative: " + timeout);
        }
        return with(
                new Changes(
                        changes.filters,
                        changes.hits,
                        changes.offset,
                        Optional.of(timeout),
                        changes.share));
    }

    @Override
    public Optional<String> header(String name) {
        return request.sender().headers().apply(name);
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
