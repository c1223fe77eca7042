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
 * A cluster that talks HTTP.
 *
 * @param search whether it answers {@code /search/}
 * @param documentApi how it answers {@code /document/v1}, where it does
 * @param servers where it listens; none where the package wants no HTTP
 * @param searchChains what queries may name besides the chains that are always there
 * @param embedders ids distinct
 * @param searchPaths where it answers queries in place of {@code /search/}; nothing for there
 * @param own the components that the package brings for it
 * @param significance how common words are, for queries that ask for it
 * @param access which clients may use it
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

    /** A cluster without components of one's own, and without models. */
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

    /** A cluster whose queries come in where they do by themselves. */
    public ContainerCluster(
            String id,
            boolean search,
            Optional<DocumentApi> documentApi,
            List<HttpServer> servers,
            Set<String> searchChains,
            List<EmbedderComponent> embedders) {
        this(id, search, documentApi, servers, searchChains, embedders, List.of());
    }

    /** A cluster that says of itself no more than what it serves. */
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
     * A port.
     *
     * @param port where the package says one; otherwise the process chooses
     * @param tls nothing for what the process does where the package says nothing
     */
    public record HttpServer(OptionalInt port, Optional<ServerTls> tls) {
        /** What a cluster has that says nothing. */
        public static final HttpServer DEFAULT = new HttpServer(OptionalInt.empty());

        /** A port of which no more is said. */
        public HttpServer(OptionalInt port) {
            this(port, Optional.empty());
        }
    }

    /**
     * How documents come in.
     *
     * @param ignoresUndefinedFields whether fields that a type does not have are left out, where
     *     they are refused otherwise
     * @param maxBytes larger bodies are refused, where the package says so
     * @param timeout of operations that say none, where the package says one
     * @param roots below which {@code /document/v1/} is found, each with a slash at its end;
     *     nothing for {@code /} alone
     */
    public record DocumentApi(
            boolean ignoresUndefinedFields,
            OptionalLong maxBytes,
            Optional<Duration> timeout,
            List<ServedPath> roots) {
        public DocumentApi {
            roots = List.copyOf(roots);
        }

        /** Documents that come in where they do by themselves. */
        public DocumentApi(
                boolean ignoresUndefinedFields, OptionalLong maxBytes, Optional<Duration> timeout) {
            this(ignoresUndefinedFields, maxBytes, timeout, List.of());
        }

        /** The largest body of a document where the package says nothing. */
        public static final long MAX_BYTES = 100L << 20;

        /** What a package gets that says nothing. */
        public static final DocumentApi DEFAULT =
                new DocumentApi(false, OptionalLong.empty(), Optional.empty());
    }
}
