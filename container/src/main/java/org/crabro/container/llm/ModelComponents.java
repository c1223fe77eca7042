package org.crabro.container.llm;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.component.Component;
import org.crabro.component.Config;
import org.crabro.config.application.Notice;
import org.crabro.config.component.OwnComponent;
import org.crabro.config.services.ContainerCluster;
import org.crabro.container.service.ServiceRules;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates the components of packages whose classes are part of the server. */
public final class ModelComponents {
    private static final Logger LOG = LoggerFactory.getLogger(ModelComponents.class);
    private static final String CLIENT = "ai.vespa.llm.clients.OpenAI";

    private final ModelCalls calls;
    private final ServiceRules services;

    /**
     * @param calls limits the calls of all models
     * @param services what the operator allows clients of services
     */
    public ModelComponents(ModelCalls calls, ServiceRules services) {
        this.calls = calls;
        this.services = services;
    }

    /**
     * Creates a component.
     *
     * @param className as in services.xml
     * @throws IllegalArgumentException if its configuration is wrong
     */
    public Component make(String className, ModelContext context) {
        return switch (className) {
            case CLIENT -> client(context);
            case "ai.vespa.llm.generation.LanguageModelFieldGenerator" ->
                    new ModelFieldGenerator(context, calls);
            case "ai.vespa.search.llm.LLMSearcher" ->
                    new PromptSearcher(new AnswerStart(AnswerSettings.of(context), calls));
            case "ai.vespa.search.llm.RAGSearcher" ->
                    new RagSearcher(new AnswerStart(AnswerSettings.of(context), calls));
            default -> throw new IllegalArgumentException(className + " is no class of the server");
        };
    }

    private OpenAiModel client(ModelContext context) {
        String id = context.id();
        var client =
                new OpenAiModel(
                        context,
                        calls.settings(),
                        services,
                        usage -> calls.meters().tokens(id, usage));
        OpenAiModel.refusal(context.config(OpenAiModel.CONFIG), services.hosts())
                .ifPresent(reason -> LOG.warn("component '{}' cannot call: {}", id, reason));
        return client;
    }

    /**
     * Returns a warning for each client of a cluster whose service the operator does not allow. The
     * package is deployed, because everything works that needs no answer of a language model.
     */
    public List<Notice> notices(ContainerCluster cluster) {
        var notices = new ArrayList<Notice>();
        for (OwnComponent component : cluster.own().components()) {
            if (component.className().equals(CLIENT)) {
                refusal(component)
                        .ifPresent(reason ->
                                notices.add(
                                        new Notice(
                                                Notice.Level.WARNING,
                                                "container '%s', component '%s': %s; until then, its calls fail"
                                                        .formatted(
                                                                cluster.id(),
                                                                component.id(),
                                                                reason))));
            }
        }
        return notices;
    }

    private Optional<String> refusal(OwnComponent component) {
        Config config = component.configs().getOrDefault(OpenAiModel.CONFIG, Config.NONE);
        try {
            return OpenAiModel.refusal(config, services.hosts());
        } catch (IllegalArgumentException _) {
            // The deployment rejects the endpoint when it makes the component.
            return Optional.empty();
        }
    }
}
