package org.crabro.ranking.onnx.threads;

/**
 * A run of a model could not start: too many wait, or no core became free in time. The message is
 * shown unchanged to the sender of the request.
 */
public final class ModelBusyException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** An exception without stack trace, because it is no defect. */
    public ModelBusyException(String message) {
        super(message, null, false, false);
    }
}
