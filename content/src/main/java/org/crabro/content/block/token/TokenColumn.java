package org.crabro.content.block.token;

/**
 * The words of a searched text in the rows of a block: its different tokens, and which of them
 * stand where. Valid as long as the view that gave the block is open. It is told from others by
 * what it is, not by its bytes.
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
