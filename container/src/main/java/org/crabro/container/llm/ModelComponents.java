package org.crabro.container.llm;

import org.crabro.component.Component;
import org.crabro.container.service.ServiceRules;

/** Creates the components of packages whose classes are part of the server. */
public final class ModelComponents {
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
        String id = context.id();
        return switch (className) {
            case "ai.vespa.llm.clients.OpenAI" ->
                    new OpenAiModel(
                            context,
                            calls.settings(),
                            services,
                            usage -> calls.meters().tokens(id, usage));
            case "ai.vespa.llm.generation.LanguageModelFieldGenerator" ->
                    new ModelFieldGenerator(context, calls);
            case "ai.vespa.search.llm.LLMSearcher" ->
                    new PromptSearcher(new AnswerStart(AnswerSettings.of(context), calls));
            case "ai.vespa.search.llm.RAGSearcher" ->
                    new RagSearcher(new AnswerStart(AnswerSettings.of(context), calls));
            default -> throw new IllegalArgumentException(className + " is no class of the server");
        };
    }
}
