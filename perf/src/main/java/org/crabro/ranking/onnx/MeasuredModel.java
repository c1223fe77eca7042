package org.crabro.ranking.onnx;

import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** A transformer model without its tokenizer, for measurements. Safe for use by many threads. */
public final class MeasuredModel implements AutoCloseable {
    private static final String OUTPUT = "last_hidden_state";
    private static final int WORDS = 1_000;

    private final Model model;
    private final Resource resource;

    private interface Model {
        float run(Map<String, long[]> inputs) throws OrtException;
    }

    private interface Resource {
        void close() throws OrtException;
    }

    private MeasuredModel(Model model, Resource resource) {
        this.model = model;
        this.resource = resource;
    }

    /** Loads a model as an embedder does. */
    public static MeasuredModel open(Path file, ModelSettings settings) {
        OnnxModel model = OnnxModel.open(file, settings);
        return new MeasuredModel(
                inputs -> model.run(inputs, 1, OUTPUT).values().get(0), model::close);
    }

    /**
     * Loads a model and all its levels at once.
     *
     * @param threadsMax of the highest level
     */
    public static MeasuredModel openLevels(Path file, int threadsMax) throws OrtException {
        OnnxModel model =
                OnnxModel.open(
                        file, new ModelSettings(threadsMax, 1, ExecutionMode.ADAPTIVE, true));
        model.loadAll();
        return new MeasuredModel(
                inputs -> model.run(inputs, 1, OUTPUT).values().get(0), model::close);
    }

    /**
     * Loads a model by hand, with the defaults of ONNX Runtime. Threads of its pool spin while they
     * wait.
     */
    public static MeasuredModel openByHand(Path file, int threads) throws OrtException {
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(threads);
            options.setInterOpNumThreads(1);
            options.setCPUArenaAllocator(false);
            OrtSession session = OnnxEnvironment.SHARED.createSession(file.toString(), options);
            return new MeasuredModel(inputs -> run(session, inputs), session::close);
        }
    }

    private static float run(OrtSession session, Map<String, long[]> inputs) throws OrtException {
        var tensors = new HashMap<String, OnnxTensor>();
        try {
            for (Map.Entry<String, long[]> input : inputs.entrySet()) {
                long[] row = input.getValue();
                tensors.put(
                        input.getKey(),
                        OnnxTensor.createTensor(
                                OnnxEnvironment.SHARED,
                                LongBuffer.wrap(row),
                                new long[] {1, row.length}));
            }
            try (OrtSession.Result result = session.run(tensors, Set.of(OUTPUT))) {
                return ((OnnxTensor) result.get(0)).getFloatBuffer().get(0);
            }
        } finally {
            tensors.values().forEach(OnnxTensor::close);
        }
    }

    /** Runs the model once, for a text of {@code tokens} tokens, and returns the first value. */
    public float run(int tokens) throws OrtException {
        var ids = new long[tokens];
        for (int i = 0; i < tokens; i++) {
            ids[i] = 1_000L + i % WORDS;
        }
        var mask = new long[tokens];
        Arrays.fill(mask, 1);
        return model.run(
                Map.of(
                        "input_ids",
                        ids,
                        "attention_mask",
                        mask,
                        "token_type_ids",
                        new long[tokens]));
    }

    @Override
    public void close() {
        try {
            resource.close();
        } catch (OrtException e) {
            throw new IllegalStateException("the model cannot be closed", e);
        }
    }
}
