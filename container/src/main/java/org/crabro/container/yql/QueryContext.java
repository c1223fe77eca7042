package org.crabro.container.yql;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.time.TimeKind;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.Spelling;
import org.crabro.text.SpecialTokens;

/** The request of a statement, as its parsers use it. */
public interface QueryContext {
    /** Returns the value of the request parameter {@code name}. */
    Optional<String> parameter(String name);

    /** Returns the kind of {@code name} in the searched schemas. */
    FieldKind fieldKind(String name);

    /** Returns the type of a field that {@code in} does not support; empty if it does. */
    default Optional<String> unlisted(String name) {
        return Optional.empty();
    }

    /**
     * Returns the document types in which a field, or a part of one, has times, by what its numbers
     * count; empty if they are no times.
     *
     * @param path with dots between the names of parts
     */
    default Map<TimeKind, Set<String>> timeKinds(String path) {
        return Map.of();
    }

    /** Returns the time of the request, in seconds since 1970. */
    default long now() {
        return 0;
    }

    /**
     * Counts a leaf of the tree, or a text, before it is created or tokenized. An implementation
     * throws its own exception if a query grows too large; no parser catches it.
     *
     * @param chars the length of the leaf or text
     */
    void count(int chars);

    /** Returns the language of the query's words, as a tag; empty if none is set. */
    default String language() {
        return "";
    }

    /** Returns the words with separators inside. */
    default SpecialTokens specialTokens() {
        return SpecialTokens.NONE;
    }

    /** Returns whether unknown annotations are rejected. */
    default boolean isStrict() {
        return false;
    }

    /** Notes an unknown annotation, which has no effect. */
    default void noteIgnored(String annotation) {}

    /** Returns whether words are stemmed by default. */
    default boolean stems() {
        return true;
    }

    /** Returns the default spelling of words that a user typed. */
    default Spelling spelling() {
        return Spelling.EXACT;
    }

    /** Returns the default grammar of {@code userInput()}. */
    default String grammar() {
        return "weakAnd";
    }

    /** Returns the tree of {@code userQuery()}; empty if the request has no such text. */
    Optional<QueryNode> userQuery();
}
