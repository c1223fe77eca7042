package org.crabro.config.validation;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.crabro.config.application.Findings;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.ContainerCluster.SearchApi;

/** Checks that a significance model exists if a rank profile uses one. */
public final class SignificanceCheck {
    private SignificanceCheck() {}

    /**
     * Warns of each profile that uses a significance model if a container cluster searches and no
     * container cluster has a model.
     */
    public static void check(
            Collection<ContainerCluster> containers,
            Map<String, Schema> schemas,
            Findings findings) {
        List<SearchApi> searches =
                containers.stream().flatMap(cluster -> cluster.search().stream()).toList();
        boolean lacksModels =
                !searches.isEmpty()
                        && searches.stream()
                                .allMatch(each -> each.significance().languages().isEmpty());
        if (!lacksModels) {
            return;
        }
        new TreeMap<>(schemas)
                .forEach((name, schema) ->
                        new TreeMap<>(schema.rankProfiles())
                                .values().stream()
                                        .filter(rankProfile -> rankProfile.settings().usesModel())
                                        .forEach(profile ->
                                                findings.warn(told(name, profile.name()))));
    }

    private static String told(String schema, String profile) {
        return "schema '%s': use-model of rank profile '%s' needs a significance model, and there is none: its queries will be refused; name one in services.xml, as in %s"
                .formatted(
                        schema,
                        profile,
                        "<search><significance><model path=\"models/en.json\"/></significance></search>");
    }
}
