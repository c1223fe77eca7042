package org.crabro.protocol.visit;

/**
 * The limits of one page of a visit.
 *
 * @param documentsMax the maximal number of documents and removals, or of groups, at least 1
 * @param bytesMax the size at which a page is closed, at least 1; one document may be larger
 */
public record PageLimits(int documentsMax, int bytesMax) {
    public PageLimits {
        if (documentsMax < 1 || bytesMax < 1) {
            throw new IllegalArgumentException(
                    "a page of %d documents and %d bytes".formatted(documentsMax, bytesMax));
        }
    }
}
