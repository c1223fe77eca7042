package org.crabro.content.dead;

import org.crabro.content.block.key.KeyBounds;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/**
 * Says that all documents of a type in a group were removed that had been written until then.
 *
 * @param group no {@link LocationKey.Plain}
 * @param timestamp microseconds since the epoch; documents of the group with a higher one live
 */
public record GroupTombstone(String documentType, LocationKey group, long timestamp) {
    /**
     * Returns the tombstone of the group written as {@code text}.
     *
     * @param text what ids of the group have between their second and their fourth colon
     * @throws org.crabro.document.InvalidDocumentException if no id has that there
     */
    public static GroupTombstone of(String text, long timestamp) {
        DocumentId any = DocumentId.parse("id:any:" + text + ":any");
        return new GroupTombstone(any.documentType(), any.key(), timestamp);
    }

    /** Returns what ids of the group have between their second and their fourth colon. */
    public String text() {
        return documentType + ':' + group.text();
    }

    /** Returns which keys of the type are the group's. */
    public KeyBounds bounds() {
        return KeyBounds.of(group);
    }
}
