package org.crabro.docs;

import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A default on the page of settings that depends on the machine.
 *
 * <pre>
 * default  = "min(" quotient "," quotient ")" | "clamp(" quotient "," size "," size ")" | quotient
 * quotient = term [ "*" digits ] [ "/" term ]
 * term     = "heap" | "cores" | size
 * size     = digits [ "KiB" | "MiB" | "GiB" ]
 * </pre>
 */
final class SettingDefault {
    private static final Pattern CALL = Pattern.compile("(min|clamp)\\((.+)\\)");
    private static final Pattern SIZE = Pattern.compile("(\\d+)(KiB|MiB|GiB)?");

    private SettingDefault() {}

    /** Returns whether {@code text} depends on the machine. */
    static boolean isComputed(String text) {
        return text.contains("heap") || text.contains("cores");
    }

    /** Returns the value on this machine. */
    static long value(String text) {
        Matcher call = CALL.matcher(text);
        if (!call.matches()) {
            return quotient(text);
        }
        List<Long> values =
                Arrays.stream(call.group(2).split(",", -1)).map(SettingDefault::quotient).toList();
        return call.group(1).equals("min")
                ? Math.min(values.get(0), values.get(1))
                : Math.clamp(values.get(0), values.get(1).longValue(), values.get(2).longValue());
    }

    private static long quotient(String text) {
        List<Long> terms = Arrays.stream(text.split("/", -1)).map(SettingDefault::product).toList();
        return terms.size() == 1 ? terms.getFirst() : terms.get(0) / terms.get(1);
    }

    private static long product(String text) {
        return Arrays.stream(text.split("\\*", -1))
                .mapToLong(SettingDefault::term)
                .reduce(1, Math::multiplyExact);
    }

    private static long term(String text) {
        return switch (text.strip()) {
            case "heap" -> Runtime.getRuntime().maxMemory();
            case "cores" -> Runtime.getRuntime().availableProcessors();
            default -> size(text.strip());
        };
    }

    private static long size(String text) {
        Matcher size = SIZE.matcher(text);
        if (!size.matches()) {
            throw new IllegalArgumentException("no size: " + text);
        }
        String unit = size.group(2) == null ? "" : size.group(2);
        int shift =
                switch (unit) {
                    case "KiB" -> 10;
                    case "MiB" -> 20;
                    case "GiB" -> 30;
                    default -> 0;
                };
        return Long.parseLong(size.group(1)) << shift;
    }
}
