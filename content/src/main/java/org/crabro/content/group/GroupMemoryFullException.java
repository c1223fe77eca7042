package org.crabro.content.group;

/** The groups of other searches leave no memory for those of this one: it may be tried again. */
public final class GroupMemoryFullException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GroupMemoryFullException(long max) {
        super(
                "the groups of all queries need more than %d bytes of memory, which is the limit of the node (groupBytes): try again later"
                        .formatted(max));
    }
}
