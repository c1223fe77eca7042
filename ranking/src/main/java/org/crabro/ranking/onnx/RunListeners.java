package org.crabro.ranking.onnx;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * The listeners of the process, because its models share the cores. A container adds its own while
 * it is open.
 */
public final class RunListeners {
    private static final List<RunListener> LISTENERS = new CopyOnWriteArrayList<>();

    private RunListeners() {}

    /** Adds a listener, which the caller removes. */
    public static void add(RunListener listener) {
        LISTENERS.add(listener);
    }

    /** Removes a listener. */
    public static void remove(RunListener listener) {
        LISTENERS.remove(listener);
    }

    static List<RunListener> all() {
        return LISTENERS;
    }
}
