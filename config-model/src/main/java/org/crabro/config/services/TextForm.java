package org.crabro.config.services;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.crabro.config.application.NearestName;

/**
 * The required form of a text in an XML file.
 *
 * <p>Written as {@code text}, {@code truth}, {@code share}, {@code seconds}, {@code time}, {@code
 * (a|b)}, {@code number(1..9)}, {@code percent}, {@code decimal(0..1)} or {@code
 * size(1MiB..2048MiB)}.
 */
record TextForm(Kind kind, String low, String high, List<String> choices) {
    private static final Pattern WRITTEN =
            Pattern.compile("([a-z]+)(?:\\(([^.]+)\\.\\.([^)]+)\\))?");
    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern DECIMAL = Pattern.compile("-?[0-9]{1,19}(\\.[0-9]{1,17})?");
    private static final Pattern SHARE = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,17})?");
    private static final Pattern PERCENT = Pattern.compile("[0-9]{1,3}%");
    private static final Pattern SECONDS = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?s?");
    private static final Pattern TIME = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?) ?(ms|s)?");
    private static final Pattern SIZE = Pattern.compile("([0-9]{1,10}) ?([kKMG]i?B|B)");
    private static final Map<String, Long> UNITS =
            Map.of(
                    "B", 1L,
                    "kB", 1_000L,
                    "KB", 1_000L,
                    "MB", 1_000_000L,
                    "GB", 1_000_000_000L,
                    "kiB", 1L << 10,
                    "KiB", 1L << 10,
                    "MiB", 1L << 20,
                    "GiB", 1L << 30);

    /** The kind of value that a text contains. */
    enum Kind {
        TEXT,
        TRUTH,
        SHARE,
        SECONDS,
        TIME,
        CHOICE,
        NUMBER,
        DECIMAL,
        SIZE,
        PERCENT
    }

    TextForm {
        choices = List.copyOf(choices);
    }

    /**
     * Returns the form that is written as {@code text}.
     *
     * @throws IllegalArgumentException if none is
     */
    static TextForm parse(String text) {
        if (text.startsWith("(") && text.endsWith(")")) {
            String inside = text.substring(1, text.length() - 1);
            return new TextForm(Kind.CHOICE, "", "", Arrays.asList(inside.split("\\|", -1)));
        }
        Matcher written = WRITTEN.matcher(text);
        if (!written.matches()) {
            throw new IllegalArgumentException("no form of values: " + text);
        }
        Kind kind =
                switch (written.group(1)) {
                    case "text" -> Kind.TEXT;
                    case "truth" -> Kind.TRUTH;
                    case "share" -> Kind.SHARE;
                    case "seconds" -> Kind.SECONDS;
                    case "time" -> Kind.TIME;
                    case "number" -> Kind.NUMBER;
                    case "decimal" -> Kind.DECIMAL;
                    case "size" -> Kind.SIZE;
                    case "percent" -> Kind.PERCENT;
                    default -> throw new IllegalArgumentException("no form of values: " + text);
                };
        boolean hasBounds = written.group(2) != null;
        if (hasBounds != (kind == Kind.NUMBER || kind == Kind.DECIMAL || kind == Kind.SIZE)) {
            throw new IllegalArgumentException("bounds are missing, or mean nothing: " + text);
        }
        return new TextForm(
                kind,
                hasBounds ? written.group(2) : "",
                hasBounds ? written.group(3) : "",
                List.of());
    }

    /** Returns the problem of {@code text}, if it does not have this form. */
    Optional<String> problem(String text) {
        boolean fits =
                switch (kind) {
                    case TEXT -> true;
                    case TRUTH -> text.equals("true") || text.equals("false");
                    case SHARE ->
                            SHARE.matcher(text).matches()
                                    && Double.parseDouble(text) > 0
                                    && Double.parseDouble(text) <= 1;
                    case SECONDS -> SECONDS.matcher(text).matches();
                    case TIME -> TIME.matcher(text).matches();
                    case CHOICE -> choices.contains(text);
                    case NUMBER -> isNumber(text);
                    case DECIMAL ->
                            DECIMAL.matcher(text).matches()
                                    && Double.parseDouble(text) >= Double.parseDouble(low)
                                    && Double.parseDouble(text) <= Double.parseDouble(high);
                    case SIZE -> isSize(text);
                    case PERCENT -> PERCENT.matcher(text).matches();
                };
        return fits
                ? Optional.empty()
                : Optional.of(
                        "expected %s, but found '%s'%s".formatted(expected(), text, hint(text)));
    }

    private boolean isNumber(String text) {
        if (!NUMBER.matcher(text).matches()) {
            return false;
        }
        try {
            long value = Long.parseLong(text);
            return value >= Long.parseLong(low) && value <= Long.parseLong(high);
        } catch (NumberFormatException _) {
            // Nineteen digits can be too many.
            return false;
        }
    }

    private boolean isSize(String text) {
        OptionalLong value = bytes(text);
        return value.isPresent()
                && value.getAsLong() >= bytes(low).orElseThrow()
                && value.getAsLong() <= bytes(high).orElseThrow();
    }

    /** Returns a description of this form for messages. */
    String expected() {
        return switch (kind) {
            case TEXT -> "a text";
            case TRUTH -> "true or false";
            case SHARE -> "a share above 0 and up to 1, as in 0.8";
            case SECONDS -> "seconds, as in 0.5";
            case TIME -> "a time, as in 0.5 or 500 ms";
            case CHOICE ->
                    choices.size() == 1
                            ? choices.getFirst()
                            : String.join(", ", choices.subList(0, choices.size() - 1))
                                    + " or "
                                    + choices.getLast();
            case NUMBER, DECIMAL -> "a number from %s to %s".formatted(low, high);
            case PERCENT -> "a percentage, as in 50%";
            case SIZE -> "a size from %s to %s, as in 100MiB".formatted(low, high);
        };
    }

    private String hint(String text) {
        // The message already contains the only choice.
        return choices.size() == 1 ? "" : NearestName.hint(text, choices);
    }

    /** Returns a size in bytes; empty if {@code text} is not a size. */
    static OptionalLong bytes(String text) {
        Matcher size = SIZE.matcher(text);
        return size.matches()
                ? OptionalLong.of(
                        Long.parseLong(size.group(1)) * UNITS.getOrDefault(size.group(2), 1L))
                : OptionalLong.empty();
    }

    /** Returns a duration given in seconds; empty if {@code text} is not one. */
    static Optional<Duration> seconds(String text) {
        Matcher seconds = SECONDS.matcher(text);
        return seconds.matches()
                ? Optional.of(Duration.ofNanos((long) (Double.parseDouble(seconds.group(1)) * 1e9)))
                : Optional.empty();
    }

    /** Returns a time in seconds, or in milliseconds with a unit; empty if {@code text} is none. */
    static Optional<Duration> time(String text) {
        Matcher time = TIME.matcher(text);
        if (!time.matches()) {
            return Optional.empty();
        }
        double nanos = "ms".equals(time.group(2)) ? 1e6 : 1e9;
        return Optional.of(Duration.ofNanos((long) (Double.parseDouble(time.group(1)) * nanos)));
    }
}
