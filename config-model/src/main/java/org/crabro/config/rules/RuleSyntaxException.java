package org.crabro.config.rules;

import org.crabro.config.parser.SourcePosition;

/**
 * A file of rules is not well formed. The message contains the position, the expected and the found
 * text, and the line.
 */
public final class RuleSyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1;

    RuleSyntaxException(SourcePosition position, String problem) {
        super(position.pointing(problem));
    }
}
