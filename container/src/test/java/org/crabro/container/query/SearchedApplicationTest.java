package org.crabro.container.query;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster.SearchApi;
import org.crabro.config.services.ContentCluster;
import org.crabro.config.services.ContentCluster.ResourceLimits;
import org.crabro.config.services.Services;
import org.crabro.ranking.onnx.RankModels;
import org.crabro.ranking.significance.SignificanceModels;
import org.junit.jupiter.api.Test;

class SearchedApplicationTest {
    @Test
    void usesTheLongestTimeoutOfItsClusters() {
        SearchedApplication application =
                application(
                        cluster("a", Optional.of(Duration.ofSeconds(1))),
                        cluster("b", Optional.of(Duration.ofSeconds(3))),
                        cluster("c", Optional.empty()));

        assertThat(application.defaultTimeout()).contains(Duration.ofSeconds(3));
        assertThat(application(cluster("c", Optional.empty())).defaultTimeout()).isEmpty();
    }

    @Test
    void knowsItsSearchChainsAndThoseThatAreAlwaysThere() {
        SearchedApplication application = application();

        assertThat(List.of("mine", "default", "vespa", "native"))
                .allMatch(application::hasSearchChain);
        assertThat(application.hasSearchChain("other")).isFalse();
    }

    private static ContentCluster cluster(String id, Optional<Duration> queryTimeout) {
        return new ContentCluster(id, List.of(), ResourceLimits.NONE, queryTimeout);
    }

    private static SearchedApplication application(ContentCluster... clusters) {
        return new SearchedApplication(
                new ApplicationModel(1, new Services(List.of(), List.of(clusters)), Map.of()),
                List.of(new SearchApi(Set.of("mine"), List.of(), SignificanceModels.NONE)),
                Map.of(),
                RankModels.none());
    }
}
