package org.crabro.content.match.text;

/** Tells which tokens count as a word of a query besides those that equal it. For one thread. */
public interface TokenMatcher {
    /** Returns what all such tokens begin with; nothing where they may begin with anything. */
    byte[] beginning();

    /** Returns whether a token, the first {@code length} bytes, is one of them. */
    boolean fits(byte[] token, int length);
}
