package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.Aspect;

/** An indexing script as written. */
public record ScriptDeclaration(SourcePosition at, List<Statement> statements) {
    public ScriptDeclaration {
        statements = List.copyOf(statements);
    }

    /** Steps joined by {@code |}; at least one. */
    public record Statement(SourcePosition at, List<Step> steps) {
        public Statement {
            steps = List.copyOf(steps);
        }
    }

    /** A step of a statement. */
    public sealed interface Step {
        SourcePosition at();

        /** {@code input}, of the field that the script stands in where none is named. */
        record Input(SourcePosition at, Optional<Name> field) implements Step {}

        /** A string. */
        record Literal(SourcePosition at, String value) implements Step {}

        /** Parts joined by {@code .}; at least two. */
        record Concatenation(SourcePosition at, List<Statement> parts) implements Step {
            public Concatenation {
                parts = List.copyOf(parts);
            }
        }

        /** Alternatives joined by {@code ||}; at least two. */
        record FirstOf(SourcePosition at, List<Statement> alternatives) implements Step {
            public FirstOf {
                alternatives = List.copyOf(alternatives);
            }
        }

        /** {@code embed}, by the only embedder there is where none is named. */
        record Embed(SourcePosition at, Optional<Name> embedder) implements Step {}

        /**
         * {@code attribute}, {@code index} or {@code summary}, to the field it stands in or
         * another.
         */
        record Output(SourcePosition at, Aspect aspect, Optional<Name> field) implements Step {}
    }
}
