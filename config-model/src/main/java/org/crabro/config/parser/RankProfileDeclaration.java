package org.crabro.config.parser;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.FieldRanking;
import org.crabro.tensor.TensorType;

/**
 * A rank profile as written.
 *
 * @param uses fields that are named outside of expressions
 * @param phases the expressions of later phases, by keyword
 * @param limits numbers of phases, by keywords such as {@code second-phase rerank-count}, and hints
 * @param unbuilt what is read, but refused
 * @param settings what is said once, by keywords such as {@code first-phase keep-rank-count}
 * @param shownFeatures by keyword: {@code summary-features} and {@code rank-features}
 * @param fields what is said of how fields count in scores
 * @param home the schema whose constants and models it sees, where it does not stand in that one
 */
public record RankProfileDeclaration(
        Name name,
        List<Name> parents,
        Optional<RawText> firstPhase,
        List<Function> functions,
        List<Input> inputs,
        List<Constant> constants,
        Optional<Features> matchFeatures,
        List<Property> properties,
        List<FieldUse> uses,
        Map<String, RawText> phases,
        Map<String, Double> limits,
        List<Unbuilt> unbuilt,
        Map<String, Name> settings,
        Map<String, Features> shownFeatures,
        Map<String, FieldRanking> fields,
        Optional<String> home) {
    /** A setting that is {@code true} or {@code false}, and no keyword as others are. */
    public static final String USE_MODEL = "significance use-model";

    /** As {@link #USE_MODEL} is: whether the profile asks that every input be declared. */
    public static final String STRICT = "strict";

    public RankProfileDeclaration {
        parents = List.copyOf(parents);
        functions = List.copyOf(functions);
        inputs = List.copyOf(inputs);
        constants = List.copyOf(constants);
        properties = List.copyOf(properties);
        uses = List.copyOf(uses);
        phases = Map.copyOf(phases);
        shownFeatures = Collections.unmodifiableMap(new LinkedHashMap<>(shownFeatures));
        fields = Map.copyOf(fields);
        limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
        unbuilt = List.copyOf(unbuilt);
        settings = Collections.unmodifiableMap(new LinkedHashMap<>(settings));
    }

    /**
     * What the language has and nothing computes yet.
     *
     * @param keyword of the element
     * @param expressions in it
     */
    public record Unbuilt(Name keyword, List<RawText> expressions) {
        public Unbuilt {
            expressions = List.copyOf(expressions);
        }
    }

    /**
     * A field that an element names.
     *
     * @param element its keyword
     */
    public record FieldUse(String element, Name field) {}

    /** A function of the profile. */
    public record Function(Name name, List<Name> parameters, RawText body) {
        public Function {
            parameters = List.copyOf(parameters);
        }
    }

    /**
     * A value that queries bring.
     *
     * @param name without {@code query(...)}
     * @param type a number where it is not said
     * @param value what it is where a query says nothing
     */
    public record Input(Name name, Optional<ValueType> type, Optional<RawText> value) {}

    /** A named value. */
    public record Constant(Name name, Optional<ValueType> type, RawText value) {}

    /** A type of an input or a constant, as written: a tensor's or the name of a number's. */
    public record ValueType(Name name, Optional<TensorType> tensor) {
        /** Returns whether values are texts. */
        public boolean isText() {
            return name.text().equals("string");
        }
    }

    /** A list of features, with those of {@code parents} in front. */
    public record Features(Name keyword, List<Name> parents, List<RawText> features) {
        public Features {
            parents = List.copyOf(parents);
            features = List.copyOf(features);
        }
    }

    /** A setting of a feature. */
    public record Property(Name key, String value) {}
}
