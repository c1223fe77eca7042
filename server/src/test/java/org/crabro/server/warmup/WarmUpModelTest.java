package org.crabro.server.warmup;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.queryprofile.QueryProfiles;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.EmbedderSource;
import org.crabro.config.services.ServiceEmbedderSettings;
import org.crabro.config.services.ServiceEmbedderSettings.Access;
import org.crabro.config.services.ServiceEmbedderSettings.Model;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.config.services.ServiceEmbedderSettings.Service;
import org.crabro.config.services.Services;
import org.crabro.ranking.onnx.TextPrefixes;
import org.junit.jupiter.api.Test;

class WarmUpModelTest {
    @Test
    void hasNoEmbedderThatCallsANetworkService() {
        var service =
                new ServiceEmbedderSettings(
                        Service.OPENAI,
                        new Model("small", 8, Quantization.AUTO, true),
                        new Access(Service.OPENAI.endpoint(), Optional.empty()),
                        new TextPrefixes("", ""),
                        1);
        var cluster =
                new ContainerCluster(
                        "default",
                        true,
                        true,
                        List.of(
                                new EmbedderComponent(
                                        "remote", new EmbedderSource.OfService(service))));
        ApplicationModel builtIn = WarmUpModel.builtIn();

        ApplicationModel model =
                WarmUpModel.of(
                        new ApplicationModel(
                                1,
                                new Services(List.of(cluster), builtIn.services().contents()),
                                builtIn.schemas(),
                                QueryProfiles.NONE));

        assertThat(model.schemas()).isNotEmpty();
        assertThat(model.services().containers())
                .hasSize(1)
                .allMatch(each -> each.embedders().isEmpty());
    }
}
