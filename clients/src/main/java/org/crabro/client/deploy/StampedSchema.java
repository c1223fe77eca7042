package org.crabro.client.deploy;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text of a schema whose last line may be a stamp: a comment with a hash of the lines before
 * it. The stamp does not fit an edited text.
 */
public record StampedSchema(String text) {
    private static final Pattern STAMP =
            Pattern.compile("\\n?# crabro import: (guessed|deployed) ([0-9a-f]{16})\\s*$");

    /** What a stamp says of a schema. */
    public enum Kind {
        /** It was made of data, and is not edited. */
        GUESSED,
        /** It was edited, and an import has deployed it. */
        DEPLOYED,
        /** It has no stamp that fits. */
        EDITED
    }

    /** Returns a schema with a new stamp. */
    public static StampedSchema guessed(String body) {
        return of(body, Kind.GUESSED);
    }

    private static StampedSchema of(String body, Kind kind) {
        String lines = body.strip();
        return new StampedSchema(
                "%s%n# crabro import: %s %s%n"
                        .formatted(lines, kind.name().toLowerCase(Locale.ROOT), hash(lines, kind))
                        .replace(System.lineSeparator(), "\n"));
    }

    /** Returns the text without its stamp. */
    public String body() {
        return STAMP.matcher(text).replaceFirst("").strip() + "\n";
    }

    /** Returns what the stamp says. */
    public Kind kind() {
        Matcher stamp = STAMP.matcher(text);
        if (!stamp.find()) {
            return Kind.EDITED;
        }
        Kind kind = Kind.valueOf(stamp.group(1).toUpperCase(Locale.ROOT));
        return hash(body().strip(), kind).equals(stamp.group(2)) ? kind : Kind.EDITED;
    }

    /** Returns this schema as an import deploys it. */
    public StampedSchema deployed() {
        return kind() == Kind.GUESSED ? this : of(body(), Kind.DEPLOYED);
    }

    private static String hash(String lines, Kind kind) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest((kind + "\n" + lines).getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
