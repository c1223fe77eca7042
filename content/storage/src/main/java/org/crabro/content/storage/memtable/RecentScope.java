package org.crabro.content.storage.memtable;

import java.nio.charset.StandardCharsets;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.document.LocationKey;

/**
 * A set of rows of a table that are read together: the rows of one type, in one group or in all.
 */
public record RecentScope(String documentType, KeyRange range) {
    /**
     * Returns the scope of a group, or the scope of all rows of the type if {@code key} has no
     * group.
     */
    public static RecentScope of(String documentType, LocationKey key) {
        return new RecentScope(
                documentType,
                switch (key) {
                    case LocationKey.Plain() -> new KeyRange.Everything();
                    case LocationKey.Group(var name) -> new KeyRange.Group(name);
                    case LocationKey.Numbered(var value) -> new KeyRange.Numbered(value);
                });
    }

    /**
     * Returns the part of the group's ids between the second and the fourth colon; empty if the
     * scope is not a group.
     */
    public byte[] group() {
        return switch (range) {
            case KeyRange.Everything _ -> new byte[0];
            case KeyRange.Group(var name) -> group(new LocationKey.Group(name));
            case KeyRange.Numbered(var value) -> group(new LocationKey.Numbered(value));
        };
    }

    private byte[] group(LocationKey key) {
        return (documentType + ':' + key.text()).getBytes(StandardCharsets.UTF_8);
    }
}
