package org.crabro.protocol.query;

import java.util.Optional;

/**
 * The relation of a leaf to other leaves.
 *
 * @param id the number by which other leaves refer to this one; 0 for none
 * @param connectivity the connection to another leaf, if the query specifies one
 */
public record TermLink(int id, Optional<TermHints.Connectivity> connectivity) {
    /** A leaf without number and without connection. */
    public static final TermLink NONE = new TermLink(0, Optional.empty());
}
