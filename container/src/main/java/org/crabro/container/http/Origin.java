package org.crabro.container.http;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a web page comes from, as browsers send it in the header {@code Origin}.
 *
 * @param scheme in lower case
 * @param host in lower case, IPv6 addresses in brackets
 * @param port the port of the scheme where the text names none, 0 where the scheme has none either
 */
public record Origin(String scheme, String host, int port) {
    private static final Pattern FORM =
            Pattern.compile(
                    "([A-Za-z][A-Za-z0-9+.-]*)://([^\\[\\]:/?#@\\s]+|\\[[0-9A-Fa-f:.]+\\])(?::([0-9]{1,5}))?");

    public Origin {
        scheme = scheme.toLowerCase(Locale.ROOT);
        host = host.toLowerCase(Locale.ROOT);
        port = port > 0 ? port : defaultPort(scheme);
    }

    /** Returns the origin that {@code text} names; nothing for {@code null} and all else. */
    public static Optional<Origin> parse(String text) {
        Matcher form = FORM.matcher(text);
        if (!form.matches()) {
            return Optional.empty();
        }
        String port = form.group(3);
        return Optional.of(
                new Origin(
                        form.group(1), form.group(2), port == null ? 0 : Integer.parseInt(port)));
    }

    /**
     * Returns the origin that a setting names.
     *
     * @throws IllegalArgumentException if it names none; the message says what is expected
     */
    public static Origin of(String setting) {
        return parse(setting)
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "'%s' is not an origin: expected scheme, host and port, such as https://app.example:8443"
                                        .formatted(setting)));
    }

    private static int defaultPort(String scheme) {
        return switch (scheme) {
            case "http" -> 80;
            case "https" -> 443;
            default -> 0;
        };
    }
}
