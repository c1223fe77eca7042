package org.crabro.container.search;

import java.util.Map;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;

/** Finds the chain that a request names, and has it answer. */
final class QueryChains {
    private static final String DEFAULT = "default";

    private final SearchedApplication application;
    private final SearchSettings settings;
    private final SearchChain builtIn;
    private final Map<String, OwnChain> own;

    /**
     * @param own by id; others are what is built in
     */
    QueryChains(
            SearchedApplication application,
            SearchSettings settings,
            SearchChain builtIn,
            Map<String, OwnChain> own) {
        this.application = application;
        this.settings = settings;
        this.builtIn = builtIn;
        this.own = Map.copyOf(own);
    }

    /**
     * Answers a request.
     *
     * @throws IllegalQueryException if it asks for nothing, or for what cannot be done
     */
    SearchResult search(QueryRequest request) {
        if (!own.isEmpty()) {
            OwnChain chain = own.get(name(request));
            if (chain != null) {
                return new OwnSearch(application, settings, builtIn, chain, request).result();
            }
        }
        return builtIn.search(QueryBuilder.build(application, settings, request));
    }

    private String name(QueryRequest request) {
        return RequestProfile.of(application.queryProfiles(), request.parameters())
                .parameters()
                .text(Parameter.SEARCH_CHAIN)
                .orElse(DEFAULT);
    }
}
