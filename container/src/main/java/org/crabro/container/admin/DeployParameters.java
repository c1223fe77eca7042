package org.crabro.container.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.services.CompatibilityLevel;
import org.eclipse.jetty.util.Fields;

/**
 * The parameters of a deployment.
 *
 * @param application the name of the application
 * @param instance the name of the instance
 * @param patience the time to wait for another deployment
 */
record DeployParameters(String application, String instance, Flags flags, Duration patience) {
    /**
     * The options of a deployment.
     *
     * @param isDryRun only checks the package
     * @param isVerbose also reports notices below a warning
     * @param isForced activates a session although another one was activated after its creation
     * @param ignoresRefusals makes changes that the package would have to allow
     */
    record Flags(boolean isDryRun, boolean isVerbose, boolean isForced, boolean ignoresRefusals) {
        static final Flags NONE = new Flags(false, false, false, false);
    }

    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,7}(\\.[0-9]{1,9})?");

    /** For requests that name no timeout; {@link DeployTurns} limits the wait. */
    private static final Duration FOREVER = Duration.ofDays(1);

    /** The result of reading. */
    sealed interface Reading {
        record Read(DeployParameters parameters) implements Reading {}

        /** A parameter has an invalid value. */
        record Refused(AdminError error, String problem) implements Reading {}
    }

    static Reading read(Fields parameters) {
        for (String parameter : new String[] {"applicationName", "instance"}) {
            String name = part(parameters, parameter);
            if (!ApplicationName.isPart(name)) {
                return refused(
                        "%s: %s, but found '%s'"
                                .formatted(parameter, ApplicationName.rule(), name));
            }
        }
        Optional<String> version = Optional.ofNullable(parameters.getValue("vespaVersion"));
        if (version.isPresent() && !CompatibilityLevel.isUnderstood(version.get())) {
            return new Reading.Refused(
                    AdminError.UNKNOWN_VESPA_VERSION,
                    "vespaVersion: expected a version up to %s, but found '%s'"
                            .formatted(CompatibilityLevel.text(), version.get()));
        }
        Optional<String> timeout = Optional.ofNullable(parameters.getValue("timeout"));
        if (timeout.isPresent() && !SECONDS.matcher(timeout.get()).matches()) {
            return refused(
                    "timeout: expected seconds, as in 30, but found '" + timeout.get() + "'");
        }
        return new Reading.Read(
                new DeployParameters(
                        part(parameters, "applicationName"),
                        part(parameters, "instance"),
                        new Flags(
                                isTrue(parameters, "dryRun"),
                                isTrue(parameters, "verbose"),
                                isTrue(parameters, "force"),
                                isTrue(parameters, "ignoreValidationErrors")),
                        timeout.map(text ->
                                        Duration.ofNanos((long) (Double.parseDouble(text) * 1e9)))
                                .orElse(FOREVER)));
    }

    private static String part(Fields parameters, String name) {
        String given = parameters.getValue(name);
        return given == null ? ApplicationName.DEFAULT_PART : given;
    }

    /** Returns the full name of the application of {@code tenant}. */
    ApplicationName name(String tenant) {
        return new ApplicationName(tenant, application, instance);
    }

    private static boolean isTrue(Fields parameters, String name) {
        return "true".equals(parameters.getValue(name));
    }

    private static Reading refused(String problem) {
        return new Reading.Refused(AdminError.BAD_REQUEST, problem);
    }
}
