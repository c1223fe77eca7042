package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;

/**
 * A model failed on its inputs. The message names the model and is shown unchanged to the sender of
 * the query.
 */
public final class ModelFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    public ModelFailedException(String model, String reason) {
        super("onnx-model '%s' failed: %s".formatted(model, reason));
    }

    ModelFailedException(String model, OrtException cause) {
        super("onnx-model '%s' failed: %s".formatted(model, RankSession.reason(cause)), cause);
    }
}
