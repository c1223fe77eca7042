package org.crabro.content.storage.manifest;

/**
 * The progress of a partition's log. All values except the number of runs only increase.
 *
 * @param edits the number of edits of the manifest
 * @param covered the journal position up to which all rows are in runs
 * @param lastNumber the highest run number assigned
 * @param runs the number of runs in the manifest
 */
public record LogExtent(long edits, long covered, long lastNumber, int runs) {
    public static LogExtent of(ManifestState state) {
        return new LogExtent(
                state.editCount(), state.covered(), state.lastNumber(), state.runs().size());
    }

    /** Returns whether the log has reached or passed {@code earlier}. */
    public boolean isNotBefore(LogExtent earlier) {
        return edits >= earlier.edits
                && covered >= earlier.covered
                && lastNumber >= earlier.lastNumber;
    }
}
