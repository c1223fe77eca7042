package org.crabro.content.storage.journal;

/**
 * Bytes of a file that differ from the bytes that were written.
 *
 * @param file the path in the data directory
 * @param offset the offset in the file where the bad bytes start, or the start of the smallest part
 *     that a checksum covers
 * @param expected the expected content
 * @param actual the content that was found
 */
public record Damage(String file, long offset, String expected, String actual) {
    @Override
    public String toString() {
        return "%s at byte %d: expected %s, found %s".formatted(file, offset, expected, actual);
    }
}
