package org.crabro.container.admin;

import java.time.Duration;
import java.util.List;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ModelChanges;

/** What became of a package that somebody sent. */
sealed interface DeployReply {
    /**
     * It is an application.
     *
     * @param activated whether it is served now; false where only a check was asked for
     * @param changes what differs from the application that was active
     */
    record Deployed(long generation, boolean activated, List<Notice> notices, ModelChanges changes)
            implements DeployReply {
        public Deployed {
            notices = List.copyOf(notices);
        }
    }

    /**
     * It is none, or none that can follow the active one; that one stays.
     *
     * @param message everything that is wrong
     */
    record Invalid(String message) implements DeployReply {}

    /** Another deployment was under way all the time. */
    record Busy(Duration waited) implements DeployReply {}
}
