package org.crabro.container.admin;

import java.time.Duration;
import java.util.List;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ModelChanges;

/** What became of what somebody asked to do with a package or a session. */
sealed interface DeployReply {
    /**
     * A package that was sent is an application.
     *
     * @param name what it is called
     * @param activated whether it is served now; false where only a check was asked for
     * @param changes what differs from the application that was active
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

    /** A session was made. */
    record Created(long session) implements DeployReply {}

    /** A session was prepared. */
    record Prepared(long session, List<Notice> notices, ModelChanges changes)
            implements DeployReply {
        public Prepared {
            notices = List.copyOf(notices);
        }
    }

    /** A session was activated, and is served now as the application {@code name}. */
    record Activated(long session, ApplicationName name) implements DeployReply {}

    /** A file or directory of a session was written or deleted. */
    record Changed(long session) implements DeployReply {}

    /** The application that was active is not served any more. */
    record Removed(ApplicationName name) implements DeployReply {}

    /** What serves these clusters was built anew. */
    record Rebuilt(ApplicationName name, List<String> clusters) implements DeployReply {
        public Rebuilt {
            clusters = List.copyOf(clusters);
        }
    }

    /**
     * The package is no application, or none that can follow the active one; that one stays.
     *
     * @param message everything that is wrong
     */
    record Invalid(String message) implements DeployReply {}

    /** Something else is wrong with what was asked, such as the order of steps. */
    record Wrong(String message) implements DeployReply {}

    /** Nothing is there by this name or number. */
    record Missing(String message) implements DeployReply {}

    /**
     * Another session was activated since this one was made, or another application is, or
     * documents were stored that it would take values from.
     */
    record Conflict(String message) implements DeployReply {}

    /** There is no room for more until something is activated or given up. */
    record Full(String message) implements DeployReply {}

    /** Another deployment was under way all the time. */
    record Busy(Duration waited) implements DeployReply {}
}
