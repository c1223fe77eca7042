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

    /** A statement that runs for one choice: a string, a field, or the default. */
    public record Case(Name choice, Statement statement) {}

    /** A step of a statement. */
    public sealed interface Step {
        SourcePosition at();

        /** {@code input}; without a name it reads the field of the script. */
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

        /** Two operands and an operator. */
        record Arithmetic(SourcePosition at, Operator operator, Statement left, Statement right)
                implements Step {}

        /**
         * {@code embed}; without a name it uses the only embedder of the package.
         *
         * @param arguments the words after the name
         */
        record Embed(SourcePosition at, Optional<Name> embedder, List<Name> arguments)
                implements Step {
            public Embed {
                arguments = List.copyOf(arguments);
            }
        }

        /**
         * {@code attribute}, {@code index} or {@code summary}; without a name it writes the field
         * of the script.
         */
        record Output(SourcePosition at, Aspect aspect, Optional<Name> field) implements Step {}

        /** Any other keyword with its arguments. */
        record Call(SourcePosition at, String keyword, List<Name> arguments) implements Step {
            public Call {
                arguments = List.copyOf(arguments);
            }
        }

        /**
         * A script inside a script.
         *
         * @param guarded whether it follows the word {@code guard}
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
         * @param otherwise the step after {@code else}
         */
        record If(
                SourcePosition at,
                Statement left,
                Comparison comparison,
                Statement right,
                Block then,
                Optional<Block> otherwise)
                implements Step {}

        /** {@code switch}; cases and at most one {@code default}. */
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
