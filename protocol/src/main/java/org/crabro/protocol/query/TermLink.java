package org.crabro.protocol.query;

import java.util.Optional;

/**
 * How a leaf refers to other leaves.
 *
 * @param id the number that other leaves name this one by; 0 for none
 * @param connectivity how closely the leaf belongs to another, if the query gives it
 */
public record TermLink(int id, Optional<TermHints.Connectivity> connectivity) {
    /** A leaf without a number that refers to no other. */
    public static final TermLink NONE = new TermLink(0, Optional.empty());
}
