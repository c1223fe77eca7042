package org.crabro.container;

import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.Tensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder whose model is loaded once, on first use, so that a process can answer queries
 * without models earlier.
 */
final class LateEmbedder implements Embedder {
    private final FutureTask<Embedder> loading;
    private final boolean typesAreChecked;

    /**
     * @param load creates the embedder; called at most once
     * @param typesAreChecked whether the deployment has checked that the model fits all tensor
     *     types, so that a check need not load it
     */
    LateEmbedder(Supplier<Embedder> load, boolean typesAreChecked) {
        this.loading = new FutureTask<>(load::get);
        this.typesAreChecked = typesAreChecked;
    }

    /**
     * Loads the model if it is not loaded, and waits for it.
     *
     * @throws RuntimeException if loading failed, at every call
     */
    Embedder load() {
        loading.run();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return loading.get();
                } catch (InterruptedException e) {
                    // The model is needed in spite of the interrupt, which is restored afterwards.
                    interrupted = true;
                } catch (ExecutionException e) {
                    throw cause(e);
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static RuntimeException cause(ExecutionException e) {
        return e.getCause() instanceof RuntimeException cause
                ? cause
                : new IllegalStateException(e.getCause());
    }

    @Override
    public DenseTensor embed(String text, Purpose purpose, TensorType type) {
        return load().embed(text, purpose, type);
    }

    @Override
    public MixedTensor embedWithLabels(String text, Purpose purpose, TensorType type) {
        return load().embedWithLabels(text, purpose, type);
    }

    @Override
    public List<Tensor> embedAll(List<String> texts, Target target) {
        return load().embedAll(texts, target);
    }

    @Override
    public void check(TensorType type) {
        if (!typesAreChecked) {
            load().check(type);
        }
    }

    /** Closes the model if it was loaded. An unused model is never loaded. */
    @Override
    public void close() {
        if (!loading.cancel(false) && loading.state() == FutureTask.State.SUCCESS) {
            loading.resultNow().close();
        }
    }
}
