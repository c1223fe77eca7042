package org.crabro.container.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.protocol.search.RankOverrides;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.ExpressionParser;
import org.crabro.ranking.expression.ExpressionSyntaxException;
import org.crabro.ranking.type.ExpressionTypeException;
import org.crabro.ranking.type.RankFeature;
import org.crabro.tensor.TensorType;

/** Reads the settings of a request that override those of rank profiles. */
final class OverridesReader {
    private static final List<String> PROPERTIES = List.of("ranking.properties.", "rankproperty.");

    /** All names of rank properties begin with it, in any case. */
    private static final String START = "rank";

    private static final String MATCHING = "ranking.matching.";

    private static final String MATCH_PHASE = "ranking.matchPhase.";

    private static final String ELEMENT_GAP = "ranking.elementgap.";
    private static final String INFINITE = "infinity";

    private final Parameters parameters;

    OverridesReader(Parameters parameters) {
        this.parameters = parameters;
    }

    /**
     * Returns the settings.
     *
     * @throws IllegalQueryException if a gap, a feature or the value of a feature is wrong
     */
    RankOverrides overrides() {
        var gaps = new HashMap<String, Integer>();
        var features = new HashMap<String, Double>();
        parameters
                .values()
                .forEach((name, value) -> {
                    behind(name, ELEMENT_GAP).ifPresent(field -> gaps.put(field, gap(name, value)));
                    InputReader.feature(name)
                            .filter(feature -> InputReader.input(feature).isEmpty())
                            .ifPresent(feature -> {
                                feature(name, feature);
                                features.put(feature, number(name, value));
                            });
                });
        return new RankOverrides(
                properties(), gaps, parameters.truth(Parameter.LIST_FEATURES, false), features);
    }

    /** Returns the rank properties of the request. */
    Map<String, String> properties() {
        var properties = new HashMap<String, String>();
        parameters
                .values()
                .forEach((name, value) -> {
                    if (!name.regionMatches(true, 0, START, 0, START.length())) {
                        return;
                    }
                    for (String prefix : PROPERTIES) {
                        behind(name, prefix).ifPresent(tail -> properties.put(tail, value));
                    }
                    behind(name, MATCHING)
                            .flatMap(OverridesReader::matching)
                            .ifPresent(property ->
                                    properties.put(property, Double.toString(number(name, value))));
                    behind(name, MATCH_PHASE)
                            .ifPresent(setting -> addLimit(setting, name, value, properties));
                });
        return properties;
    }

    /** Adds the property of a setting that limits matches; none if it has no effect. */
    private static void addLimit(
            String setting, String name, String value, Map<String, String> into) {
        // One limit of all nodes is that of each: see PhaseReader.
        String canonical = setting.equalsIgnoreCase("totalMaxHits") ? "maxHits" : setting;
        RankProfile.MATCH_PHASE_SETTINGS.stream()
                .filter(canonical::equalsIgnoreCase)
                .findFirst()
                .ifPresent(limit -> {
                    String valid =
                            switch (limit) {
                                case "attribute", "diversity.attribute" -> value.strip();
                                case "diversity.cutoff.strategy" -> strategy(name, value.strip());
                                case "ascending" ->
                                        String.valueOf(Parameters.isTrue(value.strip()));
                                default -> Double.toString(number(name, value));
                            };
                    into.put(RankProfile.MATCH_PHASE + limit, valid);
                });
    }

    private static String strategy(String name, String value) {
        if (!value.equals("loose") && !value.equals("strict")) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "Could not set '%s': expected loose or strict but found '%s'"
                            .formatted(name, value));
        }
        return value;
    }

    /** Returns the property of a setting of matching; empty if the setting has no effect. */
    private static Optional<String> matching(String setting) {
        String property = RankProfile.MATCHING + setting;
        return RankProfile.MATCHING_SETTINGS.values().stream()
                .filter(property::equalsIgnoreCase)
                .findFirst();
    }

    /**
     * Checks the features that the request sets for one schema: only numbers can be set.
     *
     * @throws IllegalQueryException if a feature is a tensor there
     */
    void check(Schema schema) {
        parameters
                .values()
                .keySet()
                .forEach(name ->
                        InputReader.feature(name)
                                .filter(feature -> InputReader.input(feature).isEmpty())
                                .flatMap(feature -> tensor(feature(name, feature), schema))
                                .ifPresent(type -> {
                                    throw new IllegalQueryException(
                                            ErrorCode.ILLEGAL_QUERY,
                                            "Could not set '%s': numbers can be given alone, and in '%s' the feature is of type %s"
                                                    .formatted(name, schema.name(), type));
                                }));
    }

    /** Returns the type of a feature that is a tensor in {@code schema}; empty for numbers. */
    private static Optional<TensorType> tensor(RankFeature feature, Schema schema) {
        return switch (feature) {
            case RankFeature.Attribute(String field) -> TensorFields.type(schema, field);
            case RankFeature.Closest(String field, _) ->
                    TensorFields.type(schema, field)
                            .filter(type -> type.mappedCount() > 0)
                            .map(RankFeature.Closest::type);
            case RankFeature.OfTensor tensor -> Optional.of(tensor.type());
            default -> Optional.empty();
        };
    }

    private static RankFeature feature(String name, String text) {
        try {
            if (ExpressionParser.parse(text) instanceof Expression.Feature feature) {
                return RankFeature.of(feature);
            }
        } catch (ExpressionSyntaxException | ExpressionTypeException _) {
            // The message describes rank expressions, not parameters.
        }
        throw new IllegalQueryException(
                ErrorCode.ILLEGAL_QUERY,
                "'%s': expected query(name), or a rank feature such as bm25(title), but found '%s'"
                        .formatted(name, text));
    }

    private static double number(String name, String text) {
        try {
            return Double.parseDouble(text.strip());
        } catch (NumberFormatException _) {
            throw new IllegalQueryException(
                    ErrorCode.ILLEGAL_QUERY,
                    "Could not set '%s': expected a number but found '%s'".formatted(name, text));
        }
    }

    /** Returns the rest of a name after a prefix; the case of the prefix does not matter. */
    private static Optional<String> behind(String name, String prefix) {
        return name.length() > prefix.length()
                        && name.regionMatches(true, 0, prefix, 0, prefix.length())
                ? Optional.of(name.substring(prefix.length()))
                : Optional.empty();
    }

    private static int gap(String name, String text) {
        if (text.strip().equalsIgnoreCase(INFINITE)) {
            return RankOverrides.NO_NEARNESS;
        }
        return Parameters.countIn(text.strip())
                .orElseThrow(() ->
                        new IllegalQueryException(
                                ErrorCode.ILLEGAL_QUERY,
                                "Could not set '%s': expected a whole number from 0 on or infinity but found '%s'"
                                        .formatted(name, text)));
    }
}
