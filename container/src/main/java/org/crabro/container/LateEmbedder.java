package org.crabro.container;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.crabro.ranking.onnx.Embedder;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/**
 * An embedder whose model is loaded when it is first needed, once: a process answers queries that
 * need no model before it is there.
 */
final class LateEmbedder implements Embedder {
    private final FutureTask<Embedder> loading;
    private final boolean typesAreChecked;

    /**
     * @param load makes the embedder; called at most once
     * @param typesAreChecked whether the model was found to fill every type it is asked for when
     *     the application was deployed, so that asking again need not load it
     */
    LateEmbedder(Supplier<Embedder> load, boolean typesAreChecked) {
        this.loading = new FutureTask<>(load::get);
        this.typesAreChecked = typesAreChecked;
    }

    /**
     * Loads the model where it is not loaded yet, and returns when it is.
     *
     * @throws RuntimeException what loading ended with, each time
     */
    Embedder load() {
        loading.run();
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return loading.get();
                } catch (InterruptedException e) {
                    // The model is needed whoever wants to stop; the wish is passed on afterwards.
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
    public void check(TensorType type) {
        if (!typesAreChecked) {
            load().check(type);
        }
    }

    /** Lets the model go. One that was never needed is never loaded; a failed load has nothing. */
    @Override
    public void close() {
        if (!loading.cancel(false) && loading.state() == FutureTask.State.SUCCESS) {
            loading.resultNow().close();
        }
    }
}
