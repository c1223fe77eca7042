package org.crabro.config.application;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The name under which an application is deployed. Packages do not contain it, but they can have
 * parts for some applications and instances only.
 *
 * @param tenant the owner of the application
 */
public record ApplicationName(String tenant, String application, String instance) {
    // Before the names that are checked with it.
    private static final Pattern PART = Pattern.compile("[a-zA-Z0-9_-]{1,64}");

    /** The default of each part. */
    public static final String DEFAULT_PART = "default";

    /** The name if a deployment sets none. */
    public static final ApplicationName DEFAULT =
            new ApplicationName(DEFAULT_PART, DEFAULT_PART, DEFAULT_PART);

    public ApplicationName {
        for (String part : new String[] {tenant, application, instance}) {
            if (!isPart(part)) {
                throw new IllegalArgumentException("no part of a name: '" + part + "'");
            }
        }
    }

    /** Returns whether a tenant, an application or an instance may be called {@code text}. */
    public static boolean isPart(String text) {
        return PART.matcher(text).matches();
    }

    /** Returns the rule for a valid part, for messages. */
    public static String rule() {
        return "expected a name of 1 to 64 letters, digits, '_' and '-'";
    }

    /** Returns the name that {@link #text} wrote, or empty if it is not valid. */
    public static Optional<ApplicationName> parse(String text) {
        String[] parts = text.split("\\.", -1);
        return parts.length == 3 && isPart(parts[0]) && isPart(parts[1]) && isPart(parts[2])
                ? Optional.of(new ApplicationName(parts[0], parts[1], parts[2]))
                : Optional.empty();
    }

    /** Returns the application with the same name of another tenant. */
    public ApplicationName of(String other) {
        return new ApplicationName(other, application, instance);
    }

    /** Returns the three parts, with dots between them. */
    public String text() {
        return tenant + "." + application + "." + instance;
    }

    /** Returns the name without the tenant: {@code application.instance}. */
    public String inTenant() {
        return application + "." + instance;
    }
}
