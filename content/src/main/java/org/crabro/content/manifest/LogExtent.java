package org.crabro.content.manifest;

/**
 * How far a partition's log has come. All but the count of runs only grow.
 *
 * @param edits of the manifest
 * @param covered the journal position up to which everything is in runs
 * @param lastNumber the highest run number given
 * @param runs that the manifest names
 */
public record LogExtent(long edits, long covered, long lastNumber, int runs) {
    public static LogExtent of(ManifestState state) {
        return new LogExtent(
                state.editCount(), state.covered(), state.lastNumber(), state.runs().size());
    }

    /** Returns whether the log was here after it was at {@code earlier}, or is there. */
    public boolean isNotBefore(LogExtent earlier) {
        return edits >= earlier.edits
                && covered >= earlier.covered
                && lastNumber >= earlier.lastNumber;
    }
}
