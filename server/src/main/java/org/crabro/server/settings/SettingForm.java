package org.crabro.server.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How values of a setting are written. */
enum SettingForm {
    COUNT("a whole number"),
    SIZE("a size such as 64MiB (units: B, KiB, MiB, GiB, TiB)"),
    SHARE("a share such as 0.8 or 80%"),
    DURATION("a duration such as 500ms or 24h (units: ms, s, min, h, d)"),
    SWITCH("true or false"),
    CHOICE("a name"),
    LIST("texts separated by commas, or none");

    /** An empty list. */
    private static final String NONE = "none";

    private static final Pattern WITH_UNIT = Pattern.compile("(\\d{1,19})\\s*([A-Za-z]*)");
    private static final Pattern SHARE_TEXT =
            Pattern.compile("(\\d{1,9}(?:\\.\\d{1,18})?)\\s*(%?)");
    private static final BigDecimal PERCENT = BigDecimal.valueOf(100);

    /** Units of values, the largest first. */
    private record Unit(String name, long factor) {}

    private static final List<Unit> SIZES =
            List.of(
                    new Unit("TiB", 1L << 40),
                    new Unit("GiB", 1L << 30),
                    new Unit("MiB", 1L << 20),
                    new Unit("KiB", 1L << 10),
                    new Unit("B", 1),
                    new Unit("", 1));

    /** In milliseconds. Zero needs no unit. */
    private static final List<Unit> TIMES =
            List.of(
                    new Unit("d", 86_400_000),
                    new Unit("h", 3_600_000),
                    new Unit("min", 60_000),
                    new Unit("s", 1_000),
                    new Unit("ms", 1));

    private final String expected;

    SettingForm(String expected) {
        this.expected = expected;
    }

    /** Returns the form of a component, or empty if values of its type cannot be written. */
    static Optional<SettingForm> of(String name, Class<?> type) {
        if (type == int.class || type == long.class) {
            boolean isSize =
                    name.equals("bytes")
                            || name.endsWith("Bytes")
                            || name.equals("bytesPerSecond")
                            || name.endsWith("BytesPerSecond");
            return Optional.of(isSize ? SIZE : COUNT);
        } else if (type == double.class) {
            return Optional.of(SHARE);
        } else if (type == boolean.class) {
            return Optional.of(SWITCH);
        } else if (type == Duration.class) {
            return Optional.of(DURATION);
        } else if (type == List.class) {
            return Optional.of(LIST);
        }
        return type.isEnum() ? Optional.of(CHOICE) : Optional.empty();
    }

    /** Returns {@code value} as an operator may write it. */
    String text(Object value) {
        return switch (this) {
            case SIZE -> withUnit(((Number) value).longValue(), SIZES);
            case DURATION -> withUnit(((Duration) value).toMillis(), TIMES);
            case CHOICE -> value.toString().toLowerCase(Locale.ROOT);
            case LIST -> {
                String texts =
                        ((List<?>) value)
                                .stream().map(Object::toString).collect(Collectors.joining(","));
                yield texts.isEmpty() ? NONE : texts;
            }
            case COUNT, SHARE, SWITCH -> value.toString();
        };
    }

    private static String withUnit(long value, List<Unit> units) {
        for (Unit unit : units) {
            if (value != 0 && value % unit.factor == 0 && unit.factor > 1) {
                return value / unit.factor + unit.name;
            }
        }
        return value + units.getLast().name;
    }

    /**
     * Reads a value of {@code type}.
     *
     * @throws IllegalArgumentException if it is not valid; the message contains the expected and
     *     the found text
     */
    Object parse(Class<?> type, String text) {
        return switch (this) {
            case COUNT -> whole(type, text, List.of(new Unit("", 1)));
            case SIZE -> whole(type, text, SIZES);
            case SHARE -> share(text);
            case DURATION ->
                    text.equals("0")
                            ? Duration.ZERO
                            : Duration.ofMillis(scaled(text, TIMES, Long.MAX_VALUE));
            case SWITCH ->
                    switch (text) {
                        case "true" -> true;
                        case "false" -> false;
                        default -> throw unexpected(text);
                    };
            case CHOICE ->
                    Arrays.stream(type.getEnumConstants())
                            .filter(each -> text(each).equals(text))
                            .findFirst()
                            .orElseThrow(() -> noChoice(type, text));
            case LIST -> list(text);
        };
    }

    private Object whole(Class<?> type, String text, List<Unit> units) {
        if (type == int.class) {
            return (int) scaled(text, units, Integer.MAX_VALUE);
        }
        return scaled(text, units, Long.MAX_VALUE);
    }

    private long scaled(String text, List<Unit> units, long most) {
        Matcher matcher = WITH_UNIT.matcher(text);
        if (!matcher.matches()) {
            throw unexpected(text);
        }
        long factor =
                units.stream()
                        .filter(unit -> unit.name.equals(matcher.group(2)))
                        .mapToLong(Unit::factor)
                        .findFirst()
                        .orElseThrow(() -> unexpected(text));
        var value = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(factor));
        if (value.compareTo(BigDecimal.valueOf(most)) > 0) {
            throw new IllegalArgumentException(
                    "expected at most %s, found '%s'".formatted(most, text));
        }
        return value.longValueExact();
    }

    private double share(String text) {
        Matcher matcher = SHARE_TEXT.matcher(text);
        if (!matcher.matches()) {
            throw unexpected(text);
        }
        var number = new BigDecimal(matcher.group(1));
        return (matcher.group(2).isEmpty() ? number : number.divide(PERCENT)).doubleValue();
    }

    private List<String> list(String text) {
        if (text.equals(NONE)) {
            return List.of();
        }
        List<String> texts = Arrays.stream(text.split(",", -1)).map(String::strip).toList();
        if (texts.contains("")) {
            throw unexpected(text);
        }
        return texts;
    }

    private IllegalArgumentException unexpected(String text) {
        return new IllegalArgumentException("expected %s, found '%s'".formatted(expected, text));
    }

    private static IllegalArgumentException noChoice(Class<?> type, String text) {
        List<String> names = Arrays.stream(type.getEnumConstants()).map(CHOICE::text).toList();
        return new IllegalArgumentException(
                "expected one of %s, found '%s'".formatted(String.join(", ", names), text));
    }
}
