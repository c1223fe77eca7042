package org.crabro.content.storage.run;

import java.util.Optional;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.document.DocumentType;

/** Some types whose texts are all searched in one way, which can be changed. */
public final class SearchedTypes implements StoredTypes {
    private final StoredTypes types;
    private volatile SearchedTexts texts;

    public SearchedTypes(StoredTypes types, SearchedTexts texts) {
        this.types = types;
        this.texts = texts;
    }

    /** Changes how texts are searched from now on. */
    public void search(SearchedTexts others) {
        texts = others;
    }

    @Override
    public Optional<DocumentType> type(long fingerprint) {
        return types.type(fingerprint);
    }

    @Override
    public SearchedTexts searchedTexts(DocumentType type) {
        return texts;
    }
}
