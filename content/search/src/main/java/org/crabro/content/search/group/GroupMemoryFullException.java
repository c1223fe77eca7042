package org.crabro.content.search.group;

/**
 * Thrown if the groups of all searches together exceed the memory limit of the node. The search may
 * succeed later.
 */
public final class GroupMemoryFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GroupMemoryFullException(long max) {
        super(
                "the groups of all queries need more than %d bytes of memory, which is the limit of the node (groupBytes): try again later"
                        .formatted(max));
    }
}
