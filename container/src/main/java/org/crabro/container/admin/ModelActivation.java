package org.crabro.container.admin;

import java.util.List;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;

/** Serves applications: makes a new model the active one, in place of the old. */
public interface ModelActivation {
    /** Why a model is activated. */
    enum Occasion {
        /** Somebody deployed it, and waits for an answer that holds. */
        DEPLOYMENT,
        /** The process starts again with what it served before; what is slow may come later. */
        START
    }

    /**
     * What became of a model. Where it was not activated, the one before is served as if nothing
     * had been asked.
     */
    sealed interface Reply {
        /** It serves the next request. */
        record Activated() implements Reply {}

        /**
         * It cannot be served.
         *
         * @param problem why, for whoever deploys
         */
        record Refused(String problem) implements Reply {}
    }

    /** Makes {@code model} the active one. Called by one thread at a time. */
    Reply activate(ApplicationModel model, Occasion occasion);

    /**
     * Serves no model any more; documents stay stored. Called by one thread at a time, which may
     * activate another model later.
     */
    void deactivate();

    /** Returns whether a document of a type is stored, or may be where that cannot be told. */
    boolean hasDocuments(String documentType);

    /** Returns what a model says that has no effect in this process. */
    default List<Notice> notices(ApplicationModel model) {
        return List.of();
    }

    /** Returns what serves the active model. */
    List<RunningService> services();
}
