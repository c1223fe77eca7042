package org.crabro.protocol.visit;

import org.crabro.document.LocationKey;

/**
 * One group that a visit came to.
 *
 * @param key no {@link LocationKey.Plain}
 * @param documents that the visit means
 * @param bytes that they take where they lie, about: where a block has other documents too, they
 *     have their share of it by how many they are
 */
public record VisitedGroup(LocationKey key, long documents, long bytes) {
    public VisitedGroup {
        if (key instanceof LocationKey.Plain) {
            throw new IllegalArgumentException("no group");
        }
    }
}
