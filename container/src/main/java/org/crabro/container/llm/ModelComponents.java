package org.crabro.container.llm;

import org.crabro.component.Component;
import org.crabro.container.secret.Secrets;

/** Creates the components of packages whose classes are part of the server. */
public final class ModelComponents {
    private final ModelCalls calls;
    private final Secrets secrets;

    /**
     * @param calls limits the calls of all models
     */
    public ModelComponents(ModelCalls calls, Secrets secrets) {
        this.calls = calls;
        this.secrets = secrets;
    }

    /**
     * Creates a component.
     *
     * @param className as in services.xml
     * @throws IllegalArgumentException if its configuration is wrong
     */
    public Component make(String className, ModelContext context) {
        return switch (className) {
            case "ai.vespa.llm.clients.OpenAI" ->
                    new OpenAiModel(context, calls.settings(), secrets);
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
