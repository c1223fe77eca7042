package org.crabro.ranking.type;

import java.util.Set;
import org.crabro.tensor.TensorType;

/** Resolves the names in features, such as the fields of a schema. */
public interface FeatureTypes {
    /** The result for a feature. */
    sealed interface Answer {
        /** Its values have a type; {@link TensorType#SCALAR} for numbers. */
        record Typed(TensorType type) implements Answer {}

        /**
         * The feature has an unknown name.
         *
         * @param kind of the name, such as {@code field}
         * @param name the unknown name
         * @param names the valid names, for a hint
         */
        record Unknown(String kind, String name, Set<String> names) implements Answer {
            public Unknown {
                names = Set.copyOf(names);
            }
        }

        /**
         * The name exists but does not fit the feature.
         *
         * @param reason such as {@code field 'year' is no text}
         */
        record Unfit(String reason) implements Answer {}
    }

    /** Returns the result for {@code feature}. */
    Answer type(RankFeature feature);
}
