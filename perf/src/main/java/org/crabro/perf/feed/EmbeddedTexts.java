package org.crabro.perf.feed;

import ai.djl.huggingface.tokenizers.Encoding;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.onnxruntime.OnnxTensor;
import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import java.io.IOException;
import java.nio.LongBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.crabro.perf.harness.Clients;

/**
 * Texts as tokens, and ONNX Runtime alone, which computes their embeddings: a thread per processor,
 * and batches of texts that are sorted by their length.
 */
final class EmbeddedTexts implements AutoCloseable {
    private static final String OUTPUT = "last_hidden_state";

    /** At its start, ONNX Runtime recurses for each character of the class path. */
    private static final long STACK_BYTES = 256 << 20;

    private final OrtEnvironment environment;
    private final OrtSession session;
    private final List<Encoding> texts = new ArrayList<>();

    private EmbeddedTexts(OrtEnvironment environment, OrtSession session) {
        this.environment = environment;
        this.session = session;
    }

    static EmbeddedTexts of(Path model, Path tokenizer, List<String> texts)
            throws IOException, OrtException, InterruptedException, ExecutionException {
        var starting = new FutureTask<OrtEnvironment>(OrtEnvironment::getEnvironment);
        Thread.ofPlatform().daemon().stackSize(STACK_BYTES).start(starting);
        OrtEnvironment environment = starting.get();
        OrtSession session;
        try (var options = new OrtSession.SessionOptions()) {
            options.setIntraOpNumThreads(1);
            options.setInterOpNumThreads(1);
            options.setMemoryPatternOptimization(false);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            session = environment.createSession(model.toString(), options);
        }
        var made = new EmbeddedTexts(environment, session);
        try (var tokens =
                HuggingFaceTokenizer.newInstance(
                        tokenizer,
                        Map.of(
                                "padding",
                                "false",
                                "truncation",
                                "true",
                                "maxLength",
                                "128",
                                "modelMaxLength",
                                "128"))) {
            for (String text : texts) {
                made.texts.add(tokens.encode(text, true, false));
            }
        }
        made.texts.sort(Comparator.comparingInt(each -> each.getIds().length));
        return made;
    }

    /** Returns the mean number of tokens of a text. */
    double meanTokens() {
        return texts.stream().mapToInt(each -> each.getIds().length).average().orElse(0);
    }

    /** Returns how many texts a second are computed in batches of {@code size}. */
    double textsPerSecond(int size) throws Exception {
        int batches = Math.ceilDiv(texts.size(), size);
        long begin = System.nanoTime();
        Clients.run(
                Runtime.getRuntime().availableProcessors(),
                batches,
                batch ->
                        run(
                                texts.subList(
                                        batch * size, Math.min(texts.size(), (batch + 1) * size))));
        return texts.size() / ((System.nanoTime() - begin) / 1e9);
    }

    private void run(List<Encoding> batch) throws OrtException {
        var inputs = new HashMap<String, OnnxTensor>();
        try {
            inputs.put("input_ids", input(batch, Encoding::getIds));
            inputs.put("attention_mask", input(batch, Encoding::getAttentionMask));
            inputs.put("token_type_ids", input(batch, Encoding::getTypeIds));
            try (OrtSession.Result result = session.run(inputs, Set.of(OUTPUT))) {
                OnnxTensor output = (OnnxTensor) result.get(0);
                if (output.getInfo().getShape()[0] != batch.size()) {
                    throw new IllegalStateException("texts are missing in the output");
                }
            }
        } finally {
            inputs.values().forEach(OnnxTensor::close);
        }
    }

    private OnnxTensor input(List<Encoding> batch, Function<Encoding, long[]> values)
            throws OrtException {
        int length = batch.getLast().getIds().length;
        var rows = LongBuffer.allocate(batch.size() * length);
        for (int i = 0; i < batch.size(); i++) {
            rows.put(i * length, values.apply(batch.get(i)));
        }
        return OnnxTensor.createTensor(environment, rows, new long[] {batch.size(), length});
    }

    @Override
    public void close() throws OrtException {
        session.close();
    }
}
