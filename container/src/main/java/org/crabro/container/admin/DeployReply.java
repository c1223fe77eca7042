package org.crabro.container.admin;

import java.time.Duration;
import java.util.List;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ModelChanges.Reindex;

/** What became of a package that somebody sent. */
sealed interface DeployReply {
    /**
     * It is an application.
     *
     * @param activated whether it is served now; false where only a check was asked for
     */
    record Deployed(long generation, boolean activated, List<Notice> notices, List<Reindex> reindex)
            implements DeployReply {
        public Deployed {
            notices = List.copyOf(notices);
            reindex = List.copyOf(reindex);
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
