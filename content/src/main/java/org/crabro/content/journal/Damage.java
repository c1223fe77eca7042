package org.crabro.content.journal;

/**
 * Bytes of a file that are not what was written.
 *
 * @param file the path in the data directory
 * @param offset where in the file the bad bytes start, or the smallest part that a checksum covers
 * @param expected what should be there
 * @param found what is there
 */
public record Damage(String file, long offset, String expected, String found) {
    @Override
    public String toString() {
        return "%s at byte %d: expected %s, found %s".formatted(file, offset, expected, found);
    }
}
