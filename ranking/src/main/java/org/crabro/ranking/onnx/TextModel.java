package org.crabro.ranking.onnx;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * A model and its tokenizer, which are closed after their last use. Safe for use by many threads.
 */
final class TextModel implements AutoCloseable {
    private final TextTokenizer tokenizer;
    private final OnnxModel model;

    /** Runs hold it for reading, so that close waits for them. */
    private final ReentrantReadWriteLock use = new ReentrantReadWriteLock();

    /** Added while the embedder is opened, by one thread. */
    private final List<Transformer> transformers = new ArrayList<>();

    private boolean isClosed;

    private TextModel(TextTokenizer tokenizer, OnnxModel model) {
        this.tokenizer = tokenizer;
        this.model = model;
    }

    /**
     * Loads both, and creates an embedder from them.
     *
     * @param embedder checks that the model is suitable; if it throws, both are closed
     * @throws InvalidModelException if a file is missing or not suitable
     */
    static <T> T open(
            Supplier<TextTokenizer> tokenizer,
            Supplier<OnnxModel> model,
            Function<TextModel, T> embedder) {
        TextTokenizer tokens = tokenizer.get();
        OnnxModel loaded;
        try {
            loaded = model.get();
        } catch (InvalidModelException e) {
            tokens.close();
            throw e;
        }
        var both = new TextModel(tokens, loaded);
        try {
            return embedder.apply(both);
        } catch (InvalidModelException e) {
            both.close();
            throw e;
        }
    }

    TextTokenizer tokenizer() {
        return tokenizer;
    }

    /**
     * Returns the model with these inputs and output; closed with this.
     *
     * @param shape the names of the dimensions of the output
     * @throws InvalidModelException if the model has no such inputs or output, or one of another
     *     rank
     */
    Transformer transformer(Transformer.Names names, String... shape) {
        var made = new Transformer(model, names, shape);
        transformers.add(made);
        return made;
    }

    /**
     * Runs {@code work} while both are open, and returns its result.
     *
     * @throws IllegalStateException if they are closed
     */
    <T> T use(Supplier<T> work) {
        use.readLock().lock();
        try {
            if (isClosed) {
                throw new IllegalStateException("the embedder is closed");
            }
            return work.get();
        } finally {
            use.readLock().unlock();
        }
    }

    /** Waits for those that run the model. */
    @Override
    public void close() {
        use.writeLock().lock();
        try {
            if (!isClosed) {
                isClosed = true;
                transformers.forEach(Transformer::close);
                model.close();
                tokenizer.close();
            }
        } finally {
            use.writeLock().unlock();
        }
    }
}
