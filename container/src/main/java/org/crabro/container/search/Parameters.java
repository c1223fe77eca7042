package org.crabro.container.search;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The parameters of a request, as texts, in the order given. A later one of a name wins. */
public final class Parameters {
    private static final Pattern TIME =
            Pattern.compile("([0-9]+(?:\\.[0-9]*)?|\\.[0-9]+)\\s*(s|ms|ks|µs|μs)?");

    private static final Pattern COUNT = Pattern.compile("\\+?[0-9]{1,10}");

    /** The largest time that can be said. */
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
    Map<String, String> values() {
        return values;
    }

    /** Returns the value of {@code name} as written, for {@code @name} in a statement. */
    Optional<String> named(String name) {
        Optional<Parameter> builtIn = Parameter.named(name);
        return builtIn.isPresent() ? text(builtIn.get()) : Optional.ofNullable(values.get(name));
    }

    Optional<String> text(Parameter parameter) {
        return Optional.ofNullable(builtIns.get(parameter));
    }

    /** Returns a whole number from 0 on. */
    OptionalInt count(Parameter parameter) {
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
        if (!COUNT.matcher(text).matches()) {
            return Optional.empty();
        }
        long value = Long.parseLong(text);
        return value <= Integer.MAX_VALUE ? Optional.of((int) value) : Optional.empty();
    }

    /** Returns whether it says {@code true}, in any case, or is there without a value. */
    boolean truth(Parameter parameter, boolean otherwise) {
        return text(parameter)
                .map(text -> text.isEmpty() || text.equalsIgnoreCase("true"))
                .orElse(otherwise);
    }

    /** Returns the parts between commas, without blanks around them. */
    List<String> list(Parameter parameter) {
        var parts = new ArrayList<String>();
        for (String part : text(parameter).orElse("").split(",", -1)) {
            if (!part.isBlank()) {
                parts.add(part.strip());
            }
        }
        return parts;
    }

    /** Returns a time: a number of seconds, or of what the unit behind it says. */
    Optional<Duration> time(Parameter parameter) {
        return text(parameter)
                .map(text ->
                        parameter.read(
                                text,
                                "a time such as 500 ms or 0.5, up to 1e6 s",
                                Parameters::timeIn));
    }

    private static Optional<Duration> timeIn(String text) {
        Matcher matcher = TIME.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String unit = matcher.group(2) == null ? "s" : matcher.group(2);
        double perMillis =
                switch (unit) {
                    case "ms" -> 1;
                    case "s" -> 1e3;
                    case "ks" -> 1e6;
                    default -> 1e-3;
                };
        double millis = Double.parseDouble(matcher.group(1)) * perMillis;
        return millis <= MAX_MILLIS
                ? Optional.of(Duration.ofNanos(Math.round(millis * 1e6)))
                : Optional.empty();
    }
}
