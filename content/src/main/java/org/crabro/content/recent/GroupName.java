package org.crabro.content.recent;

import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/** Which rows lie together in memory: those of one type in one group, or in none. */
record GroupName(String documentType, LocationKey key) {
    static GroupName of(DocumentId id) {
        return new GroupName(id.documentType(), id.key());
    }
}
