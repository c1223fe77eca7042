package org.crabro.config.queryprofile;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.crabro.config.application.ApplicationName;
import org.crabro.tensor.TensorType;
import org.jspecify.annotations.Nullable;

/**
 * All query profiles of a package. Immutable.
 *
 * {@snippet :
 * ResolvedProfile values = profiles.resolve("default", request::get).orElseThrow();
 * }
 */
public final class QueryProfiles {
    /** Those of a package that has none. */
    public static final QueryProfiles NONE =
            new QueryProfiles(new TreeMap<>(), new TreeMap<>(), ApplicationName.DEFAULT);

    private final SortedMap<VersionedId, QueryProfile> profiles;
    private final SortedMap<VersionedId, QueryProfileType> types;
    private final ApplicationName name;

    QueryProfiles(
            SortedMap<VersionedId, QueryProfile> profiles,
            SortedMap<VersionedId, QueryProfileType> types,
            ApplicationName name) {
        this.profiles = Collections.unmodifiableSortedMap(new TreeMap<>(profiles));
        this.types = Collections.unmodifiableSortedMap(new TreeMap<>(types));
        this.name = name;
    }

    /**
     * Returns the values of a profile for a request, or empty if there is no such profile.
     *
     * @param id with a full version, or with a partial or no version for the highest match
     * @param request the values of the request by name, used to select variants and to expand texts
     */
    public Optional<ResolvedProfile> resolve(
            String id, Function<String, Optional<String>> request) {
        return profileOrAbove(id).map(profile -> ProfileResolver.resolve(this, profile, request));
    }

    /**
     * Returns the types that profile types declare for rank inputs, by name, such as {@code q} for
     * a field {@code ranking.features.query(q)}.
     */
    public Map<String, TensorType> rankInputs() {
        var inputs = new LinkedHashMap<String, TensorType>();
        for (QueryProfileType type : types.values()) {
            for (QueryProfileType.Field field : type.fields().values()) {
                if (field.type() instanceof ValueType.Tensor(TensorType tensor)) {
                    inputName(field.name()).ifPresent(name -> inputs.putIfAbsent(name, tensor));
                }
            }
        }
        return inputs;
    }

    /** Returns {@code q} for {@code ranking.features.query(q)} and its short forms. */
    static Optional<String> inputName(String field) {
        String feature = field;
        for (String prefix : new String[] {"ranking.features.", "rankfeature.", "input."}) {
            if (field.startsWith(prefix)) {
                feature = field.substring(prefix.length());
            }
        }
        return feature.startsWith("query(") && feature.endsWith(")")
                ? Optional.of(feature.substring("query(".length(), feature.length() - 1))
                : Optional.empty();
    }

    /** Where a type matches paths, {@code a} is taken for {@code a/b}. */
    private Optional<QueryProfile> profileOrAbove(String id) {
        Optional<QueryProfile> profile = profile(id);
        int slash = id.lastIndexOf('/');
        while (profile.isEmpty() && slash > 0) {
            profile =
                    profile(id.substring(0, slash))
                            .filter(above ->
                                    above.type()
                                            .flatMap(this::type)
                                            .filter(QueryProfileType::matchesPath)
                                            .isPresent());
            slash = id.lastIndexOf('/', slash - 1);
        }
        return profile;
    }

    /**
     * Returns the value of a dimension that depends on the deployment, such as {@code environment};
     * empty for all other dimensions, whose values come from the request.
     */
    public Optional<String> here(String dimension) {
        return switch (dimension) {
            case "environment" -> Optional.of("prod");
            case "region" -> Optional.of("default");
            case "instance" -> Optional.of(name.instance());
            case "application" -> Optional.of(name.application());
            default -> Optional.empty();
        };
    }

    /**
     * Returns whether a profile of {@code type} is valid where a profile of {@code expected} is
     * required.
     */
    public boolean accepts(ValueType.Profile expected, Optional<QueryProfileType> type) {
        Optional<QueryProfileType> needed = expected.type().flatMap(this::type);
        return needed.isEmpty() || type.filter(each -> each.isA(needed.get().id())).isPresent();
    }

    Optional<QueryProfile> profile(String id) {
        return find(profiles, id);
    }

    Optional<QueryProfileType> type(String id) {
        return find(types, id);
    }

    /**
     * Returns the highest version that {@code id} matches: {@code mail} matches all, {@code mail:1}
     * matches {@code 1.x}. A version with a qualifier is found only by its full id.
     */
    static <T> Optional<T> find(SortedMap<VersionedId, T> all, String id) {
        Optional<VersionedId> asked = all.isEmpty() ? Optional.empty() : VersionedId.of(id);
        if (asked.isEmpty()) {
            return Optional.empty();
        }
        return all
                .subMap(asked.get(), VersionedId.behind(id))
                .sequencedEntrySet()
                .reversed()
                .stream()
                .filter(each -> each.getKey().qualifier().equals(asked.get().qualifier()))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof QueryProfiles that
                && profiles.equals(that.profiles)
                && types.equals(that.types)
                && name.equals(that.name);
    }

    @Override
    public int hashCode() {
        return Objects.hash(profiles, types, name);
    }

    @Override
    public String toString() {
        return "QueryProfiles" + profiles.keySet();
    }
}
