package org.crabro.config.parser;

import org.crabro.config.schema.MatchWord;

/** A word given to {@code match}, with its place. */
public record MatchDeclaration(SourcePosition at, MatchWord word) {
    /** Returns the word as text, with its place. */
    public Name name() {
        return new Name(at, word.text());
    }
}
