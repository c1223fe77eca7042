package org.crabro.client.imports;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The value and the parameters of a header such as {@code Content-Type}. Parameters are decoded as
 * RFC 2231 says, in pieces or not; also those with encoded words, which RFC 2047 does not permit
 * there and many senders write. Of several parameters with a name, the first counts.
 */
final class MailParameters {
    /** {@code name*}, {@code name*0} or {@code name*0*}. */
    private static final Pattern EXTENDED = Pattern.compile("(.+?)\\*(?:(\\d{1,4})(\\*)?)?");

    private final String value;
    private final Map<String, String> plain = new HashMap<>();

    /** Values with a character set and percent signs, and values in pieces. */
    private final Map<String, String> extended = new HashMap<>();

    private MailParameters(String value) {
        this.value = value;
    }

    /** A piece of a value. */
    private record Piece(String text, boolean isEncoded) {}

    /** Reads a header; its text is in one line. */
    static MailParameters of(String text) {
        List<String> parts = parts(HeaderText.canonical(text));
        var parameters = new MailParameters(bare(parts.getFirst().strip()));
        Map<String, Map<Integer, Piece>> pieces = new HashMap<>();
        for (String part : parts.subList(1, parts.size())) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                String name = part.substring(0, equals).strip().toLowerCase(Locale.ROOT);
                parameters.add(name, bare(part.substring(equals + 1).strip()), pieces);
            }
        }
        pieces.forEach((name, all) ->
                parameters.extended.putIfAbsent(name, decoded(new ArrayList<>(all.values()))));
        return parameters;
    }

    /** Returns what is between semicolons that are not in quotes. */
    private static List<String> parts(String text) {
        List<String> parts = new ArrayList<>();
        var part = new StringBuilder();
        boolean isQuoted = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == ';' && !isQuoted) {
                parts.add(part.toString());
                part.setLength(0);
                continue;
            }
            part.append(c);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (c == '\\' && isQuoted && i + 1 < text.length()) {
                part.append(text.charAt(++i));
            }
        }
        parts.add(part.toString());
        return parts;
    }

    /**
     * Returns a value without its quotes. In a name such as {@code plan(1).pdf} without quotes, the
     * brackets are no comment.
     */
    private static String bare(String value) {
        if (!value.startsWith("\"")) {
            int comment = value.endsWith(")") ? value.lastIndexOf('(') : 0;
            boolean isApart = comment > 0 && value.charAt(comment - 1) <= ' ';
            return isApart ? value.substring(0, comment).strip() : value;
        }
        var bare = new StringBuilder(value.length());
        for (int i = 1; i < value.length() && value.charAt(i) != '"'; i++) {
            boolean isEscape =
                    value.charAt(i) == '\\'
                            && i + 1 < value.length()
                            && "\"\\".indexOf(value.charAt(i + 1)) >= 0;
            bare.append(value.charAt(isEscape ? ++i : i));
        }
        return bare.toString();
    }

    private void add(String name, String value, Map<String, Map<Integer, Piece>> pieces) {
        Matcher matcher = EXTENDED.matcher(name);
        if (!matcher.matches()) {
            plain.putIfAbsent(name, HeaderText.decoded(value));
        } else if (matcher.group(2) == null) {
            extended.putIfAbsent(matcher.group(1), decoded(List.of(new Piece(value, true))));
        } else {
            pieces.computeIfAbsent(matcher.group(1), _ -> new TreeMap<>())
                    .putIfAbsent(
                            Integer.valueOf(matcher.group(2)),
                            new Piece(value, matcher.group(3) != null));
        }
    }

    /** Returns the text before the parameters. */
    String value() {
        return value;
    }

    /** Returns the value of a parameter; null if there is none. */
    @Nullable String get(String name) {
        String value = extended.get(name);
        return value == null ? plain.get(name) : value;
    }

    /** The first piece names the character set and a language, each before an apostrophe. */
    private static String decoded(List<Piece> pieces) {
        String charset = null;
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < pieces.size(); i++) {
            Piece piece = pieces.get(i);
            String text = piece.text;
            if (i == 0 && piece.isEncoded) {
                int nameEnd = text.indexOf('\'');
                int languageEnd = nameEnd < 0 ? -1 : text.indexOf('\'', nameEnd + 1);
                if (languageEnd >= 0) {
                    charset = text.substring(0, nameEnd);
                    text = text.substring(languageEnd + 1);
                }
            }
            byte[] given = text.getBytes(StandardCharsets.UTF_8);
            if (piece.isEncoded) {
                percent(given, bytes);
            } else {
                bytes.writeBytes(given);
            }
        }
        String text =
                DecodedBytes.of(
                                bytes.toByteArray(),
                                charset == null || charset.isBlank() ? null : charset)
                        .text();
        return charset == null ? HeaderText.decoded(text) : text;
    }

    private static void percent(byte[] encoded, ByteArrayOutputStream decoded) {
        for (int i = 0; i < encoded.length; i++) {
            if (encoded[i] == '%' && i + 2 < encoded.length) {
                int high = Character.digit(encoded[i + 1], 16);
                int low = Character.digit(encoded[i + 2], 16);
                if (high >= 0 && low >= 0) {
                    decoded.write((high << 4) | low);
                    i += 2;
                    continue;
                }
            }
            decoded.write(encoded[i]);
        }
    }
}
