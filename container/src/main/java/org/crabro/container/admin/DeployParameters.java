package org.crabro.container.admin;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import org.crabro.config.services.CompatibilityLevel;
import org.eclipse.jetty.util.Fields;

/**
 * What a request says besides the package.
 *
 * @param isDryRun whether to check only
 * @param isVerbose whether to tell what is below a warning
 * @param patience how long to wait for another deployment to end
 */
record DeployParameters(boolean isDryRun, boolean isVerbose, Duration patience) {
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
        // There is one application; a name of another would be taken for it silently.
        for (String parameter : new String[] {"applicationName", "instance"}) {
            String name = parameters.getValue(parameter);
            if (name != null && !name.equals(AdminPath.DEFAULT)) {
                return refused(
                        "%s '%s': there is one application, called default, with one instance,"
                                        .formatted(parameter, name)
                                + " called default");
            }
        }
        Optional<String> version = Optional.ofNullable(parameters.getValue("vespaVersion"));
        if (version.isPresent() && !CompatibilityLevel.isUnderstood(version.get())) {
            return new Reading.Refused(
                    AdminError.UNKNOWN_VESPA_VERSION,
                    "vespaVersion: expected a version up to %s, but found '%s'"
                            .formatted(CompatibilityLevel.text(), version.get()));
        }
        if (isTrue(parameters, "ignoreValidationErrors")) {
            return refused(
                    "ignoreValidationErrors is not built yet: allow what is refused in"
                            + " validation-overrides.xml");
        }
        Optional<String> timeout = Optional.ofNullable(parameters.getValue("timeout"));
        if (timeout.isPresent() && !SECONDS.matcher(timeout.get()).matches()) {
            return refused(
                    "timeout: expected seconds, as in 30, but found '" + timeout.get() + "'");
        }
        return new Reading.Read(
                new DeployParameters(
                        isTrue(parameters, "dryRun"),
                        isTrue(parameters, "verbose"),
                        timeout.map(text ->
                                        Duration.ofNanos((long) (Double.parseDouble(text) * 1e9)))
                                .orElse(FOREVER)));
    }

    private static boolean isTrue(Fields parameters, String name) {
        return "true".equals(parameters.getValue(name));
    }

    private static Reading refused(String problem) {
        return new Reading.Refused(AdminError.BAD_REQUEST, problem);
    }
}
