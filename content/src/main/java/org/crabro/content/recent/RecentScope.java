package org.crabro.content.recent;

import java.nio.charset.StandardCharsets;
import org.crabro.content.block.key.KeyRange;
import org.crabro.document.LocationKey;

/** Which rows of a table are read together: those of one type, in a group or all of them. */
record RecentScope(String documentType, KeyRange range) {
    /** Returns the scope of a group, or of everything where there is none. */
    static RecentScope of(String documentType, LocationKey key) {
        return new RecentScope(
                documentType,
                switch (key) {
                    case LocationKey.Plain() -> new KeyRange.Everything();
                    case LocationKey.Group(var name) -> new KeyRange.Group(name);
                    case LocationKey.Numbered(var value) -> new KeyRange.Numbered(value);
                });
    }

    /**
     * Returns what ids of the group have between their second and their fourth colon, or nothing
     * where the scope is no group.
     */
    byte[] group() {
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
