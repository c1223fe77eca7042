package org.crabro.container.document;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.Fields;

/** The parameters of a request, by name. If a name occurs twice, the last value counts. */
public final class DocumentParameters {
    private static final Pattern DURATION = Pattern.compile("([0-9]*\\.?[0-9]*)\\s*(\\D*)");
    private static final double MAX_SECONDS = 1e6;

    private final Map<String, String> values = new HashMap<>();

    /** Returns the parameters of {@code request}; malformed escapes stay unchanged. */
    public static DocumentParameters of(Request request) {
        return new DocumentParameters(Request.extractQueryParameters(request));
    }

    private DocumentParameters(Fields fields) {
        for (Fields.Field field : fields) {
            List<String> all = field.getValues();
            values.put(field.getName(), all.getLast());
        }
    }

    /**
     * Returns the value of {@code name}; empty if it is missing.
     *
     * @throws InvalidRequestException if the value is an empty text
     */
    public Optional<String> text(String name) {
        String value = values.get(name);
        if (value != null && value.isEmpty()) {
            throw invalid("the parameter '" + name + "' has no value");
        }
        return Optional.ofNullable(value);
    }

    /** Returns whether the value of {@code name} is {@code true}, in any case. */
    public boolean flag(String name) {
        return text(name).map("true"::equalsIgnoreCase).orElse(false);
    }

    /** The extent of a write. */
    public enum DryRun {
        /** The whole write. */
        NONE,
        /** The request is only validated; nothing is written. */
        VALIDATE,
        /** The write is answered without being executed. */
        NOTHING
    }

    /**
     * Returns the value of {@code dryRun}: {@code true} in any case, {@code validate}, or another
     * value, which means no dry run.
     */
    public DryRun dryRun() {
        String said = text("dryRun").orElse("");
        if (said.equalsIgnoreCase("validate")) {
            return DryRun.VALIDATE;
        }
        return said.equalsIgnoreCase("true") ? DryRun.NOTHING : DryRun.NONE;
    }

    /** Returns whether times are shown as texts. */
    public boolean areDatesTexts() {
        return switch (text("format.dates").orElse("number")) {
            case "iso" -> true;
            case "number" -> false;
            case String other ->
                    throw invalid("format.dates: expected iso or number but found '" + other + "'");
        };
    }

    /**
     * Checks a request that is no read of documents, or a bulk read, which has times as numbers.
     *
     * @throws InvalidRequestException if it wants texts
     */
    public void requireNumbers() {
        if (areDatesTexts()) {
            throw invalid(
                    "format.dates=iso is for GET of documents: other answers have times as numbers");
        }
    }

    /** Rejects a request with {@code name}. */
    public void forbid(String name, String path) {
        if (values.containsKey(name)) {
            throw invalid("may not specify '" + name + "' at '" + path + "'");
        }
    }

    /**
     * Returns a time: digits and a unit, which is ks, s, ms or µs; any other unit means seconds.
     */
    public Optional<Duration> time(String name) {
        return text(name).map(value -> time(name, value));
    }

    private static Duration time(String name, String value) {
        Matcher matcher = DURATION.matcher(value);
        if (!matcher.matches() || matcher.group(1).chars().noneMatch(Character::isDigit)) {
            throw invalid("'" + value + "' of '" + name + "' is not a time such as 10s or 500ms");
        }
        double perSecond =
                switch (matcher.group(2).strip()) {
                    case "ks" -> 1e3;
                    case "ms" -> 1e-3;
                    case "µs", "μs" -> 1e-6;
                    default -> 1;
                };
        double seconds = Double.parseDouble(matcher.group(1)) * perSecond;
        if (seconds > MAX_SECONDS) {
            throw invalid("'" + value + "' of '" + name + "' is longer than 1000 ks");
        }
        return Duration.ofNanos(Math.round(seconds * 1e9));
    }

    /** Returns a whole number from 0 to {@code max}; 0 if it is missing. */
    public int number(String name, int max) {
        Optional<String> value = text(name);
        if (value.isEmpty()) {
            return 0;
        }
        try {
            int number = Integer.parseInt(value.get());
            if (number >= 0 && number <= max) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Reported below, like a number out of range.
        }
        throw invalid(
                "'%s' of '%s' is not a whole number from 0 to %d"
                        .formatted(value.get(), name, max));
    }

    /** Returns an exception for status 400 with {@code message}. */
    public static InvalidRequestException invalid(String message) {
        return new InvalidRequestException(HttpStatus.BAD_REQUEST_400, message);
    }
}
