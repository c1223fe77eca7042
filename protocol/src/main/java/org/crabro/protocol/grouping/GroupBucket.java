package org.crabro.protocol.grouping;

import java.util.Optional;

/**
 * A range of values of one type that fall together.
 *
 * @param from the smallest value in it; nothing for no lower bound
 * @param to the smallest value behind it; nothing for no upper bound
 */
public record GroupBucket(Optional<GroupValue> from, Optional<GroupValue> to) {
    /** Returns the canonical form. */
    public String text() {
        return "bucket["
                + from.map(GroupBucket::end).orElse("-inf")
                + ", "
                + to.map(GroupBucket::end).orElse("inf")
                + ">";
    }

    private static String end(GroupValue value) {
        return value instanceof GroupValue.Text(String text)
                ? GroupExpression.quoted(text)
                : value.text();
    }
}
