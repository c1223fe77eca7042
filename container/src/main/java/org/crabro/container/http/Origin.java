package org.crabro.container.http;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The origin of a web page, as browsers send it in the header {@code Origin}.
 *
 * @param scheme in lower case
 * @param host in lower case, IPv6 addresses in brackets
 * @param port the default port of the scheme if the text names none, 0 if the scheme has none
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

    /** Parses an origin; empty for {@code null} and other texts. */
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
     * Parses the origin in a setting.
     *
     * @throws IllegalArgumentException if it is not an origin; the message shows the expected form
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
