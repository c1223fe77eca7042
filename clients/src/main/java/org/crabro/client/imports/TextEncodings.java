package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names of character sets, with the meaning that the Encoding Standard gives them. Senders mean the
 * larger set where a name is that of a smaller one: {@code latin1} is windows-1252, {@code gb2312}
 * is GBK. Names that the standard does not have mean what the JDK says.
 */
final class TextEncodings {
    /** Names of ASCII: text under such a name may well be UTF-8. */
    private static final Set<String> ASCII = Set.of("us-ascii", "ascii", "ansi_x3.4-1968");

    /**
     * Names that occur in mails, and that neither the standard nor the JDK has, or only the JDK.
     */
    private static final Map<String, String> OTHER_NAMES =
            Map.ofEntries(
                    Map.entry("646", "us-ascii"),
                    Map.entry("iso646-us", "us-ascii"),
                    Map.entry("ansi", "windows-1252"),
                    Map.entry("utf8mb4", "utf-8"),
                    Map.entry("cp932", "shift_jis"),
                    Map.entry("windows-932", "shift_jis"),
                    Map.entry("cp936", "gbk"),
                    Map.entry("ms936", "gbk"),
                    Map.entry("windows-936", "gbk"),
                    Map.entry("cp949", "euc-kr"),
                    Map.entry("ms949", "euc-kr"),
                    Map.entry("x-windows-949", "euc-kr"),
                    Map.entry("cp950", "big5"),
                    Map.entry("ms950", "big5"),
                    Map.entry("windows-950", "big5"),
                    Map.entry("x-windows-950", "big5"));

    /**
     * Encodings of several bytes a character: the JDK's name of what the standard means. The
     * standard replaces {@code ISO-2022-KR} and others by nothing, against scripts in web pages;
     * mails in them are read.
     */
    private static final Map<String, String> JDK_NAMES =
            Map.of(
                    "UTF-8", "UTF-8",
                    "UTF-16BE", "UTF-16BE",
                    "UTF-16LE", "UTF-16LE",
                    "GBK", "GB18030",
                    "gb18030", "GB18030",
                    "Big5", "Big5-HKSCS",
                    "EUC-JP", "x-eucJP-Open",
                    "ISO-2022-JP", "x-windows-iso2022jp",
                    "Shift_JIS", "windows-31j",
                    "EUC-KR", "x-windows-949");

    private static final Map<String, Charset> BY_LABEL = new HashMap<>();
    private static final Map<String, Charset> BY_LETTERS = new HashMap<>();

    static {
        for (String line : lines()) {
            if (!line.startsWith("#")) {
                add(line.split("\t", -1));
            }
        }
    }

    static final Charset WINDOWS_1252 = Objects.requireNonNull(BY_LABEL.get("windows-1252"));

    private TextEncodings() {}

    private static List<String> lines() {
        try (InputStream in = TextEncodings.class.getResourceAsStream("encodings.tsv")) {
            if (in == null) {
                throw new IllegalStateException("encodings.tsv is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(String[] parts) {
        Charset charset = charset(parts[0], parts.length > 2 ? parts[2] : "");
        if (charset == null) {
            return;
        }
        for (String label : parts[1].split(" ", -1)) {
            BY_LABEL.put(label, charset);
            BY_LETTERS.putIfAbsent(letters(label), charset);
        }
    }

    private static @Nullable Charset charset(String name, String cells) {
        if (!cells.isEmpty()) {
            char[] upper = new char[cells.length() / 4];
            for (int i = 0; i < upper.length; i++) {
                upper[i] = (char) Integer.parseInt(cells, 4 * i, 4 * i + 4, 16);
            }
            return new SingleByteCharset(name, upper);
        }
        String ofJdk = JDK_NAMES.get(name);
        return ofJdk == null ? null : Charset.forName(ofJdk);
    }

    /** Returns the character set of a name; empty if the name is unknown. */
    static Optional<Charset> named(String name) {
        String label = label(name);
        Charset standard = standard(label);
        if (standard != null) {
            return Optional.of(standard);
        }
        // Names of all kinds occur in mails: "unknown", "x-user-defined", "${charset}".
        Charset ofJdk = OfJdk.BY_NAME.get(label);
        if (ofJdk == null) {
            return Optional.empty();
        }
        Charset same = standard(ofJdk.name().toLowerCase(Locale.ROOT));
        return Optional.of(same == null ? ofJdk : same);
    }

    /** The sets of the JDK. It looks for an unknown name for a third of a millisecond. */
    private static final class OfJdk {
        static final Map<String, Charset> BY_NAME = new HashMap<>();

        static {
            for (Charset each : Charset.availableCharsets().values()) {
                BY_NAME.put(each.name().toLowerCase(Locale.ROOT), each);
                for (String alias : each.aliases()) {
                    BY_NAME.putIfAbsent(alias.toLowerCase(Locale.ROOT), each);
                }
            }
        }

        private OfJdk() {}
    }

    private static @Nullable Charset standard(String label) {
        String standardName = OTHER_NAMES.getOrDefault(label, label);
        Charset exact = BY_LABEL.get(standardName);
        return exact == null ? BY_LETTERS.get(letters(standardName)) : exact;
    }

    /** Returns whether a name is one of ASCII, which has no characters beyond 0x7f. */
    static boolean isAscii(String name) {
        String label = label(name);
        return ASCII.contains(OTHER_NAMES.getOrDefault(label, label));
    }

    private static String label(String name) {
        int from = 0;
        int to = name.length();
        while (from < to && isAround(name.charAt(from))) {
            from++;
        }
        while (to > from && isAround(name.charAt(to - 1))) {
            to--;
        }
        return name.substring(from, to).toLowerCase(Locale.ROOT);
    }

    /** Returns whether a character around a name is no part of it. */
    private static boolean isAround(char c) {
        return c <= ' ' || c == '"' || c == '\'' || c == ';';
    }

    private static String letters(String label) {
        var letters = new StringBuilder(label.length());
        for (int i = 0; i < label.length(); i++) {
            char c = label.charAt(i);
            if (Character.isLetterOrDigit(c)) {
                letters.append(c);
            }
        }
        return letters.toString();
    }
}
