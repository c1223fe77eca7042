package org.crabro.config.parser;

/**
 * A schema file is not well formed, or uses an element that is not implemented yet.
 *
 * <p>The message contains the position, the expected and the found text, and the line itself. It is
 * shown unchanged to the user who deploys.
 */
public final class SchemaSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient SourcePosition position;

    SchemaSyntaxException(SourcePosition position, String problem) {
        super(position.pointing(problem));
        this.position = position;
    }

    /** Returns the place of the first character that does not fit. */
    public SourcePosition position() {
        return position;
    }
}
