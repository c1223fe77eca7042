package org.crabro.container.query;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/** The parameters of a request, as texts, in the order given. A later one of a name wins. */
public final class Parameters {
    /** No parameters. */
    static final Parameters NONE = new Parameters(Map.of());

    private static final int COUNT_DIGITS = 10;

    /** The characters that may separate a number from its unit. */
    private static final String BLANKS = " \t\n\u000B\f\r";

    /** The longest time. */
    private static final double MAX_MILLIS = 1e9;

    private final Map<String, String> values;
    private final Map<Parameter, String> builtIns = new EnumMap<>(Parameter.class);

    /**
     * @param values by name as written
     */
    public Parameters(Map<String, String> values) {
        this.values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
        this.values.forEach((name, value) ->
                Parameter.named(name).ifPresent(parameter -> builtIns.put(parameter, value)));
    }

    /** Returns all values, by name as written. */
    public Map<String, String> values() {
        return values;
    }

    /** Returns the value of {@code name} as written, for {@code @name} in a statement. */
    public Optional<String> named(String name) {
        Optional<Parameter> builtIn = Parameter.named(name);
        return builtIn.isPresent() ? text(builtIn.get()) : Optional.ofNullable(values.get(name));
    }

    public Optional<String> text(Parameter parameter) {
        return Optional.ofNullable(builtIns.get(parameter));
    }

    boolean hasAny(Collection<Parameter> some) {
        for (Parameter parameter : some) {
            if (builtIns.containsKey(parameter)) {
                return true;
            }
        }
        return false;
    }

    /** Returns a whole number from 0 on. */
    public OptionalInt count(Parameter parameter) {
        Optional<String> text = text(parameter);
        return text.isEmpty()
                ? OptionalInt.empty()
                : OptionalInt.of(
                        parameter.read(
                                text.get(), "a whole number from 0 on", Parameters::countIn));
    }

    /** Returns a number. */
    OptionalDouble decimal(Parameter parameter) {
        Optional<String> text = text(parameter);
        return text.isEmpty()
                ? OptionalDouble.empty()
                : OptionalDouble.of(parameter.read(text.get(), "a number", Parameters::decimalIn));
    }

    private static Optional<Double> decimalIn(String text) {
        try {
            double value = Double.parseDouble(text);
            return Double.isNaN(value) ? Optional.empty() : Optional.of(value);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    static Optional<Integer> countIn(String text) {
        int from = text.startsWith("+") ? 1 : 0;
        int digits = text.length() - from;
        if (digits < 1 || digits > COUNT_DIGITS || endOfDigits(text, from) < text.length()) {
            return Optional.empty();
        }
        long value = Long.parseLong(text);
        return value <= Integer.MAX_VALUE ? Optional.of((int) value) : Optional.empty();
    }

    /**
     * Returns whether the value is {@code true}, in any case, or empty; {@code otherwise} if
     * missing.
     */
    public boolean truth(Parameter parameter, boolean otherwise) {
        String text = builtIns.get(parameter);
        return text == null ? otherwise : isTrue(text);
    }

    /** Returns whether a value is {@code true}, in any case, or empty. */
    static boolean isTrue(String text) {
        return text.isEmpty() || text.equalsIgnoreCase("true");
    }

    /** Returns the parts between commas, without blanks around them. */
    List<String> list(Parameter parameter) {
        String text = builtIns.get(parameter);
        if (text == null) {
            return List.of();
        }
        var parts = new ArrayList<String>();
        for (String part : text.split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return parts;
    }

    /** Returns a time: a number of seconds, or of the unit after it. */
    Optional<Duration> time(Parameter parameter) {
        return text(parameter)
                .map(text ->
                        parameter.read(
                                text,
                                "a time such as 500 ms or 0.5, up to 1e6 s",
                                Parameters::timeIn));
    }

    /**
     * Parses a time.
     *
     * <pre>
     *   time   := number { blank } [ "s" | "ms" | "ks" | "µs" | "μs" ]
     *   number := digits [ "." [ digits ] ] | "." digits
     * </pre>
     */
    private static Optional<Duration> timeIn(String text) {
        int end = endOfNumber(text);
        int unit = end;
        while (unit < text.length() && BLANKS.indexOf(text.charAt(unit)) >= 0) {
            unit++;
        }
        double perMillis =
                switch (text.substring(unit)) {
                    case "", "s" -> 1e3;
                    case "ms" -> 1;
                    case "ks" -> 1e6;
                    case "µs", "μs" -> 1e-3;
                    default -> Double.NaN;
                };
        if (end == 0 || Double.isNaN(perMillis)) {
            return Optional.empty();
        }
        double millis = Double.parseDouble(text.substring(0, end)) * perMillis;
        return millis <= MAX_MILLIS
                ? Optional.of(Duration.ofNanos(Math.round(millis * 1e6)))
                : Optional.empty();
    }

    /** Returns the end index of the number at the start of a text; 0 if there is none. */
    private static int endOfNumber(String text) {
        int whole = endOfDigits(text, 0);
        if (whole == text.length() || text.charAt(whole) != '.') {
            return whole;
        }
        int end = endOfDigits(text, whole + 1);
        return end == 1 ? 0 : end;
    }

    private static int endOfDigits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }
}
