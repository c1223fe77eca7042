package org.crabro.client.imports;

import java.text.Normalizer;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Names of fields for names of columns and members. */
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

    private FieldNaming() {}

    /** Returns a name for each given one; no two are equal, whatever their letter case. */
    static Map<String, String> names(Collection<String> given) {
        Map<String, String> names = new LinkedHashMap<>();
        Set<String> taken = new HashSet<>();
        for (String each : given) {
            String base = name(each);
            String name = base;
            for (int number = 2; !taken.add(name.toLowerCase(Locale.ROOT)); number++) {
                name = base + "_" + number;
            }
            names.put(each, name);
        }
        return names;
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
