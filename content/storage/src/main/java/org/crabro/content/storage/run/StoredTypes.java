package org.crabro.content.storage.run;

import java.util.Optional;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.graph.GraphFields;
import org.crabro.content.storage.index.IndexedFields;
import org.crabro.document.DocumentType;

/** Every document type that rows were ever written with. */
public interface StoredTypes {
    /** Returns the type with {@code fingerprint}; empty if no row was written with it. */
    Optional<DocumentType> type(long fingerprint);

    /** Returns how texts of the fields of {@code type} are searched, as far as it is known. */
    default SearchedTexts searchedTexts(DocumentType type) {
        return SearchedTexts.NONE;
    }

    /** Returns the fields of {@code type} that have an index. */
    default IndexedFields indexedFields(DocumentType type) {
        return IndexedFields.NONE;
    }

    /** Returns the fields of {@code type} whose vectors have graphs of neighbors. */
    default GraphFields graphFields(DocumentType type) {
        return GraphFields.NONE;
    }

    /**
     * Returns whether the active schema of {@code type} has no field named {@code field} any more.
     * Merges drop its values.
     */
    default boolean isRemoved(DocumentType type, String field) {
        return false;
    }
}
