package org.crabro.container;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.container.component.PackageComponents;
import org.crabro.container.llm.ModelComponents;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbedderSettings;
import org.crabro.ranking.onnx.RankModels;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The parts of an application in addition to its model: embedders, models of global phases, and
 * instances of its components. Its creator closes or releases it.
 */
final class ApplicationParts {
    private static final Logger LOG = LoggerFactory.getLogger(ApplicationParts.class);

    private final ApplicationModel model;
    private final Map<String, LateEmbedder> embedders;
    private final RankModels ranking;
    private final PackageComponents components;

    private ApplicationParts(
            ApplicationModel model,
            Map<String, LateEmbedder> embedders,
            RankModels ranking,
            PackageComponents components) {
        this.model = model;
        this.embedders = Map.copyOf(embedders);
        this.ranking = ranking;
        this.components = components;
    }

    /**
     * Creates the parts of {@code model}.
     *
     * @param models loads the model of an embedder
     * @param rankModels counts the models that are loaded for global phases
     * @param loadsModels whether to load every model and to check its types; otherwise a model is
     *     loaded on first use, and its types were checked at deployment
     * @param builtIn makes the components whose classes are part of the server
     * @throws RuntimeException if a model cannot be loaded or a component cannot be created;
     *     everything is closed then
     */
    static ApplicationParts make(
            ApplicationModel model,
            Function<EmbedderSettings, Embedder> models,
            AtomicInteger rankModels,
            boolean loadsModels,
            ModelComponents builtIn) {
        var embedders = new HashMap<String, LateEmbedder>();
        for (ContainerCluster cluster : model.services().containers()) {
            for (EmbedderComponent component : cluster.embedders()) {
                embedders.put(
                        component.id(),
                        new LateEmbedder(() -> models.apply(component.settings()), !loadsModels));
            }
        }
        RankModels ranking =
                RankModels.forContainer(
                        model.everySchema()
                                .flatMap(schema -> schema.rankProfiles().values().stream())
                                .flatMap(profile -> profile.containerModels().stream())
                                .toList(),
                        rankModels);
        try {
            if (loadsModels) {
                embedders.values().forEach(LateEmbedder::load);
            }
            return new ApplicationParts(
                    model, embedders, ranking, PackageComponents.make(model.services(), builtIn));
        } catch (RuntimeException e) {
            ranking.retire();
            embedders.values().forEach(LateEmbedder::close);
            throw e;
        }
    }

    ApplicationModel model() {
        return model;
    }

    /** Returns the embedders by the id of their component. */
    Map<String, Embedder> embedders() {
        return Map.copyOf(embedders);
    }

    RankModels ranking() {
        return ranking;
    }

    PackageComponents components() {
        return components;
    }

    /**
     * Loads the embedders that are not loaded yet. Logs a failure: requests that need this model
     * get the same error, and the process serves all other requests.
     */
    void loadModels() {
        embedders.forEach((id, embedder) -> {
            try {
                embedder.load();
            } catch (RuntimeException e) {
                LOG.error("the model of component {} cannot be loaded", id, e);
            }
        });
    }

    /** Closes components, then models. */
    void close() {
        components.close();
        ranking.retire();
        embedders.values().forEach(LateEmbedder::close);
    }

    /**
     * Closes everything on a thread of its own. Otherwise the last request of a generation would
     * close it, and other requests would wait for the processor of that request.
     */
    void release() {
        if (!embedders.isEmpty() || !components.isEmpty() || !ranking.isEmpty()) {
            Thread.ofPlatform().name("letting-go").start(this::close);
        }
    }
}
