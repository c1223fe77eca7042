package org.crabro.content.storage.block.key;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;
import org.crabro.document.DocumentId;
import org.crabro.document.GlobalId;

/**
 * The key that orders the rows of a partition.
 *
 * <pre>
 *   reversed low 32 bits of the location · high 32 bits of the location     place, unsigned
 *   the id's third part as it is written: "", "g=name" or "n=value"         bytes
 *   document type                                                           bytes
 *   reversed 26 document bits · the rest of the global id in byte order     document, unsigned
 *   the id's text                                                           bytes
 * </pre>
 *
 * <p>The reversed bits of the location that choose a bucket come first, so a bucket is one range of
 * keys at every split level. The text of the group follows its hash. A group, a number and a plain
 * id can share a location, and each is still one range of keys. The text of the id comes last, so
 * two documents never have the same key, even if their hashes are equal.
 */
public final class RowKey implements Comparable<RowKey> {
    private static final int DOCUMENT_BITS = 26;

    private final DocumentId id;
    private final byte[] text;
    private final int typeFrom;
    private final int groupFrom;
    private final int groupTo;
    private final long place;
    private final long document;

    private RowKey(DocumentId id) {
        this.id = id;
        this.text = id.toString().getBytes(UTF_8);
        int scheme = colonAfter(text, 0);
        this.typeFrom = colonAfter(text, scheme + 1) + 1;
        this.groupFrom = colonAfter(text, typeFrom) + 1;
        this.groupTo = colonAfter(text, groupFrom);
        this.place = place(id.location());
        this.document = document(id.globalId());
    }

    /** Returns the key of the document {@code id}. */
    public static RowKey of(DocumentId id) {
        return new RowKey(id);
    }

    /** Returns the id that this is the key of. */
    public DocumentId id() {
        return id;
    }

    /** Returns whether {@code that} is a key of the same group, the same number or the same id. */
    public boolean isOfSameGroup(RowKey that) {
        return place == that.place && compareGroup(that) == 0;
    }

    /** Orders keys of all types. */
    @Override
    public int compareTo(RowKey that) {
        int byPlace = Long.compareUnsigned(place, that.place);
        if (byPlace != 0) {
            return byPlace;
        }
        int byGroup = compareGroup(that);
        if (byGroup != 0) {
            return byGroup;
        }
        int byType =
                Arrays.compareUnsigned(
                        text,
                        typeFrom,
                        groupFrom - 1,
                        that.text,
                        that.typeFrom,
                        that.groupFrom - 1);
        if (byType != 0) {
            return byType;
        }
        int byDocument = Long.compareUnsigned(document, that.document);
        return byDocument != 0 ? byDocument : Arrays.compareUnsigned(text, that.text);
    }

    private int compareGroup(RowKey that) {
        return Arrays.compareUnsigned(
                text, groupFrom, groupTo, that.text, that.groupFrom, that.groupTo);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RowKey that && id.equals(that.id);
    }

    @Override
    public int hashCode() {
        return id.hashCode();
    }

    @Override
    public String toString() {
        return "%016x %016x %s".formatted(place, document, id);
    }

    public long place() {
        return place;
    }

    public long document() {
        return document;
    }

    /** Returns the id's text in UTF-8; not to be modified. */
    public byte[] text() {
        return text;
    }

    /** Returns the start of the document type in {@link #text()}. */
    public int typeFrom() {
        return typeFrom;
    }

    public int groupFrom() {
        return groupFrom;
    }

    public int groupTo() {
        return groupTo;
    }

    /** Returns the first part of the keys of documents at {@code location}; order is unsigned. */
    static long place(long location) {
        return (Integer.toUnsignedLong(Integer.reverse((int) location)) << 32) | (location >>> 32);
    }

    /**
     * Returns the document part of a key: all 64 bits of {@code id} except the location; order is
     * unsigned. After the document bits, the byte order of the global id decides.
     */
    static long document(GlobalId id) {
        long hash = id.hash();
        long documentBits =
                Integer.toUnsignedLong(Integer.reverse((int) (hash >>> 32)))
                        >>> (32 - DOCUMENT_BITS);
        long middle = Integer.toUnsignedLong(Integer.reverseBytes((int) hash));
        return (documentBits << 38) | (middle << 6) | (hash >>> 58);
    }

    /** Returns the start of the third part of an id. */
    static int groupFrom(byte[] text) {
        int scheme = colonAfter(text, 0);
        int namespace = colonAfter(text, scheme + 1);
        return colonAfter(text, namespace + 1) + 1;
    }

    /** Returns the index of the next colon, from {@code from} on. */
    static int colonAfter(byte[] text, int from) {
        int at = from;
        while (text[at] != ':') {
            at++;
        }
        return at;
    }
}
