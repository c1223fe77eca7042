package org.crabro.container.yql;

import java.util.ArrayList;
import java.util.List;

/** A list of values in a request parameter: separated by commas, quotes optional. */
final class ListText {
    private ListText() {}

    /** Returns the values, also of an array of JSON; a comma inside quotes belongs to its value. */
    static List<String> values(String text) {
        String list = text.strip();
        return list.startsWith("[") && list.endsWith("]")
                ? JsonExpressions.values(list).orElseGet(() -> separated(text))
                : separated(text);
    }

    private static List<String> separated(String text) {
        var values = new ArrayList<String>();
        int at = 0;
        while (at < text.length()) {
            int end = end(text, at);
            String value = text.substring(at, end).strip();
            if (!value.isEmpty()) {
                values.add(unquoted(value));
            }
            at = end + 1;
        }
        return values;
    }

    private static int end(String text, int from) {
        char quote = 0;
        boolean blank = true;
        for (int at = from; at < text.length(); at++) {
            char c = text.charAt(at);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (c == ',') {
                return at;
            } else if (blank && (c == '"' || c == '\'')) {
                quote = c;
            }
            blank &= Character.isWhitespace(c);
        }
        return text.length();
    }

    private static String unquoted(String value) {
        char first = value.charAt(0);
        boolean quoted =
                value.length() > 1
                        && (first == '"' || first == '\'')
                        && value.charAt(value.length() - 1) == first;
        return quoted ? value.substring(1, value.length() - 1) : value;
    }
}
