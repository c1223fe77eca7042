package org.crabro.config.services;

import java.util.List;

/** A cluster that stores documents. */
public record ContentCluster(String id, List<ClusterDocument> documents) {
    public ContentCluster {
        documents = List.copyOf(documents);
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
