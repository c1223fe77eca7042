package org.crabro.config.queryprofile;

import java.util.Optional;
import org.crabro.ranking.expression.WrittenTensor;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorSyntaxException;
import org.crabro.tensor.TensorType;

/** The type of a value. */
public sealed interface ValueType {
    /** One of those that have a name alone. */
    enum Simple implements ValueType {
        STRING("string"),
        /** A query in a query language: a text, which is parsed when it is used. */
        QUERY("query"),
        INTEGER("integer"),
        LONG("long"),
        FLOAT("float"),
        DOUBLE("double"),
        BOOLEAN("boolean");

        private final String shown;

        Simple(String shown) {
            this.shown = shown;
        }

        @Override
        public String shown() {
            return shown;
        }

        @Override
        public boolean accepts(String text) {
            try {
                return switch (this) {
                    case STRING, QUERY -> true;
                    case INTEGER -> Integer.toString(Integer.parseInt(text)).length() > 0;
                    case LONG -> Long.toString(Long.parseLong(text)).length() > 0;
                    case FLOAT, DOUBLE -> !Double.isNaN(Double.parseDouble(text));
                    case BOOLEAN -> text.equalsIgnoreCase("true") || text.equalsIgnoreCase("false");
                };
            } catch (NumberFormatException _) {
                return false;
            }
        }
    }

    /**
     * A tensor: a literal of the type, or a text to embed.
     *
     * @param type of the value
     */
    record Tensor(TensorType type) implements ValueType {
        @Override
        public String shown() {
            return type.toString();
        }

        @Override
        public boolean accepts(String text) {
            if (text.startsWith("embed(") || text.isEmpty()) {
                return true;
            }
            if (!type.isDense() && (text.startsWith("{") || text.startsWith("["))) {
                return true;
            }
            try {
                return WrittenTensor.parse(text, type).type().equals(type);
            } catch (TensorSyntaxException _) {
                return text.startsWith("{") && text.contains("\"");
            }
        }
    }

    /**
     * A profile by its id.
     *
     * @param type the required type of the profile
     */
    record Profile(Optional<String> type) implements ValueType {
        @Override
        public String shown() {
            return type.map(id -> "query-profile:" + id).orElse("query-profile");
        }

        @Override
        public boolean accepts(String text) {
            return VersionedId.of(text).isPresent();
        }
    }

    /** Returns it as packages write it. */
    String shown();

    /** Returns whether {@code text} is such a value. */
    boolean accepts(String text);

    /** Returns the type that a package writes as {@code text}, or empty if there is none. */
    static Optional<ValueType> of(String text) {
        for (Simple simple : Simple.values()) {
            if (simple.shown().equals(text)) {
                return Optional.of(simple);
            }
        }
        if (text.equals("query-profile")) {
            return Optional.of(new Profile(Optional.empty()));
        }
        if (text.startsWith("query-profile:")) {
            return Optional.of(new Profile(Optional.of(text.substring("query-profile:".length()))));
        }
        if (text.startsWith("tensor")) {
            try {
                return Optional.of(TensorType.parse(text))
                        .filter(type -> type.subspaceSize() <= DenseTensor.CELL_COUNT_MAX)
                        .map(Tensor::new);
            } catch (TensorSyntaxException _) {
                return Optional.empty();
            }
        }
        return Optional.empty();
    }
}
