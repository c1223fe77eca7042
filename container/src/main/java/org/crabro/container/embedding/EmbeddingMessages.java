package org.crabro.container.embedding;

import java.io.StringWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.crabro.config.services.ServiceEmbedderSettings;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.ranking.onnx.Embedder.Purpose;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * The requests and answers of services that compute embeddings. All of them answer alike:
 *
 * <pre>
 *   {"data": [{"index": 0, "embedding": [0.1, -0.2]}]}
 * </pre>
 */
final class EmbeddingMessages {
    private static final JsonFactory JSON = new JsonFactory();

    private EmbeddingMessages() {}

    /** An answer is not of the expected form. The message says what is wrong. */
    static final class MalformedAnswerException extends Exception {
        private static final long serialVersionUID = 1L;

        MalformedAnswerException(String message) {
            super(message);
        }
    }

    /** Returns the request for the embeddings of {@code texts}. */
    static String request(
            ServiceEmbedderSettings settings,
            Quantization quantization,
            Purpose purpose,
            List<String> texts) {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("model", settings.model().name());
            json.writeArrayPropertyStart("input");
            texts.forEach(json::writeString);
            json.writeEndArray();
            switch (settings.service()) {
                case OPENAI -> {
                    json.writeNumberProperty("dimensions", settings.model().dimensions());
                    json.writeStringProperty("encoding_format", "float");
                }
                case MISTRAL -> {
                    json.writeNumberProperty("output_dimension", settings.model().dimensions());
                    json.writeStringProperty("output_dtype", form(quantization));
                }
                case VOYAGE -> {
                    json.writeStringProperty(
                            "input_type", purpose == Purpose.QUERY ? "query" : "document");
                    json.writeBooleanProperty("truncation", settings.model().truncates());
                    json.writeNumberProperty("output_dimension", settings.model().dimensions());
                    json.writeStringProperty("output_dtype", form(quantization));
                }
            }
            json.writeEndObject();
        }
        return text.toString();
    }

    /** Packed bits are asked for as bytes without a sign, whose bits are those of the vector. */
    private static String form(Quantization quantization) {
        return switch (quantization) {
            case AUTO, FLOAT -> "float";
            case INT8 -> "int8";
            case BINARY -> "ubinary";
        };
    }

    /**
     * Returns the embeddings of an answer, in the order of the texts.
     *
     * @param count of texts
     * @param size the values of an embedding
     */
    static List<double[]> answer(String body, int count, int size) throws MalformedAnswerException {
        var embeddings = new double @Nullable [count][];
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            expect(json.nextToken() == JsonToken.START_OBJECT, "it is no JSON object");
            boolean hasData = false;
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                boolean isData = json.currentName().equals("data");
                JsonToken value = json.nextToken();
                if (isData && value == JsonToken.START_ARRAY) {
                    hasData = true;
                    readAll(json, embeddings, size);
                } else {
                    json.skipChildren();
                }
            }
            expect(hasData, "it has no array 'data'");
        } catch (JacksonException e) {
            throw new MalformedAnswerException("it is no JSON: " + e.getOriginalMessage());
        }
        long present = Arrays.stream(embeddings).filter(each -> each != null).count();
        expect(present == count, "it has %d embeddings of %d texts".formatted(present, count));
        return Arrays.asList(embeddings);
    }

    private static void readAll(JsonParser json, double[][] embeddings, int size)
            throws MalformedAnswerException {
        int place = 0;
        while (json.nextToken() == JsonToken.START_OBJECT) {
            int index = place++;
            Optional<double[]> embedding = Optional.empty();
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("index") && value == JsonToken.VALUE_NUMBER_INT) {
                    index = json.getIntValue();
                } else if (name.equals("embedding")) {
                    embedding = Optional.of(values(json, value, size));
                } else {
                    json.skipChildren();
                }
            }
            expect(embedding.isPresent(), "an element of 'data' has no 'embedding'");
            expect(
                    index >= 0 && index < embeddings.length,
                    "it has the index %d for %d texts".formatted(index, embeddings.length));
            embeddings[index] = embedding.orElseThrow();
        }
        expect(json.currentToken() == JsonToken.END_ARRAY, "an element of 'data' is no object");
    }

    private static double[] values(JsonParser json, JsonToken first, int size)
            throws MalformedAnswerException {
        expect(first == JsonToken.START_ARRAY, "an embedding is no array");
        double[] values = new double[size];
        int count = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken().isNumeric(), "an embedding has a value that is no number");
            if (count < size) {
                values[count] = json.getDoubleValue();
                expect(
                        Double.isFinite(values[count]),
                        "an embedding has a value that is not finite");
            }
            count++;
        }
        expect(
                count == size,
                "an embedding has %d values, but %d are expected".formatted(count, size));
        return values;
    }

    private static void expect(boolean isMet, String otherwise) throws MalformedAnswerException {
        if (!isMet) {
            throw new MalformedAnswerException(otherwise);
        }
    }
}
