package org.crabro.content.node;

import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * The documents of global types that another node of the process has, for searches of documents
 * that refer to them.
 *
 * @param types none if the searched node has all documents itself
 * @param node returns the node; empty while it does not serve
 */
public record GlobalDocuments(Set<String> types, Supplier<Optional<Node>> node) {
    /** The searched node has all documents itself. */
    public static final GlobalDocuments NONE = new GlobalDocuments(Set.of(), Optional::empty);

    public GlobalDocuments {
        types = Set.copyOf(types);
    }

    /**
     * A node with global documents.
     *
     * @param node open longer than the searched node
     * @param isCurrent returns whether it has all documents
     */
    public record Node(ContentNode node, BooleanSupplier isCurrent) {}
}
