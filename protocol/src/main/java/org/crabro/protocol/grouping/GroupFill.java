package org.crabro.protocol.grouping;

import java.util.Optional;

/**
 * Groups without documents that are shown among those that have some.
 *
 * @param bounds between which; nothing for between the first and the last that has documents
 */
public record GroupFill(Optional<Bounds> bounds) {
    /**
     * Two numbers.
     *
     * @param from what lies in the first group
     * @param to before what groups begin
     */
    public record Bounds(GroupValue from, GroupValue to) {}

    /** Returns the canonical form. */
    public String text() {
        return bounds.map(each -> "fill(%s, %s)".formatted(each.from().text(), each.to().text()))
                .orElse("fill()");
    }
}
