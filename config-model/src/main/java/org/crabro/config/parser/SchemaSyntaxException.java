package org.crabro.config.parser;

/**
 * A schema file is not well formed, or asks for something that is not built yet.
 *
 * <p>The message says where, what was expected and what stands there instead, and shows the line:
 * it goes to the person who deploys, as it is.
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
