package org.crabro.content.run;

import java.util.Optional;
import org.crabro.content.block.SearchedTexts;
import org.crabro.document.DocumentType;

/** Every document type that rows were ever written with. */
public interface StoredTypes {
    /** Returns the type with {@code fingerprint}, or nothing where no row was written with one. */
    Optional<DocumentType> type(long fingerprint);

    /** Returns how text of the fields of {@code type} is searched, as far as that is known. */
    default SearchedTexts searchedTexts(DocumentType type) {
        return SearchedTexts.NONE;
    }
}
