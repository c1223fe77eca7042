package org.crabro.container.query;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.yql.FieldKind;
import org.crabro.container.yql.QueryContext;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.Spelling;
import org.crabro.text.SpecialTokens;
import org.jspecify.annotations.Nullable;

/**
 * A request as the parsers of queries see it: parameters, fields, language, and the bound on the
 * items of a query. For one request.
 */
final class RequestContext implements QueryContext {
    private static final String DEFAULT_TYPE = "weakAnd";

    /** A text counts as one more item per this many characters. */
    private static final int CHARS_PER_ITEM = 1_024;

    private final SearchedApplication application;
    private final Parameters parameters;
    private final int maxItems;
    private final Instant now;
    private final QueryStringReader queryString;

    /** As many as the query has, whose length is bounded. */
    private final Set<String> ignored = new LinkedHashSet<>();

    /** The items of the query so far: a bound on work before a tree exists. */
    private long items;

    /** Computed when the first word needs it. */
    private @Nullable String language;

    /**
     * @param maxItems a query with more items is rejected
     * @param now the time of the request
     */
    RequestContext(
            SearchedApplication application, Parameters parameters, int maxItems, Instant now) {
        this.application = application;
        this.parameters = parameters;
        this.maxItems = maxItems;
        this.now = now;
        this.queryString = new QueryStringReader(parameters, this);
    }

    /** Returns the reader of the words in {@code query}, {@code filter} and {@code recall}. */
    QueryStringReader queryString() {
        return queryString;
    }

    /** Returns the type of the query: the grammar of {@code query}. */
    String type() {
        return parameters.text(Parameter.TYPE).orElse(DEFAULT_TYPE);
    }

    @Override
    public Optional<String> parameter(String name) {
        return parameters.named(name);
    }

    @Override
    public FieldKind fieldKind(String name) {
        return application.fieldKind(name);
    }

    @Override
    public Optional<String> unlisted(String name) {
        return application.unlisted(name);
    }

    @Override
    public Map<TimeKind, Set<String>> timeKinds(String path) {
        return application.timeKinds(path);
    }

    @Override
    public long now() {
        return now.getEpochSecond();
    }

    @Override
    public void count(int chars) {
        items += 1 + chars / CHARS_PER_ITEM;
        if (items > maxItems) {
            throw new IllegalQueryException(
                    ErrorCode.INVALID_PARAMETER,
                    "the query has more items than allowed: " + maxItems);
        }
    }

    @Override
    public String language() {
        String cached = language;
        if (cached == null) {
            cached = new SortingBuilder(parameters, List.of()).language().orElse("");
            language = cached;
        }
        return cached;
    }

    @Override
    public SpecialTokens specialTokens() {
        return application.specialTokens();
    }

    @Override
    public void noteIgnored(String annotation) {
        ignored.add(annotation);
    }

    /** Returns the unknown annotations of the query. */
    Set<String> ignored() {
        return Collections.unmodifiableSet(ignored);
    }

    @Override
    public boolean isStrict() {
        return StrictChecks.areAsked(parameters);
    }

    @Override
    public boolean stems() {
        return !parameters.truth(Parameter.NO_STEMMING, false);
    }

    @Override
    public Spelling spelling() {
        return Spelling.of(
                parameters.truth(Parameter.TYPOS, false),
                parameters.truth(Parameter.BEGINNING, false));
    }

    @Override
    public String grammar() {
        return parameters.truth(Parameter.TYPE_OF_YQL, false) ? type() : DEFAULT_TYPE;
    }

    @Override
    public Optional<QueryNode> userQuery() {
        return queryString.userQuery();
    }
}
