package org.crabro.content.run;

import java.util.Optional;
import org.crabro.content.block.SearchedTexts;
import org.crabro.document.DocumentType;

/** Some types, of which all texts are searched in one way until that is changed. */
public final class SearchedTypes implements StoredTypes {
    private final StoredTypes types;
    private volatile SearchedTexts texts;

    public SearchedTypes(StoredTypes types, SearchedTexts texts) {
        this.types = types;
        this.texts = texts;
    }

    /** Has texts searched in another way from now on. */
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
