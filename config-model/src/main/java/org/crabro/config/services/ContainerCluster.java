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
 * A cluster that serves HTTP.
 *
 * @param search whether it serves queries
 * @param documentApi the settings of {@code /document/v1}, if it serves documents
 * @param servers the HTTP servers; empty if the package disables HTTP
 * @param searchChains the chains that queries can name in addition to the built-in ones
 * @param embedders ids distinct
 * @param searchPaths the paths for queries instead of {@code /search/}; empty means {@code
 *     /search/}
 * @param own the components of the application
 * @param significance document frequencies of words, for queries that use such a model
 * @param access the clients that may use it
 */
public record ContainerCluster(
        String id,
        boolean search,
        Optional<DocumentApi> documentApi,
        List<HttpServer> servers,
        Set<String> searchChains,
        List<EmbedderComponent> embedders,
        List<ServedPath> searchPaths,
        OwnComponents own,
        SignificanceModels significance,
        ClientAccess access) {
    public ContainerCluster {
        servers = List.copyOf(servers);
        searchChains = Set.copyOf(searchChains);
        embedders = List.copyOf(embedders);
        searchPaths = List.copyOf(searchPaths);
    }

    /** A cluster without components of the application and without models. */
    public ContainerCluster(
            String id,
            boolean search,
            Optional<DocumentApi> documentApi,
            List<HttpServer> servers,
            Set<String> searchChains,
            List<EmbedderComponent> embedders,
            List<ServedPath> searchPaths) {
        this(
                id,
                search,
                documentApi,
                servers,
                searchChains,
                embedders,
                searchPaths,
                OwnComponents.NONE,
                SignificanceModels.NONE,
                ClientAccess.NONE);
    }

    /** A cluster that serves queries at {@code /search/}. */
    public ContainerCluster(
            String id,
            boolean search,
            Optional<DocumentApi> documentApi,
            List<HttpServer> servers,
            Set<String> searchChains,
            List<EmbedderComponent> embedders) {
        this(id, search, documentApi, servers, searchChains, embedders, List.of());
    }

    /** A cluster with default settings for its services. */
    public ContainerCluster(
            String id, boolean search, boolean documentApi, List<EmbedderComponent> embedders) {
        this(
                id,
                search,
                documentApi ? Optional.of(DocumentApi.DEFAULT) : Optional.empty(),
                List.of(HttpServer.DEFAULT),
                Set.of(),
                embedders);
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
