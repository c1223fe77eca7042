package org.crabro.client.imports;

import java.text.Normalizer;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/**
 * Names of fields for names of columns and members. No two are equal, whatever their letter case.
 * Not thread-safe.
 */
final class FieldNaming {
    /** Names that mean something else in schemas or in queries. */
    private static final Set<String> RESERVED =
            Set.of(
                    "and",
                    "as",
                    "asc",
                    "by",
                    "case",
                    "contains",
                    "desc",
                    "documentid",
                    "else",
                    "false",
                    "from",
                    "host",
                    "if",
                    GuessedSchema.MARK,
                    "in",
                    "index_url",
                    "limit",
                    "matches",
                    "not",
                    "offset",
                    "or",
                    "order",
                    "position",
                    "range",
                    "rank",
                    "relevancy",
                    "sddocname",
                    "select",
                    "select_input",
                    "sources",
                    "split_foreach",
                    "switch",
                    "timeout",
                    "tokenize",
                    "true",
                    "where");

    private final Set<String> taken = new HashSet<>();

    /** Returns the name for a given one, with a number if another field has it. */
    String distinct(String given) {
        String base = name(given);
        String name = base;
        for (int number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
            name = base + "_" + number;
        }
        return name;
    }

    private static String name(String given) {
        String simple = simple(given);
        if (simple.isEmpty()) {
            return "field";
        }
        return RESERVED.contains(simple.toLowerCase(Locale.ROOT)) ? simple + "_field" : simple;
    }

    /**
     * Returns a text with letters of ASCII, digits and single underscores between them; a digit
     * does not come first.
     */
    static String simple(String given) {
        String plain =
                Normalizer.normalize(given.replace("ß", "ss"), Normalizer.Form.NFKD)
                        .replaceAll("\\p{M}+", "");
        String simple = plain.replaceAll("[^A-Za-z0-9]+", "_").replaceAll("^_+|_+$", "");
        return simple.isEmpty() || !Character.isDigit(simple.charAt(0)) ? simple : "f_" + simple;
    }
}
