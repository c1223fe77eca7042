package org.crabro.container.reindex;

import java.util.Optional;

/**
 * The reindexing state of a type.
 *
 * @param pending the deployment in progress after which its documents need a run
 * @param run the last or the next run
 */
public record TypeReindexing(Optional<Pending> pending, Optional<ReindexRun> run) {
    /** No run was ever requested. */
    static final TypeReindexing NONE = new TypeReindexing(Optional.empty(), Optional.empty());

    /**
     * A deployment that changes scripts.
     *
     * @param generation the generation that it creates
     * @param cause the changes
     */
    public record Pending(long generation, String cause) {}
}
