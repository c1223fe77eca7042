package org.crabro.container.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SummarySettings;

/**
 * A document type that a query searches, and what it searches it with.
 *
 * @param cluster the content cluster's id
 * @param profile the one that {@code ranking} names
 * @param global the global phase, as the request has it
 */
public record Target(
        String cluster,
        Schema schema,
        Mode mode,
        Scope scope,
        RankProfile profile,
        RankSettings ranking,
        Optional<Phases.Global> global,
        SummarySettings summary) {
    /** The rank profile that every schema has and that computes nothing. */
    private static final String UNRANKED = "unranked";

    /** Returns the same type, ranked otherwise. */
    public Target with(RankSettings other) {
        return new Target(cluster, schema, mode, scope, profile, other, global, summary);
    }

    /** Returns the same type in another scope. */
    public Target with(Scope other) {
        return new Target(cluster, schema, mode, other, profile, ranking, global, summary);
    }

    /** Returns the same type for hits that bring a field besides, and are not ranked. */
    Target lookingUp(String field) {
        return new Target(
                cluster,
                schema,
                mode,
                scope,
                profile,
                new RankSettings(
                        UNRANKED, Map.of(), RankSettings.Statistics.NONE, ranking.nowSeconds()),
                Optional.empty(),
                summary.withBesides(List.of(field)));
    }
}
