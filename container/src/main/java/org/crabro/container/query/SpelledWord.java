package org.crabro.container.query;

import java.util.List;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.WordCount;

/**
 * A word of a user, and the words that are searched with it.
 *
 * @param field the field or the fieldset
 * @param word as the user typed it
 * @param documents how many documents have it; more than {@link WordCount#LITTLE} is a lower bound
 * @param isBeginning whether longer words are searched
 * @param near the words that are added because they differ little
 */
public record SpelledWord(
        String field, String word, long documents, boolean isBeginning, List<NearWord> near) {
    public SpelledWord {
        near = List.copyOf(near);
    }

    /** Returns the word and what was added, on one line. */
    public String text() {
        String count =
                documents > WordCount.LITTLE
                        ? "in more than " + WordCount.LITTLE
                        : "in " + documents;
        var text = new StringBuilder("Word '%s' is %s documents".formatted(word, count));
        if (isBeginning) {
            text.append("; added longer words");
        }
        for (int i = 0; i < near.size(); i++) {
            NearWord each = near.get(i);
            text.append(
                    "%s '%s' (%d %s, in %d)"
                            .formatted(
                                    i == 0 ? "; added" : ",",
                                    each.text(),
                                    each.edits(),
                                    each.edits() == 1 ? "edit" : "edits",
                                    each.documents()));
        }
        return text.toString();
    }
}
