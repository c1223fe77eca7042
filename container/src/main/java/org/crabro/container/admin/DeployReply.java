package org.crabro.container.admin;

import java.time.Duration;
import java.util.List;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ModelChanges;

/** The outcome of an operation on a package or a session. */
sealed interface DeployReply {
    /**
     * A package is valid.
     *
     * @param name of the application
     * @param activated whether it is active now; false after a check only
     * @param changes from the application that was active
     */
    record Deployed(
            ApplicationName name,
            long generation,
            boolean activated,
            List<Notice> notices,
            ModelChanges changes)
            implements DeployReply {
        public Deployed {
            notices = List.copyOf(notices);
        }
    }

    /** A session was created. */
    record Created(long session) implements DeployReply {}

    /** A session was prepared. */
    record Prepared(long session, List<Notice> notices, ModelChanges changes)
            implements DeployReply {
        public Prepared {
            notices = List.copyOf(notices);
        }
    }

    /** A session was activated as the application {@code name}. */
    record Activated(long session, ApplicationName name) implements DeployReply {}

    /** A file or directory of a session was written or deleted. */
    record Changed(long session) implements DeployReply {}

    /** The active application was deactivated. */
    record Removed(ApplicationName name) implements DeployReply {}

    /** The services of these clusters were rebuilt. */
    record Rebuilt(ApplicationName name, List<String> clusters) implements DeployReply {
        public Rebuilt {
            clusters = List.copyOf(clusters);
        }
    }

    /**
     * The package is invalid, or may not follow the active application, which stays active.
     *
     * @param message all errors
     */
    record Invalid(String message) implements DeployReply {}

    /** The request is invalid for another reason, the order of steps for example. */
    record Wrong(String message) implements DeployReply {}

    /** The name or number is unknown. */
    record Missing(String message) implements DeployReply {}

    /**
     * Another session was activated after this one was created, or another application is active,
     * or documents were stored whose values it would remove.
     */
    record Conflict(String message) implements DeployReply {}

    /** A bound is reached until a session is activated or deleted. */
    record Full(String message) implements DeployReply {}

    /** Another deployment was in progress until the wait ended. */
    record Busy(Duration waited) implements DeployReply {}
}
