package org.crabro.container.yql;

import java.util.Optional;
import org.crabro.protocol.query.QueryNode;

/** What a statement may ask of the request that it came with. */
public interface QueryContext {
    /** Returns the value of the request parameter that {@code @name} stands for. */
    Optional<String> parameter(String name);

    /** Returns what {@code name} is in the schemas searched. */
    FieldKind fieldKind(String name);

    /** Returns the type of a field that no values can be listed of, as {@code in} does. */
    default Optional<String> unlisted(String name) {
        return Optional.empty();
    }

    /**
     * Called for every leaf of the tree that is made, and for every text that is cut into words,
     * before that is done: an implementation throws an exception of its own to stop a query that
     * grows too large, which none of the parsers catches.
     *
     * @param chars how many characters the leaf or text has
     */
    void count(int chars);

    /** Returns the language of the query's words, as a tag; empty where nobody said it. */
    default String language() {
        return "";
    }

    /** Returns whether other forms of words are found unless they say otherwise. */
    default boolean stems() {
        return true;
    }

    /** Returns how {@code userInput()} is read unless it says otherwise. */
    default String grammar() {
        return "weakAnd";
    }

    /** Returns what {@code userQuery()} stands for; nothing where the request has no such text. */
    Optional<QueryNode> userQuery();
}
