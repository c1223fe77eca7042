package org.crabro.content.search.match.text;

/** Decides which tokens match a word of a query without being equal to it. For one thread. */
public interface TokenMatcher {
    /** Returns the common prefix of all matching tokens; empty if there is none. */
    byte[] beginning();

    /** Returns whether a token, the first {@code length} bytes, matches. */
    boolean fits(byte[] token, int length);
}
