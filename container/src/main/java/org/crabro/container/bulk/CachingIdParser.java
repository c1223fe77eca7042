package org.crabro.container.bulk;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.text.EightBytes;
import org.jspecify.annotations.Nullable;

/**
 * Parses ids of ASCII characters. Most have the namespace and type of the previous one, and a known
 * group. These parts are created once and then compared by their bytes. For one thread.
 */
final class CachingIdParser {
    private static final byte[] SCHEME = "id:".getBytes(StandardCharsets.US_ASCII);
    private static final byte COLON = ':';

    /** The logarithm of the slots for known groups. The name of a group determines its slot. */
    private static final int GROUP_BITS = 11;

    private static final long MULTIPLIER = 0x9e37_79b9_7f4a_7c15L;

    private final @Nullable CachedGroup[] groups = new CachedGroup[1 << GROUP_BITS];

    /** The bytes of the last id up to its third colon, inclusive. */
    private byte[] prefix = {};

    private String namespace = "";
    private String documentType = "";

    /** A group, and its bytes in an id. */
    private static final class CachedGroup {
        private final byte[] text;
        private final LocationKey.Group key;

        CachedGroup(byte[] text, LocationKey.Group key) {
            this.text = text;
            this.key = key;
        }
    }

    /**
     * Parses the bytes of an id.
     *
     * @throws org.crabro.document.InvalidDocumentException if they are not an id
     */
    DocumentId read(byte[] bytes, int from, int to) {
        int keyFrom = from + prefix.length;
        if (prefix.length > 0
                && keyFrom <= to
                && Arrays.equals(bytes, from, keyFrom, prefix, 0, prefix.length)) {
            int keyTo = colon(bytes, keyFrom, to);
            if (keyTo < to
                    && keyTo > keyFrom + 2
                    && bytes[keyFrom] == 'g'
                    && bytes[keyFrom + 1] == '=') {
                return new DocumentId(
                        namespace,
                        documentType,
                        group(bytes, keyFrom, keyTo),
                        text(bytes, keyTo + 1, to));
            }
        }
        DocumentId id = DocumentId.parse(text(bytes, from, to));
        int behindType = from + SCHEME.length;
        behindType = colon(bytes, colon(bytes, behindType, to) + 1, to) + 1;
        prefix = Arrays.copyOfRange(bytes, from, behindType);
        namespace = id.namespace();
        documentType = id.documentType();
        return id;
    }

    private LocationKey.Group group(byte[] bytes, int from, int to) {
        int place = place(bytes, from, to);
        CachedGroup group = groups[place];
        if (group == null || !Arrays.equals(bytes, from, to, group.text, 0, group.text.length)) {
            byte[] text = Arrays.copyOfRange(bytes, from, to);
            // The parser of ids checks the name; a comma is not part of a name.
            group = new CachedGroup(text, new LocationKey.Group(text(bytes, from + 2, to)));
            groups[place] = group;
        }
        return group.key;
    }

    /** The last word begins before a short key; those bytes are usually the same. */
    private static int place(byte[] bytes, int from, int to) {
        long hash = 0;
        for (int i = from; i + Long.BYTES < to; i += Long.BYTES) {
            hash = (hash ^ EightBytes.of(bytes, i)) * MULTIPLIER;
        }
        hash = (hash ^ EightBytes.of(bytes, to - Long.BYTES)) * MULTIPLIER;
        return (int) (hash >>> (Long.SIZE - GROUP_BITS));
    }

    private static String text(byte[] bytes, int from, int to) {
        return new String(bytes, from, to - from, StandardCharsets.ISO_8859_1);
    }

    private static int colon(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to && bytes[at] != COLON) {
            at++;
        }
        return at;
    }
}
