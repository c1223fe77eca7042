package org.crabro.container.embedding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.services.ServiceEmbedderSettings;
import org.crabro.config.services.ServiceEmbedderSettings.Quantization;
import org.crabro.container.embedding.EmbeddingMessages.MalformedAnswerException;
import org.crabro.container.service.ServiceCall;
import org.crabro.container.service.ServiceClient;
import org.crabro.container.service.ServiceException;
import org.crabro.ranking.onnx.EmbeddedCells;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.ranking.onnx.EmbeddingRefusedException;
import org.crabro.ranking.onnx.EmbeddingRefusedException.Reason;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder that sends texts to a network service. The texts of one call are sent together, up to
 * the size of a batch.
 */
public final class ServiceEmbedder implements Embedder {
    private final ServiceEmbedderSettings settings;
    private final ServiceClient client;

    private ServiceEmbedder(ServiceEmbedderSettings settings, ServiceClient client) {
        this.settings = settings;
        this.client = client;
    }

    /**
     * Returns an embedder for a service. No request is sent.
     *
     * @param id of its component
     * @throws IllegalArgumentException if the operator does not allow the host
     */
    public static ServiceEmbedder open(
            String id, ServiceEmbedderSettings settings, ServiceClient client) {
        Optional<String> refusal = client.rules().hosts().refusal(settings.access().endpoint());
        if (refusal.isPresent()) {
            throw new IllegalArgumentException("component '%s': %s".formatted(id, refusal.get()));
        }
        return new ServiceEmbedder(settings, client);
    }

    @Override
    public void check(TensorType type) {
        if (type.dimensions().size() != 1
                || !(type.dimensions().getFirst() instanceof Dimension.Indexed)) {
            throw new IllegalArgumentException(
                    "an embedding needs a type with one indexed dimension, not " + type);
        }
        quantization(type);
    }

    /**
     * Returns the form of the values that the service sends for a type.
     *
     * @throws IllegalArgumentException if the values do not fill the type
     */
    private Quantization quantization(TensorType type) {
        int size = type.subspaceSize();
        int dimensions = settings.model().dimensions();
        boolean isByte = type.cellType() == CellType.INT8;
        boolean isPacked = isByte && size == Math.ceilDiv(dimensions, Byte.SIZE);
        Quantization asked = settings.model().quantization();
        boolean fits =
                switch (asked) {
                    case AUTO -> size == dimensions || isPacked;
                    case FLOAT -> size == dimensions && !isByte;
                    case INT8 -> size == dimensions && isByte;
                    case BINARY -> isPacked;
                };
        if (settings.service() == ServiceEmbedderSettings.Service.OPENAI) {
            fits = isByte ? isPacked && dimensions % Byte.SIZE == 0 : size == dimensions;
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "%s does not fit the embedder, which has %d dimensions%s: int8 cells have a bit per dimension%s"
                            .formatted(
                                    type,
                                    dimensions,
                                    asked == Quantization.AUTO
                                            ? ""
                                            : " and quantization " + asked.text(),
                                    settings.service() == ServiceEmbedderSettings.Service.OPENAI
                                            ? ""
                                            : " or a value per dimension"));
        }
        if (asked != Quantization.AUTO) {
            return asked;
        }
        if (!isByte || settings.service() == ServiceEmbedderSettings.Service.OPENAI) {
            return Quantization.FLOAT;
        }
        return isPacked ? Quantization.BINARY : Quantization.INT8;
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        return vectors(List.of(text), new Target(purpose, type, Target.NO_TIMEOUT)).getFirst();
    }

    /** Blank texts are not sent; their cells are 0. */
    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return List.copyOf(vectors(texts, target));
    }

    private List<DenseTensor> vectors(List<String> texts, Target target) {
        check(target.type());
        long deadline = System.nanoTime() + target.timeout().toNanos();
        List<String> sent = texts.stream().filter(text -> !text.isBlank()).toList();
        var received = new ArrayList<DenseTensor>(sent.size());
        for (int from = 0; from < sent.size(); from += settings.batchTexts()) {
            int to = Math.min(sent.size(), from + settings.batchTexts());
            var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            received.addAll(vectors(sent.subList(from, to), target.purpose(), target.type(), left));
        }
        var vectors = new ArrayList<DenseTensor>(texts.size());
        int next = 0;
        for (String text : texts) {
            vectors.add(
                    text.isBlank()
                            ? DenseTensor.of(target.type(), new double[target.type().cellCount()])
                            : received.get(next++));
        }
        return vectors;
    }

    private List<DenseTensor> vectors(
            List<String> texts, Purpose purpose, TensorType type, Duration timeout) {
        Quantization quantization = quantization(type);
        String prefix =
                switch (purpose) {
                    case DOCUMENT -> settings.prefixes().document();
                    case QUERY -> settings.prefixes().query();
                };
        String request =
                EmbeddingMessages.request(
                        settings,
                        quantization,
                        purpose,
                        texts.stream().map(text -> prefix + text).toList());
        int dimensions = settings.model().dimensions();
        int size =
                quantization == Quantization.BINARY
                        ? Math.ceilDiv(dimensions, Byte.SIZE)
                        : dimensions;
        try {
            String answer =
                    client.post(
                            new ServiceCall(
                                    settings.access().endpoint(),
                                    settings.access().secret(),
                                    request,
                                    timeout));
            return EmbeddingMessages.answer(answer, texts.size(), size).stream()
                    .map(values -> vector(values, quantization, type))
                    .toList();
        } catch (ServiceException e) {
            throw new EmbeddingRefusedException(
                    switch (e.reason()) {
                        case OVERLOADED -> Reason.OVERLOADED;
                        case TIMED_OUT -> Reason.TIMED_OUT;
                        case FAILED -> Reason.UPSTREAM_FAILED;
                    },
                    String.valueOf(e.getMessage()));
        } catch (MalformedAnswerException e) {
            throw new EmbeddingRefusedException(
                    Reason.UPSTREAM_FAILED,
                    "%s sent an answer that cannot be used: %s"
                            .formatted(settings.access().endpoint().getHost(), e.getMessage()));
        }
    }

    private static DenseTensor vector(double[] values, Quantization quantization, TensorType type) {
        boolean packsHere = quantization == Quantization.FLOAT && type.cellType() == CellType.INT8;
        return DenseTensor.of(type, packsHere ? EmbeddedCells.cells(type, values) : values);
    }

    /** Closes nothing: the client is shared. */
    @Override
    public void close() {
        // The container closes the client.
    }
}
