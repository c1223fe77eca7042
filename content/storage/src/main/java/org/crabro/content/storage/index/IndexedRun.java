package org.crabro.content.storage.index;

import java.util.Map;
import java.util.TreeMap;

/**
 * Identifies the rows of an index. It is stored in the index, so that the index of other rows is
 * never used.
 *
 * @param number of the run
 * @param byteCount of the run
 * @param created when the run was written, microseconds since the epoch
 * @param section the index of the section in the run
 * @param rows of the section
 * @param fingerprint of the type that the rows were written with
 */
public record IndexedRun(
        long number, long byteCount, long created, int section, int rows, long fingerprint) {
    /** The end of the name of every file of an index. */
    public static final String SUFFIX = ".index";

    /** Returns the name of the file of the index. */
    public String fileName() {
        return "%d.%d%s".formatted(number, section, SUFFIX);
    }

    /** Returns the beginning of the names of all files that belong to indexes of a run. */
    public static String prefix(long run) {
        return run + ".";
    }

    /** Returns whether a file belongs to an index: finished, or not. */
    public static boolean isName(String name) {
        return name.contains(SUFFIX);
    }

    Map<String, String> text() {
        var text = new TreeMap<String, String>();
        text.put("run", Long.toString(number));
        text.put("bytes", Long.toString(byteCount));
        text.put("created", Long.toString(created));
        text.put("section", Integer.toString(section));
        text.put("rows", Integer.toString(rows));
        text.put("type", Long.toHexString(fingerprint));
        return text;
    }
}
