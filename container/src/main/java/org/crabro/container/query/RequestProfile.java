package org.crabro.container.query;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.queryprofile.QueryProfileType;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.queryprofile.ResolvedProfile;
import org.crabro.config.queryprofile.ValueType;
import org.jspecify.annotations.Nullable;

/**
 * The query profile of a request. The request overrides the values of the profile.
 *
 * @param name the id of the profile, if there is one
 * @param parameters those of the request over those of the profile
 * @param ofProfile those of the profile alone
 */
public record RequestProfile(Optional<String> name, Parameters parameters, Parameters ofProfile) {
    private static final String DEFAULT = "default";
    private static final String REFERENCE = "ref:";

    /**
     * Chooses the profile that the request names, or the one called {@code default} if it exists.
     *
     * @throws IllegalQueryException if there is no such profile, or its type does not allow a value
     *     of the request
     */
    public static RequestProfile of(QueryProfiles profiles, Parameters request) {
        Optional<String> asked = request.text(Parameter.QUERY_PROFILE);
        Optional<ResolvedProfile> profile =
                profiles.resolve(asked.orElse(DEFAULT), name -> value(profiles, request, name));
        if (profile.isEmpty()) {
            if (asked.isPresent() && !asked.get().equals(DEFAULT)) {
                throw illegal("there is no query profile '" + asked.get() + "'");
            }
            return new RequestProfile(Optional.empty(), request, Parameters.NONE);
        }
        return over(profiles, profile.get(), request);
    }

    /** A request cannot choose the environment and the name of the application. */
    private static Optional<String> value(QueryProfiles profiles, Parameters request, String name) {
        return profiles.here(name).or(() -> request.named(name));
    }

    private static RequestProfile over(
            QueryProfiles profiles, ResolvedProfile profile, Parameters request) {
        Map<String, QueryProfileType.Field> types = new LinkedHashMap<>();
        profile.types().forEach((name, field) -> types.put(canonical(name), field));
        Parameters said = said(profile, types, request);
        Map<String, String> below = texts(profiles, profile, "", said);
        var all = new LinkedHashMap<>(below);
        said.values()
                .forEach((name, value) -> {
                    if (value.startsWith(REFERENCE) || isProfile(types.get(canonical(name)))) {
                        all.putAll(
                                referred(
                                        profiles,
                                        name,
                                        value,
                                        Optional.ofNullable(types.get(canonical(name))),
                                        said));
                    } else {
                        // If a value has several names, the last one counts.
                        all.remove(canonical(name));
                        all.remove(name);
                        all.put(name, value);
                    }
                });
        checkMandatory(profile, types, all);
        return new RequestProfile(
                Optional.of(profile.id()), new Parameters(all), new Parameters(below));
    }

    /** Returns the values that the request may set, by the names in the types. */
    private static Parameters said(
            ResolvedProfile profile,
            Map<String, QueryProfileType.Field> types,
            Parameters request) {
        Map<String, String> aliases = new HashMap<>();
        profile.types()
                .forEach((name, field) -> {
                    String prefix = name.substring(0, name.length() - field.name().length());
                    for (String alias : field.aliases()) {
                        aliases.put((prefix + alias).toLowerCase(Locale.ROOT), name);
                    }
                });
        var said = new LinkedHashMap<String, String>();
        request.values()
                .forEach((written, value) -> {
                    String name = aliases.getOrDefault(written.toLowerCase(Locale.ROOT), written);
                    if (isOverridable(profile, name)) {
                        check(profile, types, name, value);
                        said.put(name, value);
                    }
                });
        return new Parameters(said);
    }

    /**
     * Returns the texts of a profile by the one name of each, the nearest of those that have it.
     *
     * @param prefix the name of the profile in its parent, with a dot; may be empty
     */
    private static Map<String, String> texts(
            QueryProfiles profiles, ResolvedProfile profile, String prefix, Parameters request) {
        var texts = new LinkedHashMap<String, String>();
        try {
            profile.texts(name -> value(profiles, request, name))
                    .forEach((name, text) -> texts.putIfAbsent(canonical(prefix + name), text));
        } catch (IllegalArgumentException e) {
            throw illegal(String.valueOf(e.getMessage()));
        }
        return texts;
    }

