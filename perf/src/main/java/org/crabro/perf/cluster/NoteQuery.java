package org.crabro.perf.cluster;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A query for notes that contain a word, in all groups.
 *
 * @param word empty for all notes
 */
record NoteQuery(String word) {
    static final NoteQuery ALL = new NoteQuery("");

    private static final Pattern COMPLETE = Pattern.compile("\"coverage\"\\s*:\\s*100\\b");
    private static final Pattern COUNT = Pattern.compile("\"totalCount\"\\s*:\\s*(\\d+)");

    /** Returns path and parameters. */
    String path(int timeoutMillis) {
        String where = word.isEmpty() ? "true" : "text contains \"%s\"".formatted(word);
        return "/search/?hits=0&streaming.selection=true&timeout=%dms&yql=%s"
                .formatted(
                        timeoutMillis,
                        URLEncoder.encode(
                                "select * from note where " + where, StandardCharsets.UTF_8));
    }

    /** Returns whether an answer covers all documents. */
    static boolean isComplete(String answer) {
        return COMPLETE.matcher(answer).find();
    }

    /** Returns the number of documents that match. */
    static long count(String answer) {
        Matcher count = COUNT.matcher(answer);
        return count.find() ? Long.parseLong(count.group(1)) : 0;
    }
}
