package org.crabro.config.queryprofile;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.crabro.config.queryprofile.QueryProfile.Body;
import org.crabro.config.queryprofile.QueryProfile.Content;

/**
 * Checks the relations between profiles: no profile inherits or contains itself, and sizes are
 * limited.
 */
final class ProfileChecks {
    /** The maximum number of values of one profile, with its parents and references. */
    static final int VALUES_MAX = 10_000;

    private final QueryProfiles profiles;
    private final Map<String, Long> sizes = new HashMap<>();
    private final List<String> path = new ArrayList<>();
    private final Set<String> open = new HashSet<>();

    ProfileChecks(QueryProfiles profiles) {
        this.profiles = profiles;
    }

    /** Returns the problem of {@code profile}, or empty if it has none. */
    Optional<String> problem(QueryProfile profile) {
        try {
            long size = size(profile);
            return size > VALUES_MAX
                    ? Optional.of(
                            "it has %,d values with all that it inherits and refers to; at most %,d"
                                            .formatted(size, VALUES_MAX)
                                    + " are allowed")
                    : Optional.empty();
        } catch (CycleException e) {
            path.clear();
            open.clear();
            return Optional.of(String.valueOf(e.getMessage()));
        }
    }

    private long size(QueryProfile profile) throws CycleException {
        String id = profile.id().toString();
        Long computed = sizes.get(id);
        if (computed != null) {
            return computed;
        }
        path.add(profile.id().name());
        if (!open.add(id)) {
            throw new CycleException(
                    "it inherits or refers to itself: " + String.join(" -> ", path));
        }
        long size = 0;
        List<Body> bodies =
                Stream.concat(
                                Stream.of(profile.body()),
                                profile.variants().stream().map(QueryProfile.Variant::body))
                        .toList();
        for (Body body : bodies) {
            size += body.fields().size();
            for (String next : next(body)) {
                Optional<QueryProfile> parentProfile = profiles.profile(next);
                if (parentProfile.isPresent()) {
                    size += size(parentProfile.get());
                }
            }
        }
        path.removeLast();
        open.remove(id);
        // Limited so that sums do not overflow; larger sizes are all above the limit.
        size = Math.min(size, Integer.MAX_VALUE);
        sizes.put(id, size);
        return size;
    }

    private static List<String> next(Body body) {
        var next = new ArrayList<>(body.inherits());
        for (QueryProfile.Field field : body.fields().values()) {
            if (field.content() instanceof Content.Reference(String id)) {
                next.add(id);
            }
        }
        return next;
    }

    /** A cycle of profiles was found. */
    private static final class CycleException extends Exception {
        private static final long serialVersionUID = 1;

        CycleException(String message) {
            super(message);
        }
    }
}
