package org.crabro.container.search;

import java.util.List;
import java.util.Map;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;

/** Selects the search chain that a request names, and runs the request. */
public final class QueryChains {
    private static final String DEFAULT = "default";

    private final SearchedApplication application;
    private final SearchSettings settings;
    private final SearchChain builtIn;
    private final Map<String, OwnChain> own;

    /**
     * @param own chains with searchers of the application, by id; all other chains are the built-in
     *     one
     * @param documents reads the documents to which hits are similar
     */
    public QueryChains(
            SearchedApplication application,
            Map<String, OwnChain> own,
            SearchSettings settings,
            SearchDispatch dispatch,
            DocumentReads documents) {
        this.application = application;
        this.own = Map.copyOf(own);
        this.settings = settings;
        this.builtIn =
                new SearchChain(
                        List.of(
                                new TreeBounds(),
                                new FieldChecks(),
                                new SignificanceSearcher(application.significance()),
                                new FieldCollapse(),
                                new RelatedDocuments(documents),
                                new ClusterSearcher(dispatch, application.rankModels())));
    }

    /**
     * Runs a request.
     *
     * @throws IllegalQueryException if the request has no query, or a wrong one
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
