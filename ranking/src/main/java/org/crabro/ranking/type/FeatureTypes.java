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
         * It names what does not exist.
         *
         * @param kind what was looked for, such as {@code field}
         * @param name the name that was not found
         * @param known the names that would do, to suggest one from
         */
        record Unknown(String kind, String name, Set<String> known) implements Answer {
            public Unknown {
                known = Set.copyOf(known);
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
