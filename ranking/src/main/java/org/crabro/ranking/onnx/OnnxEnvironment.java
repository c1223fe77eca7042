package org.crabro.ranking.onnx;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.crabro.ranking.onnx.threads.CoreGate;
import org.crabro.ranking.onnx.threads.CorePolicy;

/**
 * The one environment of the process, made when the first model is loaded. It has pools of its own,
 * which no session uses: they get one thread, the caller's.
 */
final class OnnxEnvironment {
    /**
     * At its start, ONNX Runtime matches the command line of the process with a regular expression
     * that recurses for each character. A long class path overflows the stack of a normal thread,
     * which ends the process.
     */
    private static final long STACK_BYTES = 256 << 20;

    static final OrtEnvironment SHARED = create();

    /** Shares the cores of the process between the runs of all models in containers. */
    static final CoreGate CORES =
            new CoreGate(
                    new CorePolicy(Runtime.getRuntime().availableProcessors(), System::nanoTime));

    /** The name of the threads that sessions with several threads run on. */
    private static final String POOL = "onnx-pool";

    private OnnxEnvironment() {}

    /**
     * Creates a session. The threads of its pool have the name {@value #POOL}, whichever thread
     * calls: that of a deployment, or the first one that uses a model.
     */
    static OrtSession session(Path model, SessionOptions options) throws OrtException {
        return RunThreads.named(POOL, () -> SHARED.createSession(model.toString(), options));
    }

    private static OrtEnvironment create() {
        var starting = new FutureTask<>(new Start());
        Thread.ofPlatform().daemon().name("onnx").stackSize(STACK_BYTES).start(starting);
        boolean isInterrupted = false;
        try {
            while (true) {
                try {
                    return starting.get();
                } catch (InterruptedException e) {
                    isInterrupted = true;
                } catch (ExecutionException e) {
                    throw new IllegalStateException("ONNX Runtime does not start", e.getCause());
                }
            }
        } finally {
            if (isInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** No part of the class around it, which is not there yet when this runs. */
    private static final class Start implements Callable<OrtEnvironment> {
        @Override
        public OrtEnvironment call() throws OrtException {
            try (var threading = new OrtEnvironment.ThreadingOptions()) {
                threading.setGlobalIntraOpNumThreads(1);
                threading.setGlobalInterOpNumThreads(1);
                threading.setGlobalSpinControl(false);
                return OrtEnvironment.getEnvironment(
                        OrtLoggingLevel.ORT_LOGGING_LEVEL_WARNING, "crabro", threading);
            }
        }
    }
}
