package org.crabro.config.services;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import org.crabro.config.component.OwnComponents;
import org.crabro.ranking.significance.SignificanceModels;

/**
 * A container cluster: nodes that serve the HTTP interface of the application.
 *
 * @param search empty if the cluster does not serve queries
 * @param documentApi empty if the cluster does not serve {@code /document/v1/}
 * @param models embedders, and models that are evaluated on request
 * @param own the components of the application's jars
 */
public record ContainerCluster(
        String id,
        Optional<SearchApi> search,
        Optional<DocumentApi> documentApi,
        HttpAccess http,
        ClusterModels models,
        OwnComponents own) {
    /** A cluster that evaluates no models on request. */
    public ContainerCluster(
            String id,
            Optional<SearchApi> search,
            Optional<DocumentApi> documentApi,
            HttpAccess http,
            List<EmbedderComponent> embedders,
            OwnComponents own) {
        this(id, search, documentApi, http, new ClusterModels(embedders, Optional.empty()), own);
    }

    /** Returns the components that make tensors of texts, ids distinct. */
    public List<EmbedderComponent> embedders() {
        return models.embedders();
    }

    /** A cluster with default settings and one default port. */
    public ContainerCluster(
            String id, boolean search, boolean documentApi, List<EmbedderComponent> embedders) {
        this(
                id,
                search ? Optional.of(SearchApi.DEFAULT) : Optional.empty(),
                documentApi ? Optional.of(DocumentApi.DEFAULT) : Optional.empty(),
                HttpAccess.DEFAULT,
                embedders,
                OwnComponents.NONE);
    }

    /**
     * The settings of {@code <search>}.
     *
     * @param chains the names of the search chains that queries can name besides the built-in ones
     * @param paths where queries are served instead of {@code /search/}; empty for {@code /search/}
     * @param significance how common words are, for queries that use it
     * @param tags the texts for highlighting
     */
    public record SearchApi(
            Set<String> chains,
            List<ServedPath> paths,
            SignificanceModels significance,
            HighlightTags tags) {
        /** No chains of the application, the default path, and no significance models. */
        public static final SearchApi DEFAULT =
                new SearchApi(Set.of(), List.of(), SignificanceModels.NONE);

        public SearchApi {
            chains = Set.copyOf(chains);
            paths = List.copyOf(paths);
        }

        /** Settings without texts for highlighting. */
        public SearchApi(
                Set<String> chains, List<ServedPath> paths, SignificanceModels significance) {
            this(chains, paths, significance, HighlightTags.NONE);
        }
    }

    /**
     * The ports of a cluster, and the clients that may use them.
     *
     * @param servers empty if the package turns HTTP off
     */
    public record HttpAccess(List<HttpServer> servers, ClientAccess clients) {
        /** One default port, and no rules for clients. */
        public static final HttpAccess DEFAULT = new HttpAccess(List.of(HttpServer.DEFAULT));

        public HttpAccess {
            servers = List.copyOf(servers);
        }

        /** Ports without rules for clients. */
        public HttpAccess(List<HttpServer> servers) {
            this(servers, ClientAccess.NONE);
        }
    }

    /**
     * An HTTP server.
     *
     * @param port if the package sets one; otherwise the process chooses
     * @param tls empty means the default of the process
     */
    public record HttpServer(OptionalInt port, Optional<ServerTls> tls) {
        /** The server of a cluster without settings for HTTP. */
        public static final HttpServer DEFAULT = new HttpServer(OptionalInt.empty());

        /** A server with the default for TLS. */
        public HttpServer(OptionalInt port) {
            this(port, Optional.empty());
        }
    }

    /**
     * The settings of the document API.
     *
     * @param ignoresUndefinedFields whether fields that a type does not have are ignored instead of
     *     rejected
     * @param maxBytes the maximum size of a body, if the package sets one
     * @param timeout the default timeout of operations, if the package sets one
     * @param roots the paths below which {@code /document/v1/} is served, each with a slash at its
     *     end; empty means {@code /} alone
     */
    public record DocumentApi(
            boolean ignoresUndefinedFields,
            OptionalLong maxBytes,
            Optional<Duration> timeout,
            List<ServedPath> roots) {
        public DocumentApi {
            roots = List.copyOf(roots);
        }

        /** Settings with the default path. */
        public DocumentApi(
                boolean ignoresUndefinedFields, OptionalLong maxBytes, Optional<Duration> timeout) {
            this(ignoresUndefinedFields, maxBytes, timeout, List.of());
        }

        /** The default of the maximum size of a body. */
        public static final long MAX_BYTES = 100L << 20;

        /** The settings of a package that sets none. */
        public static final DocumentApi DEFAULT =
                new DocumentApi(false, OptionalLong.empty(), Optional.empty());
    }
}
