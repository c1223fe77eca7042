package org.crabro.config.services;

import java.net.URI;
import java.util.Locale;
import java.util.Optional;
import org.crabro.ranking.onnx.TextPrefixes;

/**
 * The settings of an embedder whose embeddings a network service computes.
 *
 * @param batchTexts the texts of a request at most
 */
public record ServiceEmbedderSettings(
        Service service, Model model, Access access, TextPrefixes prefixes, int batchTexts) {
    /** The interfaces of services. */
    public enum Service {
        OPENAI("https://api.openai.com/v1/embeddings"),
        MISTRAL("https://api.mistral.ai/v1/embeddings"),
        VOYAGE("https://api.voyageai.com/v1/embeddings");

        private final URI endpoint;

        Service(String endpoint) {
            this.endpoint = URI.create(endpoint);
        }

        /** Returns the address that a component uses that names none. */
        public URI endpoint() {
            return endpoint;
        }
    }

    /** The form of the values that the service sends. */
    public enum Quantization {
        /** The form that fits the type of the embedding. */
        AUTO,
        FLOAT,
        INT8,
        /** A bit for each dimension, eight of them in a cell of type int8. */
        BINARY;

        /** Returns its name in services.xml. */
        public String text() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * The model of the service.
     *
     * @param name as the service calls it
     * @param dimensions the number of values of an embedding, before they are packed
     * @param truncates whether the service cuts texts that are too long; otherwise it rejects them
     */
    public record Model(
            String name, int dimensions, Quantization quantization, boolean truncates) {}

    /**
     * How the service is called.
     *
     * @param secret the name of the secret with the key
     */
    public record Access(URI endpoint, Optional<String> secret) {}
}
