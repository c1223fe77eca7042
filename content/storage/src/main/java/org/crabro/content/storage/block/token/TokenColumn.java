package org.crabro.content.storage.block.token;

/**
 * The words of a searched text in the rows of a block: its distinct tokens, and the token of each
 * word. Valid while the view that returned the block is open. Compared by identity, not by its
 * bytes.
 */
public final class TokenColumn {
    private final TokenDictionary dictionary;
    private final TokenNumbers numbers;

    public TokenColumn(TokenDictionary dictionary, TokenNumbers numbers) {
        this.dictionary = dictionary;
        this.numbers = numbers;
    }

    public TokenDictionary dictionary() {
        return dictionary;
    }

    public TokenNumbers numbers() {
        return numbers;
    }
}
