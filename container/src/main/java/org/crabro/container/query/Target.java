package org.crabro.container.query;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.config.schema.Phases;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.crabro.container.query.SearchedApplication.Place;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SummarySettings;

/**
 * A document type that a query searches, and how its hits are ranked and shown.
 *
 * @param place the document type and its content cluster
 * @param missingSummary the document summary that the request names and the schema lacks
 */
public record Target(
        Place place,
        Scope scope,
        Ranking ranking,
        SummarySettings summary,
        Optional<String> missingSummary) {
    /** The rank profile that every schema has and that computes nothing. */
    private static final String UNRANKED = "unranked";

    /**
     * How the hits of a target are ranked.
     *
     * @param profile the rank profile that the request names
     * @param settings the inputs and limits that the request sets for content nodes
     * @param global the global phase with the limits of the request; empty if it does not run
     * @param warnings about the inputs of the request
     */
    public record Ranking(
            RankProfile profile,
            RankSettings settings,
            Optional<Phases.Global> global,
            List<String> warnings) {
        public Ranking {
            warnings = List.copyOf(warnings);
        }
    }

    /** Returns the id of the content cluster. */
    public String cluster() {
        return place.cluster();
    }

    /** Returns the schema of the document type. */
    public Schema schema() {
        return place.schema();
    }

    /** Returns how the cluster stores the document type. */
    public Mode mode() {
        return place.mode();
    }

    /** Returns the same target with other settings of ranking. */
    public Target with(RankSettings settings) {
        return with(new Ranking(ranking.profile, settings, ranking.global, ranking.warnings));
    }

    /** Returns the same target in another scope. */
    public Target with(Scope other) {
        return new Target(place, other, ranking, summary, missingSummary);
    }

    private Target with(Ranking other) {
        return new Target(place, scope, other, summary, missingSummary);
    }

    /** Returns the same target without ranking, whose hits contain one more field. */
    Target lookingUp(String field) {
        var settings =
                new RankSettings(
                        UNRANKED,
                        Map.of(),
                        RankSettings.Statistics.NONE,
                        ranking.settings.nowSeconds());
        return new Target(
                place,
                scope,
                new Ranking(ranking.profile, settings, Optional.empty(), List.of()),
                summary.withBesides(List.of(field)),
                missingSummary);
    }
}
