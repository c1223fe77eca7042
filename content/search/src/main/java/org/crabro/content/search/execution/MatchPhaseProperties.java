package org.crabro.content.search.execution;

import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.match.MatchDiversity;
import org.crabro.content.search.match.MatchPhaseLimit;
import org.crabro.content.search.query.QueryRejectedException;
import org.crabro.content.search.rank.Properties;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;

/** Reads how matches are limited, from the properties of a profile and a request. */
final class MatchPhaseProperties {
    private static final double MAX_FILTER_COVERAGE = 0.2;
    private static final double CUTOFF_FACTOR = 10;

    private final RankProfile profile;
    private final Schema schema;

    MatchPhaseProperties(RankProfile profile, Schema schema) {
        this.profile = profile;
        this.schema = schema;
    }

    /**
     * Returns the limit; empty if there is none.
     *
     * @throws QueryRejectedException if a setting is not a number
     */
    Optional<MatchPhaseLimit> limit() {
        if (profile.settings().properties().isEmpty()) {
            return Optional.empty();
        }
        double maxHits = number("maxHits", 0);
        double coverage = number("maxFilterCoverage", MAX_FILTER_COVERAGE);
        Optional<MatchDiversity> diversity = diversity();
        return field("attribute", Primitive::isNumber)
                .filter(_ -> maxHits >= 1)
                .map(field ->
                        new MatchPhaseLimit(
                                field,
                                "true".equals(text("ascending")),
                                (int) maxHits,
                                coverage,
                                diversity));
    }

    private Optional<MatchDiversity> diversity() {
        double minGroups = number("diversity.minGroups", 0);
        double factor = number("diversity.cutoff.factor", CUTOFF_FACTOR);
        boolean isStrict = "strict".equals(text("diversity.cutoff.strategy"));
        return field("diversity.attribute", type -> type != Primitive.PREDICATE)
                .filter(_ -> minGroups >= 1)
                .map(field -> new MatchDiversity(field, (int) minGroups, factor, isStrict));
    }

    /** Returns the field that a setting names, if its type is fit. */
    private Optional<Field> field(String setting, Predicate<Primitive> isFit) {
        return schema.documentType()
                .field(text(setting))
                .filter(field -> field.type() instanceof Primitive type && isFit.test(type));
    }

    private String text(String setting) {
        Map<String, String> properties = profile.settings().properties();
        return properties.getOrDefault(RankProfile.MATCH_PHASE + setting, "");
    }

    private double number(String setting, double usual) {
        return Properties.number(profile, RankProfile.MATCH_PHASE + setting, usual);
    }
}
