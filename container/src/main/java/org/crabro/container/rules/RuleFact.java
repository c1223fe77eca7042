package org.crabro.container.rules;

import java.util.List;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;

/**
 * A word or a phrase of a query.
 *
 * @param id of its item in the tree
 * @param zone only words of one zone follow each other: an excluded word follows no required one
 * @param node a term or a phrase
 * @param keys of its words, to be compared with those of conditions
 */
record RuleFact(int id, int zone, QueryNode node, List<String> keys) {
    RuleFact {
        keys = List.copyOf(keys);
    }

    /** Returns whether it has several words, which only a condition on all of them matches. */
    boolean hasSeveral() {
        return keys.size() > 1;
    }

    boolean isPhrase() {
        return node instanceof QueryNode.Phrase;
    }

    String field() {
        return node instanceof QueryNode.Phrase(var field, _, _)
                ? field
                : ((QueryNode.Term) node).field();
    }

    TermSettings settings() {
        return node instanceof QueryNode.Phrase(_, _, var settings)
                ? settings
                : ((QueryNode.Term) node).settings();
    }

    /** Returns the words as the query contains them. */
    List<String> words() {
        return node instanceof QueryNode.Phrase(_, var words, _)
                ? words
                : List.of(((QueryNode.Term) node).text());
    }
}
