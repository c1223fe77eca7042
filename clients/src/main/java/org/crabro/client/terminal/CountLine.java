package org.crabro.client.terminal;

import java.util.Locale;
import java.util.Optional;
import org.crabro.client.query.QueryAnswer;

/** The line after a table of hits: how many documents match. */
public final class CountLine {
    private CountLine() {}

    /**
     * Returns the line.
     *
     * @param group the group that was searched, if a command chose it
     */
    public static String of(QueryAnswer answer, Optional<String> group) {
        String of = group.map(name -> " of group " + name).orElse("");
        long count = answer.totalCount();
        return count == 0
                ? "no matching documents" + of
                : String.format(
                        Locale.ROOT,
                        "%d of %,d matching document%s%s",
                        answer.hits().size(),
                        count,
                        count == 1 ? "" : "s",
                        of);
    }
}
