package org.crabro.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Exceptions to a rule that is newer than the code: one a line. Lines are removed and never added.
 *
 * @param file in the test resources of this module
 */
public record ShrinkingList(String file, List<String> lines) {
    public static ShrinkingList of(String file) throws IOException {
        return new ShrinkingList(file, ResourceLines.of(file));
    }

    /** Fails if the rule has other exceptions than the list. */
    public void check(List<String> exceptions) {
        var added = new ArrayList<>(exceptions);
        added.removeAll(lines);
        assertThat(added).as("exceptions that %s does not have", file).isEmpty();
        var mended = new ArrayList<>(lines);
        mended.removeAll(exceptions);
        assertThat(mended).as("lines to remove from %s", file).isEmpty();
    }
}
