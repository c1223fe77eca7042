package org.crabro.config.parser;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.crabro.config.schema.FieldRanking;
import org.crabro.tensor.TensorType;

/** A rank profile as written. */
public record RankProfileDeclaration(
        Name name,
        List<Name> parents,
        DeclaredNames names,
        DeclaredPhases phases,
        DeclaredFeatures features,
        DeclaredSettings settings) {
    /** A setting with the value {@code true} or {@code false}. */
    public static final String USE_MODEL = "significance use-model";

    /** A setting with the value {@code true} or {@code false}: whether inputs must be declared. */
    public static final String STRICT = "strict";

    public RankProfileDeclaration {
        parents = List.copyOf(parents);
    }

    /**
     * The names that expressions can use.
     *
     * @param home the schema whose constants and models the profile uses, if not its own schema
     */
    public record DeclaredNames(
            Optional<String> home,
            List<Input> inputs,
            List<Constant> constants,
            List<Function> functions) {
        public DeclaredNames {
            inputs = List.copyOf(inputs);
            constants = List.copyOf(constants);
            functions = List.copyOf(functions);
        }
    }

    /**
     * The phases of ranking.
     *
     * @param first the expression of the first phase
     * @param later the expressions of later phases, by keyword
     * @param limits numbers of phases, by keywords such as {@code second-phase rerank-count}, and
     *     hints
     */
    public record DeclaredPhases(
            Optional<RawText> first, Map<String, RawText> later, Map<String, Double> limits) {
        public DeclaredPhases {
            later = Map.copyOf(later);
            limits = Collections.unmodifiableMap(new LinkedHashMap<>(limits));
        }
    }

    /**
     * The features that hits are returned with, and the properties of features.
     *
     * @param match the {@code match-features}
     * @param shown by keyword: {@code summary-features} and {@code rank-features}
     */
    public record DeclaredFeatures(
            Optional<Features> match, Map<String, Features> shown, List<Property> properties) {
        public DeclaredFeatures {
            shown = Collections.unmodifiableMap(new LinkedHashMap<>(shown));
            properties = List.copyOf(properties);
        }
    }

    /**
     * The other settings of a profile.
     *
     * @param values settings that occur once, by keywords such as {@code first-phase
     *     keep-rank-count}
     * @param fields how fields count in scores
     * @param uses the fields that are named outside of expressions
     * @param unbuilt elements that are parsed and rejected
     */
    public record DeclaredSettings(
            Map<String, Name> values,
            Map<String, FieldRanking> fields,
            List<FieldUse> uses,
            List<Unbuilt> unbuilt) {
        public DeclaredSettings {
            values = Collections.unmodifiableMap(new LinkedHashMap<>(values));
            fields = Map.copyOf(fields);
            uses = List.copyOf(uses);
            unbuilt = List.copyOf(unbuilt);
        }
    }

    /**
     * An element of the language that is parsed but not yet implemented.
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
     * An input that queries set.
     *
     * @param name without {@code query(...)}
     * @param type a number if not declared
     * @param value the default for queries that do not set the input
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

        /** Returns these features, followed by those of a further list of the same profile. */
        Features and(Features more) {
            return new Features(
                    keyword,
                    Stream.concat(parents.stream(), more.parents.stream()).toList(),
                    Stream.concat(features.stream(), more.features.stream()).toList());
        }
    }

    /** A setting of a feature. */
    public record Property(Name key, String value) {}
}
