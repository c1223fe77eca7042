package org.crabro.container.llm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.component.Config;

/**
 * The configuration of a searcher that answers with a language model.
 *
 * @param prefix of the parameters for the model, without its dot
 * @param isStreamed whether tokens are sent as they are generated, unless a request says otherwise
 * @param prompt the prompt of requests that contain none
 */
record AnswerSettings(
        NamedModel model, String prefix, boolean isStreamed, Optional<String> prompt) {
    static final String CONFIG = "ai.vespa.search.llm.llm-searcher";

    private static final int TEMPLATE_BYTES_MAX = 1 << 20;

    /**
     * Reads the configuration of a searcher.
     *
     * @throws IllegalArgumentException if it is wrong
     */
    static AnswerSettings of(ModelContext context) {
        Config config = context.config(CONFIG);
        return new AnswerSettings(
                model(config.text("providerId", ""), context),
                config.text("propertyPrefix", "llm"),
                config.truth("stream", true),
                Optional.of(config.text("prompt", ""))
                        .filter(text -> !text.isBlank())
                        .or(() -> template(config.text("promptTemplate", ""), context)));
    }

    /** Returns the model with an id, or the first of the cluster. */
    static NamedModel model(String id, ModelContext context) {
        if (!id.isBlank()) {
            return context.model(id);
        }
        return context.firstModel()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "there is no language model; expected a component such as ai.vespa.llm.clients.OpenAI in the same container"));
    }

    /**
     * Returns the content of a file of the package; empty if the configuration names none.
     *
     * @throws IllegalArgumentException if the package has no such file, or it is no text in UTF-8
     */
    static Optional<String> template(String path, ModelContext context) {
        if (path.isBlank()) {
            return Optional.empty();
        }
        Path file =
                context.file(path)
                        .orElseThrow(() ->
                                new IllegalArgumentException(
                                        "promptTemplate: the package has no file '%s'"
                                                .formatted(path)));
        try {
            if (Files.size(file) > TEMPLATE_BYTES_MAX) {
                throw new IllegalArgumentException(
                        "promptTemplate: '%s' has more than %,d bytes"
                                .formatted(path, TEMPLATE_BYTES_MAX));
            }
            return Optional.of(Files.readString(file));
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "promptTemplate: '%s' cannot be read as UTF-8: %s"
                            .formatted(path, e.getMessage()),
                    e);
        }
    }
}
