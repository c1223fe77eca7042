package org.crabro.config.queryprofile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.crabro.config.queryprofile.QueryProfile.Body;
import org.crabro.config.queryprofile.QueryProfile.Content;
import org.crabro.config.queryprofile.QueryProfile.Variant;

/**
 * Walks a profile, its parents and its references, the nearest first: variants that the request
 * matches, the parents of these variants, the profile's own values, the profile's parents.
 *
 * <p>{@link ProfileChecks} checks at deployment that the walk ends and limits the number of its
 * values.
 */
final class ProfileResolver {
    private final QueryProfiles profiles;
    private final Function<String, Optional<String>> request;
    private final Map<String, ResolvedProfile.Value> values = new LinkedHashMap<>();
    private final Map<String, Boolean> overridable = new HashMap<>();
    private final Map<String, QueryProfileType.Field> types = new LinkedHashMap<>();
    private final Map<String, QueryProfileType> typed = new HashMap<>();
    private final Set<VersionedId> hanging = new HashSet<>();

    private ProfileResolver(QueryProfiles profiles, Function<String, Optional<String>> request) {
        this.profiles = profiles;
        this.request = request;
    }

    static ResolvedProfile resolve(
            QueryProfiles profiles,
            QueryProfile profile,
            Function<String, Optional<String>> request) {
        var resolver = new ProfileResolver(profiles, request);
        resolver.walk(profile, "");
        return new ResolvedProfile(
                profile.id().name(),
                profile.type().flatMap(profiles::type),
                resolver.values,
                resolver.fixed(),
                resolver.types,
                resolver.typed);
    }

    /** The nearest word counts, of a profile before its type. */
    private Set<String> fixed() {
        var fixed = new HashSet<String>();
        overridable.forEach((name, is) -> {
            if (!is) {
                fixed.add(name);
            }
        });
        types.forEach((name, type) -> {
            if (!type.isOverridable() && !overridable.containsKey(name)) {
                fixed.add(name);
            }
        });
        return fixed;
    }

    private void walk(QueryProfile profile, String prefix) {
        profile.type()
                .flatMap(profiles::type)
                .ifPresent(type -> declare(type, prefix, new HashSet<>()));
        List<Variant> variants = new ArrayList<>();
        for (Variant variant : profile.variants()) {
            if (variant.matches(profile.dimensions(), this::dimension)) {
                variants.add(variant);
            }
        }
        for (Variant variant : variants) {
            own(variant.body(), prefix);
        }
        for (Variant variant : variants) {
            inherit(variant.body(), prefix);
        }
        own(profile.body(), prefix);
        inherit(profile.body(), prefix);
    }

    /** Where the application runs is no choice of the request. */
    private Optional<String> dimension(String name) {
        return profiles.here(name).or(() -> request.apply(name));
    }

    /** Types may contain themselves: below a name, one of them is declared once. */
    private void declare(QueryProfileType type, String prefix, Set<String> above) {
        // Types that refer to one another many times have more fields than anybody meant.
        if (types.size() > ProfileChecks.VALUES_MAX || !above.add(type.id())) {
            return;
        }
        typed.putIfAbsent(prefix, type);
        type.fields()
                .forEach((name, field) -> {
                    types.putIfAbsent(prefix + name, field);
                    if (field.type() instanceof ValueType.Profile(Optional<String> of)) {
                        of.flatMap(profiles::type)
                                .ifPresent(below -> declare(below, prefix + name + ".", above));
                    }
                });
        above.remove(type.id());
    }

    private void inherit(Body body, String prefix) {
        for (String parent : body.inherits()) {
            profiles.profile(parent).ifPresent(parentProfile -> walk(parentProfile, prefix));
        }
    }

    private void own(Body body, String prefix) {
        body.fields()
                .forEach((name, field) -> {
                    String full = prefix + name;
                    field.isOverridable().ifPresent(is -> overridable.putIfAbsent(full, is));
                    switch (field.content()) {
                        case Content.Text(TextTemplate text) -> text(full, prefix, text);
                        case Content.Reference(String id) ->
                                profiles.profile(id)
                                        .ifPresent(profile -> walk(profile, full + "."));
                    }
                });
    }

    /**
     * Adds a text value. If the type declares a query profile, the text is the id of that profile.
     */
    private void text(String name, String prefix, TextTemplate text) {
        QueryProfileType.Field declared = types.get(name);
        Optional<QueryProfile> below =
                declared != null && declared.type() instanceof ValueType.Profile
                        ? text.plain().flatMap(profiles::profile)
                        : Optional.empty();
        if (below.isPresent()) {
            hang(below.get(), name);
        } else {
            values.putIfAbsent(name, new ResolvedProfile.Value(text, prefix));
        }
    }

    /** Texts are no references to {@link ProfileChecks}, so that this way may lead in a circle. */
    private void hang(QueryProfile profile, String name) {
        if (hanging.add(profile.id())) {
            walk(profile, name + ".");
            hanging.remove(profile.id());
        }
    }
}
