package org.crabro.config.schema;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.tensor.TensorType;

/**
 * The computation of a field from a fed document: a list of statements, each a sequence of steps.
 *
 * <p>Every step is type-checked: its input has a type that it accepts.
 *
 * @param statements in order; empty for a field that is stored as it is fed
 */
public record IndexingScript(List<Statement> statements) {
    public IndexingScript {
        statements = List.copyOf(statements);
    }

    /**
     * A pipe: the value passes through the steps from left to right. If a step returns no value,
     * later steps that need a value return none either.
     */
    public record Statement(List<Step> steps) {
        public Statement {
            steps = List.copyOf(steps);
        }
    }

    /** How two numbers become one. */
    public enum Operator {
        ADD("+"),
        SUBTRACT("-"),
        MULTIPLY("*"),
        DIVIDE("/"),
        REMAINDER("%");

        private final String symbol;

        Operator(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the operator sign in scripts. */
        public String symbol() {
            return symbol;
        }
    }

    /** How two values are compared. */
    public enum Comparison {
        EQUAL("=="),
        DIFFERENT("!="),
        LESS("<"),
        AT_MOST("<="),
        MORE(">"),
        AT_LEAST(">=");

        private final String symbol;

        Comparison(String symbol) {
            this.symbol = symbol;
        }

        /** Returns the operator sign in scripts. */
        public String symbol() {
            return symbol;
        }
    }

    /** Conversions of one value to another without parameters. */
    public enum Operation {
        LOWERCASE,
        TRIM,
        /** Removes accents from letters. */
        NORMALIZE,
        TO_ARRAY,
        TO_WEIGHTED_SET,
        TO_POSITION,
        Z_CURVE,
        /** A point in time as text becomes seconds since 1970. */
        EPOCH_SECOND,
        BASE64_ENCODE,
        BASE64_DECODE,
        HEX_ENCODE,
        HEX_DECODE,
        HASH_INT,
        HASH_LONG,
        /** Eight cells become one byte. */
        PACK_BITS
    }

    /** A part of a document's id. */
    public enum IdPart {
        WHOLE,
        NAMESPACE,
        DOCUMENT_TYPE,
        GROUP,
        NUMBER,
        SPECIFIC
    }

    /** One step of a statement. */
    public sealed interface Step {
        /** A step that contains statements. */
        sealed interface Compound extends Step {}

        /** The value of a field of the document fed. */
        record Input(String field) implements Step {}

        /** A literal in the script. */
        record Literal(FieldValue value) implements Step {
            /** Returns a string literal. */
            public static Literal of(String text) {
                return new Literal(new FieldValue.StringValue(text));
            }
        }

        /**
         * The joined parts.
         *
         * @param appends whether the parts are collections of one type, whose contents are joined;
         *     a part without a value is empty. Otherwise the texts of the parts are joined; if a
         *     part has no value, there is none
         */
        record Concatenation(List<Statement> parts, boolean appends) implements Compound {
            public Concatenation {
                parts = List.copyOf(parts);
            }

            /** A concatenation of texts. */
            public Concatenation(List<Statement> parts) {
                this(parts, false);
            }
        }

        /** The first alternative that has a value. */
        record FirstOf(List<Statement> alternatives) implements Compound {
            public FirstOf {
                alternatives = List.copyOf(alternatives);
            }
        }

        /** A number of two, which become {@code type} first. */
        record Arithmetic(Operator operator, Statement left, Statement right, Primitive type)
                implements Compound {}

        /**
         * A value that a component generates from the text.
         *
         * @param generator the id of the component, resolved at deploy
         * @param type of the value
         */
        record Generate(String generator, FieldType type) implements Step {}

        /**
         * The embedding of the value by a component, resolved at deploy.
         *
         * @param outer for an array value: the mapped dimension whose labels are the indexes of its
         *     elements
         */
        record Embed(String embedder, TensorType type, Optional<String> outer) implements Step {
            /**
             * Returns the type of the embedding of one text: the type without the dimension of the
             * elements.
             */
            public TensorType textType() {
                return new TensorType(
                        type.cellType(),
                        type.dimensions().stream()
                                .filter(dimension ->
                                        outer.filter(dimension.name()::equals).isEmpty())
                                .toList());
            }
        }

        /** Writes the value to {@code field}; the output is the input value. */
        record Output(Aspect aspect, String field) implements Step {}

        /** Only stores the value in {@code field}; the output is the input value. */
        record Store(String field) implements Step {}

        record Apply(Operation operation) implements Step {}

        /** The value as one of another type, which is a type without parts or a tensor. */
        record Convert(FieldType type) implements Step {}

        /** Code points of a text, {@code from} the first to before {@code to}. */
        record Substring(int from, int to) implements Step {}

        /**
         * The texts between matches.
         *
         * @param pattern a regular expression of Java
         */
        record Split(String pattern) implements Step {}

        /** The texts of an array with {@code delimiter} between them. */
        record Join(String delimiter) implements Step {}

        /**
         * The chunks of a text: sentences, or pieces of {@code length} characters if that is set.
         */
        record Chunk(OptionalInt length) implements Step {}

        /** A field of a struct. */
        record Member(String name) implements Step {}

        /** The value of a key of a map. */
        record MapValue(FieldValue key) implements Step {}

        record SetVariable(String name) implements Step {}

        record GetVariable(String name) implements Step {}

        /** Forgets variables and the value. */
        record ClearState() implements Step {}

        /** Sets the language of the document. */
        record SetLanguage() implements Step {}

        record GetLanguage() implements Step {}

        /** Seconds since 1970. */
        record Now() implements Step {}

        /** A number from 0 to below {@code max}, or the value where that is not given. */
        record Random(OptionalInt max) implements Step {}

        record Hostname() implements Step {}

        record Id(IdPart part) implements Step {}

        /** 1 for each cell above {@code threshold}, else 0. */
        record Binarize(double threshold) implements Step {}

        /**
         * Statements that each start with the input value, which is also the output.
         *
         * @param guarded whether updates of fields that it does not read skip it
         */
        record Block(List<Statement> statements, boolean guarded) implements Compound {
            public Block {
                statements = List.copyOf(statements);
            }
        }

        /**
         * Runs one of two blocks. The output is the input value, or no value if an operand has
         * none.
         */
        record If(
                Statement left,
                Comparison comparison,
                Statement right,
                Block then,
                Optional<Block> otherwise)
                implements Compound {}

        /** Runs the statement for the value; the output is the input value. */
        record Switch(Map<String, Statement> cases, Optional<Statement> otherwise)
                implements Compound {
            public Switch {
                cases = Collections.unmodifiableMap(new LinkedHashMap<>(cases));
            }
        }

        /**
         * Runs the first statement whose field is set, with the value of that field; the output is
         * the input value.
         */
        record SelectInput(Map<String, Statement> cases) implements Compound {
            public SelectInput {
                cases = Collections.unmodifiableMap(new LinkedHashMap<>(cases));
            }
        }

        /** Runs the body for each element; elements without a result are left out. */
        record ForEach(Statement body) implements Compound {}
    }
}
