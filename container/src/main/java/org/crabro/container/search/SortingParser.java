package org.crabro.container.search;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.crabro.protocol.search.SortKey;

/**
 * Parses the parameter {@code ranking.sorting}.
 *
 * <pre>
 *   sorting   := key { blank key }
 *   key       := [ "+" | "-" ] ( field | relevance )
 *   field     := letter { letter | digit | "_" | "." | "-" }
 *   relevance := "[relevance]" | "[rank]" | "[relevancy]"
 * </pre>
 *
 * {@code +} is ascending. Without a sign a field is ascending, relevance descending.
 */
final class SortingParser {
    private static final Pattern FIELD = Pattern.compile("[a-zA-Z_][a-zA-Z0-9_.-]*");

    private static final Pattern BLANKS = Pattern.compile("\\s+");

    private SortingParser() {}

    static List<SortKey> parse(String text) {
        return BLANKS.splitAsStream(text.strip())
                .filter(key -> !key.isEmpty())
                .map(SortingParser::key)
                .toList();
    }

    private static SortKey key(String text) {
        boolean signed = text.startsWith("+") || text.startsWith("-");
        String name = signed ? text.substring(1) : text;
        boolean descending = text.startsWith("-");
        return switch (name.toLowerCase(Locale.ROOT)) {
            case "[relevance]", "[rank]", "[relevancy]" ->
                    new SortKey.Relevance(signed && !descending);
            case "[docid]", "[source]" -> throw notBuilt(name);
            default -> new SortKey.FieldValueOf(field(name), !descending);
        };
    }

    private static String field(String name) {
        if (name.indexOf('(') >= 0) {
            throw notBuilt(name);
        }
        if (!FIELD.matcher(name).matches()) {
            throw illegal(
                    "expected a field or [relevance], with + or - before it, but found '"
                            + name
                            + "'");
        }
        return name;
    }

    private static IllegalQueryException notBuilt(String key) {
        return illegal("sorting by '" + key + "' is not built yet");
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, "ranking.sorting: " + problem);
    }
}
