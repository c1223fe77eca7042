package org.crabro.config.parser;

import java.util.List;
import java.util.Optional;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript.Comparison;
import org.crabro.config.schema.IndexingScript.Operator;
import org.crabro.document.FieldValue;

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

    /** A statement that runs for one choice: a string, a field, or whatever else. */
    public record Case(Name choice, Statement statement) {}

    /** A step of a statement. */
    public sealed interface Step {
        SourcePosition at();

        /** {@code input}, of the field that the script stands in where none is named. */
        record Input(SourcePosition at, Optional<Name> field) implements Step {}

        /** A string, a number, or a truth value. */
        record Literal(SourcePosition at, FieldValue value) implements Step {}

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

        /** Two operands and what stands between them. */
        record Arithmetic(SourcePosition at, Operator operator, Statement left, Statement right)
                implements Step {}

        /**
         * {@code embed}, by the only embedder there is where none is named.
         *
         * @param arguments what stands behind the name
         */
        record Embed(SourcePosition at, Optional<Name> embedder, List<Name> arguments)
                implements Step {
            public Embed {
                arguments = List.copyOf(arguments);
            }
        }

        /**
         * {@code attribute}, {@code index} or {@code summary}, to the field it stands in or
         * another.
         */
        record Output(SourcePosition at, Aspect aspect, Optional<Name> field) implements Step {}

        /** Any other keyword with what stands behind it. */
        record Call(SourcePosition at, String keyword, List<Name> arguments) implements Step {
            public Call {
                arguments = List.copyOf(arguments);
            }
        }

        /**
         * A script inside a script.
         *
         * @param guarded whether {@code guard} stands before it
         */
        record Block(SourcePosition at, List<Statement> statements, boolean guarded)
                implements Step {
            public Block {
                statements = List.copyOf(statements);
            }
        }

        /**
         * {@code if}.
         *
         * @param otherwise what stands behind {@code else}
         */
        record If(
                SourcePosition at,
                Statement left,
                Comparison comparison,
                Statement right,
                Block then,
                Optional<Block> otherwise)
                implements Step {}

        /** {@code switch}; cases and {@code default}, of which there is at most one. */
        record Switch(SourcePosition at, List<Case> cases, Optional<Statement> otherwise)
                implements Step {
            public Switch {
                cases = List.copyOf(cases);
            }
        }

        /** {@code select_input}. */
        record SelectInput(SourcePosition at, List<Case> cases) implements Step {
            public SelectInput {
                cases = List.copyOf(cases);
            }
        }

        /** {@code for_each}. */
        record ForEach(SourcePosition at, Statement body) implements Step {}
    }
}
