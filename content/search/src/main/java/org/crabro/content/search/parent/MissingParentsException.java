package org.crabro.content.search.parent;

/**
 * Thrown to a search that needs global documents of a node that does not have all of them yet.
 * Another node may have them.
 */
public final class MissingParentsException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    public MissingParentsException() {
        super("the node does not have all documents of global types yet");
    }
}
