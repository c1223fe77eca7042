package org.crabro.container.search;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.crabro.config.component.ChainEnding;
import org.crabro.config.component.Federation;
import org.crabro.config.component.SourceOptions;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.container.dispatch.SearchDispatch;
import org.crabro.container.document.DocumentReads;
import org.crabro.container.query.IllegalQueryException;
import org.crabro.container.query.Parameter;
import org.crabro.container.query.Parameters;
import org.crabro.container.query.QueryBuilder;
import org.crabro.container.query.QueryRequest;
import org.crabro.container.query.RequestProfile;
import org.crabro.container.query.SearchSettings;
import org.crabro.container.query.SearchedApplication;

/**
 * The search chains of an application. Selects the chain that a request names, and runs the
 * request. A request that needs no federation goes to the content clusters at once.
 */
public final class QueryChains {
    private static final String DEFAULT = "default";
    private static final String NATIVE = "native";

    /**
     * The sources that all requests ask at the same time, with those that no request waits for any
     * longer. Further ones return 429.
     */
    static final int SOURCES_RUNNING = 10_000;

    private final SearchedApplication application;
    private final SearchSettings settings;
    private final SearchChain builtIn;
    private final SearchChain oneOfSeveral;
    private final OwnChains own;

    private final Semaphore running = new Semaphore(SOURCES_RUNNING);

    /** The content clusters as sources. */
    private final Federation clusters;

    /** Whether all requests without parameters of single sources go to the built-in search. */
    private final boolean isPlain;

    /**
     * @param own the chains that the package declares
     * @param documents reads the documents to which hits are similar
     */
    public QueryChains(
            SearchedApplication application,
            OwnChains own,
            SearchSettings settings,
            SearchDispatch dispatch,
            DocumentReads documents) {
        this.application = application;
        this.own = own;
        this.settings = settings;
        this.builtIn = builtIn(application, dispatch, documents, false);
        this.oneOfSeveral = builtIn(application, dispatch, documents, true);
        this.clusters =
                new Federation(
                        "federation",
                        application.searchedClusters().stream()
                                .map(cluster -> Federation.Source.of(cluster, SourceOptions.NONE))
                                .toList());
        this.isPlain =
                own.equals(OwnChains.NONE)
                        && clusters.sources().size() < 2
                        && application.queryProfiles().equals(QueryProfiles.NONE);
    }

    private static SearchChain builtIn(
            SearchedApplication application,
            SearchDispatch dispatch,
            DocumentReads documents,
            boolean isOneOfSeveral) {
        return new SearchChain(
                List.of(
                        new TreeBounds(),
                        new FieldChecks(),
                        new SpellingSearcher(dispatch),
                        new SignificanceSearcher(application.significance()),
                        new FieldCollapse(isOneOfSeveral),
                        new RelatedDocuments(documents, application.selectionTypes()),
                        new ClusterSearcher(dispatch, application.rankModels(), isOneOfSeveral)));
    }

    SearchedApplication application() {
        return application;
    }

    SearchSettings settings() {
        return settings;
    }

    Semaphore running() {
        return running;
    }

    /**
     * Returns the built-in search of content clusters.
     *
     * @param isOneOfSeveral whether its result is merged with those of other sources
     */
    SearchChain builtIn(boolean isOneOfSeveral) {
        return isOneOfSeveral ? oneOfSeveral : builtIn;
    }

    /** Returns the chain of a source. */
    OwnChain chain(String id) {
        OwnChain chain = own.byId().get(id);
        if (chain != null) {
            return chain;
        }
        return application.searchedClusters().contains(id) ? OwnChain.ofCluster(id) : empty(id);
    }

    /** Returns a chain that is the same as a built-in one. */
    private static OwnChain empty(String id) {
        return new OwnChain(id, List.of(), new ChainEnding.BuiltIn(!id.equals(NATIVE)), true);
    }

    /** Returns the sources of built-in chains, if the package declares a provider. */
    Optional<Federation> declared() {
        return own.builtIn();
    }

    /**
     * Returns the federation at the end of a built-in chain; empty if all content clusters are
     * searched as one.
     *
     * @param blends whether the hits of all sources are one list
     * @param namesSources whether the request has parameters of single sources
     */
    Optional<Federation> federation(boolean blends, boolean namesSources) {
        boolean hasSections = !blends && clusters.sources().size() > 1;
        return own.builtIn()
                .or(() -> namesSources || hasSections ? Optional.of(clusters) : Optional.empty());
    }

    /**
     * Runs a request.
     *
     * @throws IllegalQueryException if the request has no query, or a wrong one
     */
    SearchResult search(QueryRequest request) {
        if (!isPlain || SourceParameters.areIn(request.parameters())) {
            Parameters parameters =
                    RequestProfile.of(application.queryProfiles(), request.parameters())
                            .parameters();
            String name = parameters.text(Parameter.SEARCH_CHAIN).orElse(DEFAULT);
            OwnChain chain = own.byId().get(name);
            if (chain == null && application.hasSearchChain(name)) {
                OwnChain same = empty(name);
                if (federation(same.blends(), SourceParameters.areIn(parameters)).isPresent()) {
                    chain = same;
                }
            }
            if (chain != null) {
                return new OwnSearch(this, chain, request).result();
            }
        }
        return builtIn.search(QueryBuilder.build(application, settings, request));
    }
}
