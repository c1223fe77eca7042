package org.crabro.container.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.services.CompatibilityLevel;
import org.eclipse.jetty.util.Fields;

/**
 * What a request says besides the package.
 *
 * @param application what the application is called
 * @param instance what the instance is called
 * @param isDryRun whether to check only
 * @param isVerbose whether to tell what is below a warning
 * @param isForced whether to activate a session although another was activated since it was made
 * @param ignoresRefusals whether to do what the package would have to allow
 * @param patience how long to wait for another deployment to end
 */
record DeployParameters(
        String application,
        String instance,
        boolean isDryRun,
        boolean isVerbose,
        boolean isForced,
        boolean ignoresRefusals,
        Duration patience) {
    private static final Pattern SECONDS = Pattern.compile("[0-9]{1,7}(\\.[0-9]{1,9})?");

    /** Longer than anybody waits; what is waited at most is bounded elsewhere. */
    private static final Duration FOREVER = Duration.ofDays(1);

    /** What reading came to. */
    sealed interface Reading {
        record Read(DeployParameters parameters) implements Reading {}

        /** Something was asked for that is not, or that there is not. */
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
                        isTrue(parameters, "dryRun"),
                        isTrue(parameters, "verbose"),
                        isTrue(parameters, "force"),
                        isTrue(parameters, "ignoreValidationErrors"),
                        timeout.map(text ->
                                        Duration.ofNanos((long) (Double.parseDouble(text) * 1e9)))
                                .orElse(FOREVER)));
    }

    private static String part(Fields parameters, String name) {
        String given = parameters.getValue(name);
        return given == null ? ApplicationName.DEFAULT_PART : given;
    }

    /** Returns what the application is called, deployed by {@code tenant}. */
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
