package org.crabro.component;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * A request to a language model. Immutable.
 *
 * @param prompt the text for the model
 * @param options the parameters of the request for the model, such as {@code temperature}, by name
 *     without prefix. They override the configuration of the model
 * @param apiKey the key in the request of the client; empty for the key of the configuration
 * @param timeout the remaining time; above zero
 * @param isStreamed whether the client reads parts of the text before it is complete
 */
public record ModelRequest(
        String prompt,
        Map<String, String> options,
        Optional<String> apiKey,
        Duration timeout,
        boolean isStreamed) {
    public ModelRequest {
        options = Map.copyOf(options);
    }

    /** Returns a text without the key and the prompt, for messages. */
    @Override
    public String toString() {
        return "a prompt of %,d characters with %s".formatted(prompt.length(), options);
    }
}
