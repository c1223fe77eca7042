package org.crabro.config.queryprofile;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A name and the version behind it, as in {@code mail:1.2.3}; without one it is the lowest.
 *
 * @param name without the version
 * @param qualifier compared as text; empty is the lowest
 */
record VersionedId(String name, int major, int minor, int micro, String qualifier)
        implements Comparable<VersionedId> {
    private static final Pattern FORM =
            Pattern.compile(
                    "([^:\\s]+)(?::([0-9]{1,9})(?:\\.([0-9]{1,9})(?:\\.([0-9]{1,9})(?:\\.([A-Za-z0-9_-]+))?)?)?)?");

    private static final Comparator<VersionedId> ORDER =
            Comparator.comparing(VersionedId::name)
                    .thenComparingInt(VersionedId::major)
                    .thenComparingInt(VersionedId::minor)
                    .thenComparingInt(VersionedId::micro)
                    .thenComparing(VersionedId::qualifier);

    /** Returns what {@code text} says, or nothing where it is no id. */
    static Optional<VersionedId> of(String text) {
        Matcher matcher = FORM.matcher(text);
        return matcher.matches()
                ? Optional.of(
                        new VersionedId(
                                matcher.group(1),
                                number(matcher.group(2)),
                                number(matcher.group(3)),
                                number(matcher.group(4)),
                                Optional.ofNullable(matcher.group(5)).orElse("")))
                : Optional.empty();
    }

    private static int number(@Nullable String digits) {
        return digits == null ? 0 : Integer.parseInt(digits);
    }

    /** Returns whether it says a version. */
    static boolean isVersioned(String text) {
        return text.indexOf(':') >= 0;
    }

    @Override
    public int compareTo(VersionedId other) {
        return ORDER.compare(this, other);
    }
}
