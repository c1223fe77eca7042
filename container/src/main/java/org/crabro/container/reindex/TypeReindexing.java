package org.crabro.container.reindex;

import java.util.Optional;

/**
 * What is known of the documents of a type.
 *
 * @param pending the deployment after which they are to go through their scripts, while it is under
 *     way
 * @param run the last time that they did, or are to
 */
public record TypeReindexing(Optional<Pending> pending, Optional<ReindexRun> run) {
    /** Nothing was ever asked. */
    static final TypeReindexing NONE = new TypeReindexing(Optional.empty(), Optional.empty());

    /**
     * A deployment that changes scripts.
     *
     * @param generation that it makes
     * @param cause what changes
     */
    public record Pending(long generation, String cause) {}
}
