package org.crabro.container;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.services.ContainerCluster;
import org.crabro.config.services.EmbedderComponent;
import org.crabro.config.services.EmbedderSource;
import org.crabro.config.services.ServiceEmbedderSettings;
import org.crabro.container.component.PackageComponents;
import org.crabro.container.embedding.ServiceEmbedder;
import org.crabro.container.llm.ModelComponents;
import org.crabro.container.model.ApplicationModels;
import org.crabro.container.service.ServiceClient;
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
    private final Map<String, Embedder> cached;
    private final RankModels ranking;
    private final Map<String, ApplicationModels> served;
    private final PackageComponents components;

    private ApplicationParts(
            ApplicationModel model,
            Map<String, LateEmbedder> embedders,
            RankModels ranking,
            Map<String, ApplicationModels> served,
            PackageComponents components,
            Models models) {
        this.model = model;
        this.embedders = Map.copyOf(embedders);
        var cached = new HashMap<String, Embedder>();
        embedders.forEach((id, embedder) -> cached.put(id, models.served(id, embedder)));
        this.cached = Map.copyOf(cached);
        this.ranking = ranking;
        this.served = Map.copyOf(served);
        this.components = components;
    }

    /**
     * How models are loaded.
     *
     * @param embedders loads the model of an embedder
     * @param services calls the services of other embedders
     * @param counted the number of models that are loaded for global phases
     * @param registry gets the latencies of embedders
     */
    record Models(
            Function<EmbedderSettings, Embedder> embedders,
            ServiceClient services,
            AtomicInteger counted,
            QueryEmbeddings cache,
            MeterRegistry registry) {
        private Embedder served(String id, Embedder embedder) {
            return cache.of(new MeasuredEmbedder(embedder, id, registry));
        }

        private Embedder embedder(EmbedderComponent component) {
            return switch (component.source()) {
                case EmbedderSource.OfModel(EmbedderSettings settings) -> embedders.apply(settings);
                case EmbedderSource.OfService(ServiceEmbedderSettings settings) ->
                        ServiceEmbedder.open(component.id(), settings, services);
            };
        }
    }

    /**
     * Creates the parts of {@code model}.
     *
     * @param loadsModels whether to load every model and to check its types; otherwise a model is
     *     loaded on first use, and its types were checked at deployment
     * @param builtIn makes the components whose classes are part of the server
     * @throws RuntimeException if a model cannot be loaded or a component cannot be created;
     *     everything is closed then
     */
    static ApplicationParts make(
            ApplicationModel model, Models models, boolean loadsModels, ModelComponents builtIn) {
        var embedders = new HashMap<String, LateEmbedder>();
        for (ContainerCluster cluster : model.services().containers()) {
            for (EmbedderComponent component : cluster.embedders()) {
                embedders.put(
                        component.id(),
                        new LateEmbedder(() -> models.embedder(component), !loadsModels));
            }
        }
        RankModels ranking =
                RankModels.forContainer(
                        model.everySchema()
                                .flatMap(schema -> schema.rankProfiles().values().stream())
                                .flatMap(profile -> profile.containerModels().stream())
                                .toList(),
                        models.counted);
        var served = new HashMap<String, ApplicationModels>();
        try {
            if (loadsModels) {
                embedders.values().forEach(LateEmbedder::load);
            }
            for (ContainerCluster cluster : model.services().containers()) {
                cluster.models()
                        .api()
                        .ifPresent(api ->
                                served.put(cluster.id(), ApplicationModels.open(api.models())));
            }
            return new ApplicationParts(
                    model,
                    embedders,
                    ranking,
                    served,
                    PackageComponents.make(
                            model.services(),
                            cluster ->
                                    Optional.ofNullable(served.get(cluster.id()))
                                            .orElseGet(ApplicationModels::none)
                                            .forComponents(),
                            builtIn),
                    models);
        } catch (RuntimeException e) {
            served.values().forEach(ApplicationModels::close);
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
        return cached;
    }

    /** Returns the embedders without the cache of query texts, whose calls are in no metric. */
    Map<String, Embedder> uncached() {
        return Map.copyOf(embedders);
    }

    RankModels ranking() {
        return ranking;
    }

    /** Returns the models that a cluster evaluates on request; empty if it evaluates none. */
    Optional<ApplicationModels> served(ContainerCluster cluster) {
        return Optional.ofNullable(served.get(cluster.id()));
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
        served.values().forEach(ApplicationModels::close);
        cached.values().forEach(Embedder::close);
    }

    /**
     * Closes everything on a thread of its own. Otherwise the last request of a generation would
     * close it, and other requests would wait for the processor of that request.
     */
    void release() {
        if (!embedders.isEmpty()
                || !components.isEmpty()
                || !ranking.isEmpty()
                || !served.isEmpty()) {
            Thread.ofPlatform().name("generation-end").start(this::close);
        }
    }
}
