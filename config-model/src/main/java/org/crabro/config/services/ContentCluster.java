package org.crabro.config.services;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SnippetRules;

/**
 * A cluster that stores documents.
 *
 * @param expiry how often each document is checked against the selection of its type, and removed
 *     if it no longer matches; empty if documents do not expire
 * @param processedBy the chain of the application's document processors that documents pass before
 *     they are stored
 */
public record ContentCluster(
        String id,
        List<ClusterDocument> documents,
        ResourceLimits limits,
        QueryDefaults queries,
        Optional<Duration> expiry,
        Optional<ProcessedBy> processedBy) {
    public ContentCluster {
        documents = List.copyOf(documents);
    }

    /** A cluster with default snippets and without document processors of the application. */
    public ContentCluster(
            String id,
            List<ClusterDocument> documents,
            ResourceLimits limits,
            Optional<Duration> queryTimeout,
            Optional<Duration> expiry) {
        this(
                id,
                documents,
                limits,
                new QueryDefaults(queryTimeout, SnippetRules.DEFAULT, OptionalInt.empty()),
                expiry,
                Optional.empty());
    }

    /**
     * What applies to a query that does not set it itself.
     *
     * @param timeout empty if the package sets none
     * @param snippets how dynamic summaries are cut
     * @param hitsPerNode the maximum number of hits that a node returns; empty if there is none
     */
    public record QueryDefaults(
            Optional<Duration> timeout, SnippetRules snippets, OptionalInt hitsPerNode) {}

    /**
     * A chain of document processors.
     *
     * @param container the cluster that has it
     */
    public record ProcessedBy(String container, String chain) {}

    /** Returns the cluster with other document types. */
    public ContentCluster with(List<ClusterDocument> others) {
        return new ContentCluster(id, others, limits, queries, expiry, processedBy);
    }

    /** A cluster with default settings. */
    public ContentCluster(String id, List<ClusterDocument> documents) {
        this(id, documents, ResourceLimits.NONE);
    }

    /** A cluster with limits and otherwise default settings. */
    public ContentCluster(String id, List<ClusterDocument> documents, ResourceLimits limits) {
        this(id, documents, limits, Optional.empty());
    }

    /** A cluster whose documents do not expire. */
    public ContentCluster(
            String id,
            List<ClusterDocument> documents,
            ResourceLimits limits,
            Optional<Duration> queryTimeout) {
        this(id, documents, limits, queryTimeout, Optional.empty());
    }

    /**
     * The limits above which documents are rejected; without them a node uses its own limits.
     *
     * @param disk the maximum share of the disk, above 0 and up to 1
     * @param memory the maximum share of the memory, above 0 and up to 1
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
     * @param ownSchema the schema, if this cluster searches or shows the documents in another way
     *     than other clusters with the type
     */
    public record ClusterDocument(
            String type,
            Mode mode,
            boolean isGlobal,
            String selection,
            Optional<Schema> ownSchema) {
        /** A type that all clusters search and show in the same way. */
        public ClusterDocument(String type, Mode mode, boolean isGlobal, String selection) {
            this(type, mode, isGlobal, selection, Optional.empty());
        }

        /** Returns the type with a schema of this cluster. */
        public ClusterDocument with(Schema schema) {
            return new ClusterDocument(type, mode, isGlobal, selection, Optional.of(schema));
        }

        /** A type whose documents are all kept. */
        public ClusterDocument(String type, Mode mode, boolean isGlobal) {
            this(type, mode, isGlobal, "");
        }

        /** A type whose documents are all kept, and distributed over the nodes. */
        public ClusterDocument(String type, Mode mode) {
            this(type, mode, false);
        }
    }

    /** How documents are searched. */
    public enum Mode {
        /** A query searches all documents of the type, unless it names a group. */
        INDEX,
        /** A query names the documents that it searches. */
        STREAMING,
        /** Not at all. */
        STORE_ONLY
    }
}
