package org.crabro.protocol.grouping;

import java.util.Optional;

/**
 * The groups without documents that are added between other groups.
 *
 * @param bounds the range to fill; empty fills from the first to the last group with documents
 */
public record GroupFill(Optional<Bounds> bounds) {
    /**
     * A range of numbers.
     *
     * @param from a number in the first group
     * @param to groups that start at this number or later are not added
     */
    public record Bounds(GroupValue from, GroupValue to) {}

    /** Returns the canonical form. */
    public String text() {
        return bounds.map(each -> "fill(%s, %s)".formatted(each.from().text(), each.to().text()))
                .orElse("fill()");
    }
}
