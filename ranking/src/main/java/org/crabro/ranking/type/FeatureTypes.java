package org.crabro.ranking.type;

import java.util.Set;
import org.crabro.tensor.TensorType;

/** Knows what the names in features stand for, such as the fields of a schema. */
public interface FeatureTypes {
    /** What is known of a feature. */
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
         * What it names exists, but is not fit for it.
         *
         * @param reason such as {@code field 'year' is no text}
         */
        record Unfit(String reason) implements Answer {}
    }

    /** Returns what is known of {@code feature}. */
    Answer type(RankFeature feature);
}