    private static boolean isOverridable(ResolvedProfile profile, String name) {
        return profile.isOverridable(name) && profile.isOverridable(canonical(name));
    }

    private static boolean isProfile(QueryProfileType.@Nullable Field field) {
        return field != null && field.type() instanceof ValueType.Profile;
    }

    /** Returns the values of a profile to which a request refers by a name. */
    private static Map<String, String> referred(
            QueryProfiles profiles,
            String name,
            String value,
            Optional<QueryProfileType.Field> declared,
            Parameters request) {
        String id = value.startsWith(REFERENCE) ? value.substring(REFERENCE.length()) : value;
        ResolvedProfile profile =
                profiles.resolve(id, other -> value(profiles, request, other))
                        .orElseThrow(() ->
                                illegal(
                                        "Could not set '%s': there is no query profile '%s'"
                                                .formatted(name, id)));
        if (declared.isPresent()
                && declared.get().type() instanceof ValueType.Profile expected
                && !profiles.accepts(expected, profile.type())) {
            throw illegal(
                    "Could not set '%s': expected a value of type %s but found '%s', which %s"
                            .formatted(
                                    name,
                                    expected.shown(),
                                    id,
                                    profile.type()
                                            .map(type -> "is of type '" + type.id() + "'")
                                            .orElse("has no type")));
        }
        return texts(profiles, profile, name + ".", request);
    }

    private static void check(
            ResolvedProfile profile,
            Map<String, QueryProfileType.Field> types,
            String name,
            String value) {
        QueryProfileType.Field field = types.get(canonical(name));
        if (field != null) {
            boolean isReference = value.startsWith(REFERENCE);
            String text = isReference ? value.substring(REFERENCE.length()) : value;
            if (!field.type().accepts(text.strip())) {
                throw illegal(
                        "Could not set '%s': expected a value of type %s but found '%s'"
                                .formatted(name, field.type().shown(), value));
            }
            return;
        }
        Optional<QueryProfileType> below = profile.strictBelow(name);
        if (below.isPresent()) {
            throw unknown(name, below.get());
        }
        Optional<QueryProfileType> strict = profile.type().filter(QueryProfileType::isStrict);
        boolean isPermitted =
                strict.isEmpty()
                        || Parameter.named(name)
                                .filter(own ->
                                        strict.get().isNative() || own == Parameter.QUERY_PROFILE)
                                .isPresent()
                        || types.keySet().stream()
                                .anyMatch(declared -> name.startsWith(declared + "."));
        if (!isPermitted) {
            throw unknown(name, strict.get());
        }
    }

    private static IllegalQueryException unknown(String name, QueryProfileType type) {
        return illegal(
                "Could not set '%s': it is not in query profile type '%s', which is strict"
                        .formatted(name, type.id()));
    }

    private static void checkMandatory(
            ResolvedProfile profile,
            Map<String, QueryProfileType.Field> types,
            Map<String, String> all) {
        Parameters given = new Parameters(all);
        types.forEach((name, field) -> {
            boolean isThere =
                    given.named(name).isPresent()
                            || all.keySet().stream()
                                    .map(RequestProfile::canonical)
                                    .anyMatch(each ->
                                            each.equals(name) || each.startsWith(name + "."));
            // A field is mandatory only if its parent exists.
            boolean isAsked = name.equals(canonical(field.name()));
            if (field.isMandatory() && isAsked && !isThere) {
                throw illegal(
                        "query profile '%s': '%s' is mandatory, and neither the profile nor the"
                                        .formatted(profile.id(), field.name())
                                + " request sets it");
            }
        });
    }

    /** Returns the canonical name of a value with several names. */
    private static String canonical(String name) {
        Optional<Parameter> own = Parameter.named(name);
        if (own.isPresent()) {
            return own.get().shown();
        }
        return InputReader.feature(name).map(feature -> "ranking.features." + feature).orElse(name);
    }

    private static IllegalQueryException illegal(String problem) {
        return new IllegalQueryException(ErrorCode.ILLEGAL_QUERY, problem);
    }
}
