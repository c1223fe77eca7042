package org.crabro.config.services;

import java.util.List;
import java.util.OptionalDouble;

/** A cluster that stores documents. */
public record ContentCluster(String id, List<ClusterDocument> documents, ResourceLimits limits) {
    public ContentCluster {
        documents = List.copyOf(documents);
    }

    /** A cluster with the limits that a node has by itself. */
    public ContentCluster(String id, List<ClusterDocument> documents) {
        this(id, documents, ResourceLimits.NONE);
    }

    /**
     * Above which shares, over 0 and up to 1, documents are refused; a node has limits of its own
     * where none is given.
     */
    public record ResourceLimits(OptionalDouble disk, OptionalDouble memory) {
        public static final ResourceLimits NONE =
                new ResourceLimits(OptionalDouble.empty(), OptionalDouble.empty());
    }

    /** A document type that the cluster keeps. */
    public record ClusterDocument(String type, Mode mode) {}

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
