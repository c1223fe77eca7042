package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtException;

/**
 * A model could not compute what it was given. The message names the model and goes to the person
 * who asked, as it is.
 */
public final class ModelFailedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    ModelFailedException(String model, OrtException cause) {
        super("onnx-model '%s' failed: %s".formatted(model, RankSession.reason(cause)), cause);
    }
}
