package org.crabro.config.rules;

import java.util.List;
import org.crabro.config.parser.SourcePosition;

/**
 * The contents of a file of rules, in their order. Names are not resolved yet.
 *
 * @param words how words are compared
 * @param parts the number of conditions and products
 */
public record RuleFile(List<Statement> statements, RuleWords words, boolean isDefault, int parts) {
    public RuleFile {
        statements = List.copyOf(statements);
    }

    /** A statement, or a directive that brings statements. */
    public sealed interface Statement {
        SourcePosition at();
    }

    /** Includes the statements of another rule base. */
    public record Include(SourcePosition at, String name) implements Statement {}

    /** A rule. */
    public record Rule(SourcePosition at, SemanticRule rule) implements Statement {}

    /** A condition with a name. */
    public record Definition(SourcePosition at, String name, RuleCondition condition)
            implements Statement {}
}
