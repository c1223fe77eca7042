package org.crabro.config.component;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.crabro.component.Component;
import org.crabro.component.FieldGenerator;
import org.crabro.component.LanguageModel;
import org.crabro.component.Searcher;

/** The classes of Vespa that are part of the server, and the configs that they read. */
public final class BuiltInComponents {
    /** The handler of Vespa with tools for language models. */
    public static final String TOOLS = "ai.vespa.mcp.McpJdiscHandler";

    private static final String CLIENT = "ai.vespa.llm.clients.llm-client";
    private static final String SEARCHER = "ai.vespa.search.llm.llm-searcher";

    private static final String GENERATOR =
            "ai.vespa.llm.generation.language-model-field-generator";

    private static final Map<String, BuiltIn> CLASSES =
            Map.of(
                    "ai.vespa.llm.clients.OpenAI",
                    new BuiltIn(LanguageModel.class, CLIENT),
                    "ai.vespa.llm.generation.LanguageModelFieldGenerator",
                    new BuiltIn(FieldGenerator.class, GENERATOR),
                    "ai.vespa.search.llm.LLMSearcher",
                    new BuiltIn(Searcher.class, SEARCHER),
                    "ai.vespa.search.llm.RAGSearcher",
                    new BuiltIn(Searcher.class, SEARCHER));

    private static final Map<String, List<String>> FIELDS =
            Map.of(
                    CLIENT,
                    List.of(
                            "apiKeySecretRef",
                            "apiKeySecretName",
                            "endpoint",
                            "model",
                            "temperature",
                            "maxTokens",
                            "reasoningEffort"),
                    GENERATOR,
                    List.of(
                            "providerId",
                            "promptTemplate",
                            "promptTemplateFile",
                            "responseFormatType",
                            "invalidResponseFormatPolicy"),
                    SEARCHER,
                    List.of("providerId", "propertyPrefix", "stream", "prompt", "promptTemplate"));

    private BuiltInComponents() {}

    /**
     * A class of the server.
     *
     * @param type the interface that it implements
     * @param config the name of the config that it reads
     */
    private record BuiltIn(Class<? extends Component> type, String config) {}

    /** Returns the interface that a class of the server implements; empty for other classes. */
    public static Optional<Class<? extends Component>> type(String className) {
        return Optional.ofNullable(CLASSES.get(className)).map(BuiltIn::type);
    }

    /** Returns the name of the config that a class of the server reads. */
    public static Optional<String> config(String className) {
        return Optional.ofNullable(CLASSES.get(className)).map(BuiltIn::config);
    }

    /** Returns the values that a config of a class of the server may have. */
    public static List<String> fields(String config) {
        return FIELDS.getOrDefault(config, List.of());
    }
}
