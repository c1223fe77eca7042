package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;

/** Loads the sessions of one model. Safe for use by many threads. */
interface SessionSource extends AutoCloseable {
    /** Loads a session. May change the options, which the caller closes. */
    OrtSession load(SessionOptions options) throws OrtException;

    /** Called after the sessions are closed. */
    @Override
    void close();

    /**
     * Returns the source of a model: its {@linkplain PreparedModels copy}, if it gets one.
     * Otherwise several sessions share the weights in its file, and a single one reads the file.
     *
     * @param models make and keep copies
     * @throws InvalidModelException if the weights cannot be read
     */
    static SessionSource of(
            Path file,
            Optional<PreparedModels> models,
            boolean isForSeveral,
            ModelSessions.Options options) {
        if (models.isPresent()) {
            try {
                Optional<PreparedModels.Copy> copy = models.get().of(file, options);
                if (copy.isPresent()) {
                    return copy.get();
                }
            } catch (IOException | OrtException | InvalidModelException e) {
                // Loading from the file reports what is wrong with the model itself.
                RunListeners.all()
                        .forEach(listener -> listener.notPrepared(ModelSessions.name(file), e));
            }
        }
        return isForSeveral ? ModelWeights.map(file) : new PlainFile(file);
    }

    /** The file of a model with a single session. */
    record PlainFile(Path file) implements SessionSource {
        @Override
        public OrtSession load(SessionOptions options) throws OrtException {
            return OnnxEnvironment.session(file, options);
        }

        @Override
        public void close() {
            // It is open only while the session is loaded.
        }
    }
}
