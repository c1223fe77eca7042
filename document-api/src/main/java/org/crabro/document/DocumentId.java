package org.crabro.document;

/**
 * The id of a document: {@code id:namespace:type:key:user}.
 *
 * <p>Two ids are the same document when their texts are equal.
 *
 * @param namespace not empty, without a colon
 * @param documentType not empty, without a colon
 * @param key what decides the location: nothing, a number or a group
 * @param user the rest of the id, not empty; may hold colons and slashes
 */
public record DocumentId(String namespace, String documentType, LocationKey key, String user) {
    /**
     * Returns the id written as {@code text}.
     *
     * @throws InvalidDocumentException if it does not fit the grammar; the message says which part
     */
    public static DocumentId parse(String text) {
        throw new UnsupportedOperationException(text);
    }

    /** Returns the 64-bit location: ids with equal locations lie together. */
    public long location() {
        throw new UnsupportedOperationException();
    }

    /** Returns the 96-bit id that the store keeps and sorts by. */
    public GlobalId globalId() {
        throw new UnsupportedOperationException();
    }

    /** Returns the id as text, as {@link #parse} reads it. */
    @Override
    public String toString() {
        throw new UnsupportedOperationException();
    }
}
