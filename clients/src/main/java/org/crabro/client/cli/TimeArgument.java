package org.crabro.client.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads a time of an option: seconds, or a number with s, m or h. */
final class TimeArgument implements ITypeConverter<Duration> {
    private static final Pattern TIME = Pattern.compile("(\\d{1,9})([smh]?)");

    @Override
    public Duration convert(String value) {
        Matcher time = TIME.matcher(value);
        if (!time.matches()) {
            throw new TypeConversionException(
                    "expected seconds, or a number with s, m or h, and not '" + value + "'");
        }
        long number = Long.parseLong(time.group(1));
        return switch (time.group(2)) {
            case "h" -> Duration.ofHours(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofSeconds(number);
        };
    }
}
