package org.crabro.ranking.onnx;

import ai.onnxruntime.NodeInfo;
import ai.onnxruntime.OrtException;
import ai.onnxruntime.OrtLoggingLevel;
import ai.onnxruntime.OrtSession;
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

    private final OrtSession session;
    private final Map<RankModel, Queue<ModelBuffers>> idle = new ConcurrentHashMap<>();
    private final AtomicInteger idleCount = new AtomicInteger();

    /** How many rows one call of a model computes. */
    private final Map<RankModel, Integer> rows = new ConcurrentHashMap<>();

    private RankSession(OrtSession session) {
        this.session = session;
    }

    /** How many threads run a model. */
    enum Place {
        /** On a content node: on the calling thread, because other threads compute other rows. */
        CONTENT,
        /** In a container: according to the settings of the model. */
        CONTAINER
    }

    /**
     * Loads a model.
     *
     * @throws InvalidModelException if ONNX Runtime does not take it; the message names no file
     */
    static RankSession open(Path file, ModelSettings settings, Place place) {
        int processors = Runtime.getRuntime().availableProcessors();
        boolean isHere = place == Place.CONTENT;
        boolean isParallel = !isHere && settings.isParallel();
        try (var options = new SessionOptions()) {
            options.setIntraOpNumThreads(
                    isHere ? 1 : OnnxModel.threads(settings.intraOpThreads(), processors));
            options.setInterOpNumThreads(
                    isParallel ? OnnxModel.threads(settings.interOpThreads(), processors) : 1);
            options.setExecutionMode(
                    isParallel
                            ? SessionOptions.ExecutionMode.PARALLEL
                            : SessionOptions.ExecutionMode.SEQUENTIAL);
            options.setOptimizationLevel(
                    settings.isOptimized()
                            ? SessionOptions.OptLevel.ALL_OPT
                            : SessionOptions.OptLevel.NO_OPT);
            options.setCPUArenaAllocator(false);
            // The sender of the query sees a failure; the log does not.
            options.setSessionLogLevel(OrtLoggingLevel.ORT_LOGGING_LEVEL_FATAL);
            options.addConfigEntry("session.intra_op.allow_spinning", "0");
            options.addConfigEntry("session.inter_op.allow_spinning", "0");
            return new RankSession(OnnxEnvironment.SHARED.createSession(file.toString(), options));
        } catch (OrtException e) {
            throw problem(e);
        }
    }

    static InvalidModelException problem(OrtException e) {
        return new InvalidModelException(reason(e), e);
    }

    /** Returns the reason of a failure without paths of this machine. */
    static String reason(OrtException e) {
        return PREFIX.matcher(String.valueOf(e.getMessage())).replaceFirst("");
    }

    List<ModelPort> inputs() throws OrtException {
        return ports(session.getInputInfo().values());
    }

    List<ModelPort> outputs() throws OrtException {
        return ports(session.getOutputInfo().values());
    }

    private static List<ModelPort> ports(Collection<NodeInfo> nodes) {
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

    OrtSession session() {
        return session;
    }

    /** Finds out how many rows of a model are computed at once; called before it runs. */
    void prepare(RankModel model) {
        rows.put(model, RowsAtOnce.of(model, this));
    }

    /** Returns buffers for exclusive use. The caller returns them. */
    ModelBuffers take(RankModel model) {
        ModelBuffers known = idle(model).poll();
        if (known == null) {
            return ModelBuffers.of(model, rows.getOrDefault(model, 1));
        }
        idleCount.decrementAndGet();
        return known;
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
        try {
            session.close();
        } catch (OrtException e) {
            throw new IllegalStateException("a model cannot be closed", e);
        }
    }
}
