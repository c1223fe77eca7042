package org.crabro.config.queryprofile;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A name with an optional version, as in {@code mail:1.2.3}; an id without a version is the lowest.
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

    /** Returns the parsed id, or empty if {@code text} is not valid. */
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

    /**
     * Returns the exclusive upper bound of the ids that {@code text} matches: itself and all ids
     * with more version numbers. An id with a qualifier matches only itself.
     *
     * @param text an id
     */
    static VersionedId behind(String text) {
        VersionedId id = of(text).orElseThrow();
        String version = text.substring(id.name().length());
        // The first part is empty: it is the text before the colon.
        return switch (version.split("[:.]", -1).length) {
            case 1 -> new VersionedId(id.name() + '\0', 0, 0, 0, "");
            case 2 -> new VersionedId(id.name(), id.major() + 1, 0, 0, "");
            case 3 -> new VersionedId(id.name(), id.major(), id.minor() + 1, 0, "");
            default ->
                    new VersionedId(
                            id.name(), id.major(), id.minor(), id.micro(), id.qualifier() + '\0');
        };
    }

    @Override
    public int compareTo(VersionedId other) {
        return ORDER.compare(this, other);
    }
}
