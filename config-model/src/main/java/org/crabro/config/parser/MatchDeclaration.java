package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.MatchWord;

/** A word given to {@code match}, with its place. */
public record MatchDeclaration(SourcePosition at, MatchWord word) {
    /** Returns the word as text, with its place. */
    public Name name() {
        return new Name(at, word.text());
    }

    /** Returns the place of {@code word}, if a field declares it. */
    public static Optional<Name> find(List<MatchDeclaration> declared, MatchWord word) {
        return declared.stream()
                .filter(each -> each.word == word)
                .map(MatchDeclaration::name)
                .findFirst();
    }
}
