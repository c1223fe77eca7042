package org.crabro.config.schema;

import java.util.List;

/**
 * What computes a field from the document fed: statements, each a row of steps.
 *
 * @param statements in order; empty for a field that is stored as it is fed
 */
public record IndexingScript(List<Statement> statements) {
    public IndexingScript {
        statements = List.copyOf(statements);
    }

    /**
     * A pipe: the value goes through the steps from left to right and stops where it becomes
     * nothing.
     */
    public record Statement(List<Step> steps) {
        public Statement {
            steps = List.copyOf(steps);
        }
    }

    /** One step of a statement. */
    public sealed interface Step {
        /** The value of a field of the document fed. */
        record Input(String field) implements Step {}

        /** A string literal. */
        record Literal(String value) implements Step {}

        /** The texts of the parts, joined; nothing where a part is nothing. */
        record Concatenation(List<Statement> parts) implements Step {
            public Concatenation {
                parts = List.copyOf(parts);
            }
        }

        /** The first alternative that is not nothing. */
        record FirstOf(List<Statement> alternatives) implements Step {
            public FirstOf {
                alternatives = List.copyOf(alternatives);
            }
        }

        /** The embedding of the value by a component, resolved at deploy. */
        record Embed(String embedder) implements Step {}

        /** Sends the value to {@code field}; it goes on unchanged. */
        record Output(Aspect aspect, String field) implements Step {}
    }
}
