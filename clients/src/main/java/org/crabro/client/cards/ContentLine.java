package org.crabro.client.cards;

import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.IllegalCharsetNameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A line of a card or a calendar.
 *
 * <pre>
 *   line  := [ group "." ] name *( ";" param ) ":" value
 *   param := name "=" values | value          ; the second form in vCard 2.1
 * </pre>
 *
 * @param name in capitals
 * @param parameters by their names in capitals, the first of each name; a parameter without a name
 *     is a {@code TYPE}
 * @param value as it is written, without quoted-printable
 */
record ContentLine(String name, Map<String, String> parameters, String value) {
    private static final String QUOTED_PRINTABLE = "QUOTED-PRINTABLE";

    /** The most characters of a name. A line with a longer one has no property. */
    private static final int NAME_MAX = 200;

    /** Returns the line that a text is. A text without a colon is a value without a name. */
    static ContentLine of(String text) {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        boolean isQuoted = false;
        int colon = -1;
        for (int i = 0; i < text.length() && colon < 0; i++) {
            char c = text.charAt(i);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && (c == ';' || c == ':')) {
                parts.add(text.substring(begin, i));
                begin = i + 1;
                colon = c == ':' ? i : -1;
            }
        }
        if (colon < 0 || parts.getFirst().length() > NAME_MAX) {
            return new ContentLine("", Map.of(), text);
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            String bare = part.strip();
            String name = equals < 0 ? typeOf(bare) : bare.substring(0, equals).strip();
            String value = equals < 0 ? bare : part.substring(equals + 1).strip();
            parameters.putIfAbsent(name.toUpperCase(Locale.ROOT), value.replace("\"", ""));
        }
        String name = parts.getFirst();
        String value = text.substring(colon + 1);
        return new ContentLine(
                name.substring(name.lastIndexOf('.') + 1).strip().toUpperCase(Locale.ROOT),
                parameters,
                isQuotedPrintable(parameters) ? decoded(value, parameters) : value);
    }

    private static String typeOf(String bare) {
        return switch (bare.toUpperCase(Locale.ROOT)) {
            case QUOTED_PRINTABLE, "BASE64", "7BIT", "8BIT" -> "ENCODING";
            default -> "TYPE";
        };
    }

    private static boolean isQuotedPrintable(Map<String, String> parameters) {
        return parameters.getOrDefault("ENCODING", "").equalsIgnoreCase(QUOTED_PRINTABLE);
    }

    /** Returns whether a line that ends with an equals sign continues in the next one. */
    static boolean isSoftBreak(String line) {
        int colon = line.indexOf(':');
        return line.endsWith("=")
                && colon >= 0
                && line.substring(0, colon).toUpperCase(Locale.ROOT).contains(QUOTED_PRINTABLE);
    }

    private static String decoded(String value, Map<String, String> parameters) {
        var bytes = new ByteArrayOutputStream();
        Charset charset = charset(parameters.getOrDefault("CHARSET", "UTF-8"));
        for (int i = 0; i < value.length(); ) {
            int hex = i + 2 < value.length() && value.charAt(i) == '=' ? hex(value, i + 1) : -1;
            if (hex >= 0) {
                bytes.write(hex);
                i += 3;
            } else {
                int point = value.codePointAt(i);
                bytes.writeBytes(Character.toString(point).getBytes(charset));
                i += Character.charCount(point);
            }
        }
        return bytes.toString(charset);
    }

    private static Charset charset(String name) {
        try {
            return Charset.isSupported(name) && Charset.forName(name).canEncode()
                    ? Charset.forName(name)
                    : StandardCharsets.UTF_8;
        } catch (IllegalCharsetNameException _) {
            return StandardCharsets.UTF_8;
        }
    }

    private static int hex(String text, int at) {
        if (at + 2 > text.length()) {
            return -1;
        }
        int high = Character.digit(text.charAt(at), 16);
        int low = Character.digit(text.charAt(at + 1), 16);
        return high < 0 || low < 0 ? -1 : 16 * high + low;
    }

    /** Returns the value without backslashes before special characters. */
    String text() {
        return unescaped(value);
    }

    /** Returns the parts of the value between separators without a backslash before them. */
    List<String> parts(char separator) {
        List<String> parts = new ArrayList<>();
        int begin = 0;
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\\') {
                i++;
            } else if (value.charAt(i) == separator) {
                parts.add(unescaped(value.substring(begin, i)).strip());
                begin = i + 1;
            }
        }
        parts.add(unescaped(value.substring(begin)).strip());
        return parts;
    }

    private static String unescaped(String text) {
        if (text.indexOf('\\') < 0) {
            return text;
        }
        var unescaped = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                unescaped.append(c);
                continue;
            }
            char next = text.charAt(++i);
            switch (next) {
                case 'n', 'N' -> unescaped.append('\n');
                case '\\', ',', ';', ':', '"' -> unescaped.append(next);
                default -> unescaped.append(c).append(next);
            }
        }
        return unescaped.toString();
    }
}
