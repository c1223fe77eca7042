package org.crabro.ranking.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession.SessionOptions;
import ai.onnxruntime.TensorInfo;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/** A model, loaded. Safe for use by many threads, until it is closed. */
final class RankSession implements AutoCloseable {
    /** The number of sets of buffers that are kept for the next runs. */
    private static final int IDLE_MAX = 64;

    /** Buffers with rows of more bytes are not kept. */
    private static final long IDLE_BYTES = 1 << 20;

    /** The prefix of ONNX Runtime's error messages. */
    private static final Pattern PREFIX =
            Pattern.compile("^(Error code - \\w+ - message: )?(Load model from .*? failed:)?");

    private static final String TYPE_PREFIX = "ONNX_TENSOR_ELEMENT_DATA_TYPE_";

    private final ModelSessions sessions;
    private final Map<RankModel, Queue<ModelBuffers>> idle = new ConcurrentHashMap<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    /** How many rows one call of a model computes. */
    private final Map<RankModel, Integer> rows = new ConcurrentHashMap<>();

    private RankSession(ModelSessions sessions) {
        this.sessions = sessions;
    }

    /**
     * Loads a model.
     *
     * @throws InvalidModelException if ONNX Runtime does not take it; the message names no file
     */
    static RankSession open(Path file, ModelSettings settings, ModelSessions.Place place) {
        try {
            return new RankSession(
                    ModelSessions.open(
                            file, settings, place, () -> options(settings.isOptimized())));
        } catch (OrtException e) {
            throw problem(e);
        }
    }

    private static SessionOptions options(boolean isOptimized) throws OrtException {
        var options = new SessionOptions();
        options.setOptimizationLevel(
                isOptimized ? SessionOptions.OptLevel.ALL_OPT : SessionOptions.OptLevel.NO_OPT);
        options.setCPUArenaAllocator(false);
        // The sender of the query sees a failure; the log does not.
        options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
        return options;
    }

    static InvalidModelException problem(OrtException e) {
        return new InvalidModelException(reason(e), e);
    }

    /** Returns the reason of a failure without paths of this machine. */
    static String reason(OrtException e) {
        return PREFIX.matcher(String.valueOf(e.getMessage())).replaceFirst("");
    }

    List<ModelPort> inputs() throws OrtException {
        return ports(sessions.description().getInputInfo().values());
    }

    List<ModelPort> outputs() throws OrtException {
        return ports(sessions.description().getOutputInfo().values());
    }

    static List<ModelPort> ports(Collection<NodeInfo> nodes) {
        var ports = new ArrayList<ModelPort>();
        for (NodeInfo node : nodes) {
            ports.add(
                    node.getInfo() instanceof TensorInfo tensor
                            ? port(node.getName(), tensor)
                            : new ModelPort(node.getName(), "no tensor", List.of()));
        }
        return ports;
    }

    private static ModelPort port(String name, TensorInfo tensor) {
        long[] sizes = tensor.getShape();
        String[] symbols = tensor.getDimensionNames();
        var dimensions = new ArrayList<ModelPort.Dimension>();
        for (int i = 0; i < sizes.length; i++) {
            dimensions.add(new ModelPort.Dimension(sizes[i], symbols[i]));
        }
        String type = tensor.onnxType.name();
        return new ModelPort(
                name, type.substring(TYPE_PREFIX.length()).toLowerCase(Locale.ROOT), dimensions);
    }

    ModelSessions sessions() {
        return sessions;
    }

    /** Finds out how many rows of a model are computed at once; called before it runs. */
    void prepare(RankModel model) {
        rows.put(model, RowsAtOnce.of(model, this));
    }

    /** Returns buffers for exclusive use. The caller returns them. */
    ModelBuffers take(RankModel model) {
        ModelBuffers pooled = idle(model).poll();
        if (pooled == null) {
            return ModelBuffers.of(model, rows.getOrDefault(model, 1));
        }
        idleCount.decrementAndGet();
        return pooled;
    }

    void giveBack(RankModel model, ModelBuffers buffers) {
        if (ModelBuffers.rowBytes(model) > IDLE_BYTES) {
            buffers.close();
        } else if (idleCount.incrementAndGet() > IDLE_MAX) {
            idleCount.decrementAndGet();
            buffers.close();
        } else {
            idle(model).add(buffers);
        }
    }

    private Queue<ModelBuffers> idle(RankModel model) {
        return idle.computeIfAbsent(model, _ -> new ConcurrentLinkedQueue<>());
    }

    /** Called when the last run has ended. */
    @Override
    public void close() {
        idle.values().forEach(each -> each.forEach(ModelBuffers::close));
        sessions.close();
    }
}
