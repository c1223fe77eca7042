package org.crabro.config.validation;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import org.crabro.config.parser.Name;
import org.crabro.config.parser.SchemaDeclaration.PackagedFile;
import org.crabro.config.schema.FieldRanking;
import org.crabro.config.schema.Input;
import org.crabro.ranking.expression.Expression;
import org.crabro.ranking.expression.Expression.Feature;
import org.crabro.ranking.expression.ProfileFunctions;

/**
 * The parts of one rank profile, its own and the inherited ones, before functions are expanded.
 *
 * <p>{@link ProfilePartsReader} fills it from a declaration, {@link ProfileInheritance} adds the
 * parts of the parents. Not thread-safe.
 */
final class ProfileParts {
    final Map<String, Input> inputs = new LinkedHashMap<>();
    final Map<String, Expression> constants = new LinkedHashMap<>();
    final Map<String, PackagedFile> models = new LinkedHashMap<>();

    /** Files of other schemas that inherited profiles can name, by kind and name. */
    final Map<String, PackagedFile> elsewhere = new LinkedHashMap<>();

    final Map<String, ProfileFunctions.Function> functions = new LinkedHashMap<>();
    final Map<String, String> properties = new LinkedHashMap<>();
    Optional<Expression> firstPhase = Optional.empty();
    Optional<List<Feature>> matchFeatures = Optional.empty();

    /** By keyword: {@code summary-features} and {@code rank-features}. */
    final Map<String, List<Feature>> shownFeatures = new LinkedHashMap<>();

    final Map<String, FieldRanking> fields = new LinkedHashMap<>();
    final Map<String, Expression> phases = new LinkedHashMap<>();
    final Map<String, Double> limits = new LinkedHashMap<>();
    final Map<String, Name> settings = new LinkedHashMap<>();

    /** Settings that are values and not expressions. Parents with different values are rejected. */
    final Map<String, Object> values = new LinkedHashMap<>();

    /** The length of the longest chain of profiles that this one inherits through. */
    int depth;

    /** Returns the number of items that a child inherits. */
    int items() {
        return inputs.size()
                + constants.size()
                + models.size()
                + elsewhere.size()
                + functions.size()
                + properties.size()
                + settings.size()
                + values.size()
                + matchFeatures.map(List::size).orElse(0)
                + shownFeatures.values().stream().mapToInt(List::size).sum();
    }

    /** Returns whether there is a constant, or a model, with the name of {@code file}. */
    boolean has(PackagedFile file) {
        return (file.type().isPresent() ? constants : models).containsKey(file.name().text());
    }

    /** Returns whether the profile sets a flag, such as {@code strict}. */
    boolean sets(String flag) {
        return "true".equals(values.get(flag));
    }

    OptionalDouble limit(String key) {
        Double value = limits.get(key);
        return value == null ? OptionalDouble.empty() : OptionalDouble.of(value);
    }

    OptionalInt count(String key) {
        Double value = limits.get(key);
        return value == null ? OptionalInt.empty() : OptionalInt.of(value.intValue());
    }
}
