package org.crabro.container.admin;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges;

/** Activates applications: a new model replaces the old one. */
public interface ModelActivation {
    /** The reason of an activation. */
    enum Occasion {
        /** A deployment, whose client waits for the result. */
        DEPLOYMENT,
        /** A restart of the process; slow steps may run later. */
        START
    }

    /** The outcome of an activation. If it failed, the old model stays active and unchanged. */
    sealed interface Reply {
        /** The model serves the next request. */
        record Activated() implements Reply {}

        /**
         * The model cannot be activated.
         *
         * @param problem the reason, for the answer to the deployment
         */
        record Refused(String problem) implements Reply {}

        /**
         * The model cannot be activated now, or whether it is active is not known; a retry may
         * succeed.
         *
         * @param problem the reason, for the answer to the deployment
         */
        record Unavailable(String problem) implements Reply {}
    }

    /** Makes {@code model} the active one. Called by one thread at a time. */
    Reply activate(ApplicationModel model, Occasion occasion);

    /**
     * Deactivates the model; documents stay stored. Called by one thread at a time, which may
     * activate another model later.
     *
     * @throws IOException if that could not be recorded
     */
    void deactivate() throws IOException;

    /** Returns whether a document of a type is stored in a content cluster, or may be. */
    boolean hasDocuments(ModelChanges.Stored type);

    /**
     * Returns about how many documents of a type have a value in a field; empty if that is unknown.
     *
     * @param path the field, and the members of structs in it, with dots between them
     */
    OptionalLong documentsWith(ModelChanges.Stored type, String path);

    /** Returns the parts of a model that have no effect in this process. */
    default List<Notice> notices(ApplicationModel model) {
        return List.of();
    }

    /**
     * Returns the oldest generation that a running server of the active model serves; 0 if one
     * serves none yet. Servers that are down do not count.
     *
     * @param active the generation of the active model
     */
    default long servedGeneration(long active) {
        return active;
    }

    /** Returns the services of the active model. */
    List<RunningService> services();
}
