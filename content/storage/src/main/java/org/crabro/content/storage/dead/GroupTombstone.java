package org.crabro.content.storage.dead;

import org.crabro.content.storage.block.key.KeyBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/**
 * The removal of all documents of a type in a group that were written before.
 *
 * @param group not a {@link LocationKey.Plain}
 * @param timestamp microseconds since the epoch; documents of the group with a higher timestamp are
 *     alive
 */
public record GroupTombstone(String documentType, LocationKey group, long timestamp) {
    /**
     * Returns the tombstone of the group written as {@code text}.
     *
     * @param text the part of the group's ids between the second and the fourth colon
     * @throws org.crabro.document.InvalidDocumentException if no id can contain it there
     */
    public static GroupTombstone of(String text, long timestamp) {
        DocumentId any = DocumentId.parse("id:any:" + text + ":any");
        return new GroupTombstone(any.documentType(), any.key(), timestamp);
    }

    /** Returns the part of the group's ids between the second and the fourth colon. */
    public String text() {
        return documentType + ':' + group.text();
    }

    /** Returns the keys of the type that are in the group. */
    public KeyBounds bounds() {
        return KeyBounds.of(group);
    }
}
