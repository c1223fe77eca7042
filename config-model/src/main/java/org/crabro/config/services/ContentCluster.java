package org.crabro.config.services;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.config.schema.SnippetRules;

/**
 * A cluster that stores documents.
 *
 * @param queryTimeout of queries that say none, where the package says one
 * @param expiry how often each document is looked at that its selection may mean no more, and
 *     removed then; nothing where none is
 * @param snippets how those of its documents are made
 * @param processedBy the chain of one's own that documents go through before they are stored
 */
public record ContentCluster(
        String id,
        List<ClusterDocument> documents,
        ResourceLimits limits,
        Optional<Duration> queryTimeout,
        Optional<Duration> expiry,
        SnippetRules snippets,
        Optional<ProcessedBy> processedBy) {
    public ContentCluster {
        documents = List.copyOf(documents);
    }

    /**
     * A cluster that says nothing of snippets, and whose documents go through indexing scripts
     * alone.
     */
    public ContentCluster(
            String id,
            List<ClusterDocument> documents,
            ResourceLimits limits,
            Optional<Duration> queryTimeout,
            Optional<Duration> expiry) {
        this(id, documents, limits, queryTimeout, expiry, SnippetRules.DEFAULT, Optional.empty());
    }

    /**
     * A chain of document processors.
     *
     * @param container the cluster that has it
     */
    public record ProcessedBy(String container, String chain) {}

    /** A cluster that says nothing of itself. */
    public ContentCluster(String id, List<ClusterDocument> documents) {
        this(id, documents, ResourceLimits.NONE);
    }

    /** A cluster that says its limits only. */
    public ContentCluster(String id, List<ClusterDocument> documents, ResourceLimits limits) {
        this(id, documents, limits, Optional.empty());
    }

    /** A cluster from which no document is removed by itself. */
    public ContentCluster(
            String id,
            List<ClusterDocument> documents,
            ResourceLimits limits,
            Optional<Duration> queryTimeout) {
        this(id, documents, limits, queryTimeout, Optional.empty());
    }

    /**
     * When documents are refused; a node has limits of its own where none is given.
     *
     * @param disk above which share of it, over 0 and up to 1
     * @param memory the same
     * @param documentBytes the largest document, up to {@value #DOCUMENT_BYTES_MAX}
     */
    public record ResourceLimits(
            OptionalDouble disk, OptionalDouble memory, OptionalInt documentBytes) {
        /** A larger document would not fit into a message. */
        public static final int DOCUMENT_BYTES_MAX = 255 << 20;

        public static final ResourceLimits NONE =
                new ResourceLimits(
                        OptionalDouble.empty(), OptionalDouble.empty(), OptionalInt.empty());

        /** Returns these limits with another one for a document. */
        public ResourceLimits withDocumentBytes(int bytes) {
            return new ResourceLimits(disk, memory, OptionalInt.of(bytes));
        }
    }

    /**
     * A document type that the cluster keeps.
     *
     * @param isGlobal whether every node keeps every document
     * @param selection which documents are kept, in the selection language; empty for all
     */
    public record ClusterDocument(String type, Mode mode, boolean isGlobal, String selection) {
        /** A type of which all documents are kept. */
        public ClusterDocument(String type, Mode mode, boolean isGlobal) {
            this(type, mode, isGlobal, "");
        }

        /** A type whose documents are all kept, and shared out over the nodes. */
        public ClusterDocument(String type, Mode mode) {
            this(type, mode, false);
        }
    }

    /** How documents are searched. */
    public enum Mode {
        /** Everything of a type is searched unless a query says a group. */
        INDEX,
        /** A query says what it searches. */
        STREAMING,
        /** Not at all. */
        STORE_ONLY
    }
}
