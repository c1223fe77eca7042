package org.crabro.ranking.onnx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.LongAdder;

/**
 * The model runs of one query. The models of its generation stay loaded until this is closed.
 * Thread-safe.
 */
public final class ModelRuns implements AutoCloseable {
    private final RankModels models;
    private final long deadline;
    private final RunEnd end;
    private final ConcurrentLinkedQueue<Taken> taken = new ConcurrentLinkedQueue<>();
    private final Map<Given, double[][]> cached = new ConcurrentHashMap<>();
    private final LongAdder count = new LongAdder();

    private record Taken(RankSession session, RankModel model, ModelBuffers buffers) {}

    /**
     * @param deadline until which runs wait for a free core, and at which they end, on the scale of
     *     {@link System#nanoTime()}
     */
    ModelRuns(RankModels models, long deadline) {
        this.models = models;
        this.deadline = deadline;
        this.end = new RunEnd(deadline);
    }

    /** Returns runs of no model, for expressions that name none. Need not be closed. */
    public static ModelRuns none() {
        return new ModelRuns(RankModels.none(), 0);
    }

    /**
     * Returns an object with which one thread runs a model.
     *
     * @param outputs the numbers of the required outputs
     * @throws IllegalArgumentException if the model is not part of the generation
     */
    public ModelRun start(RankModel model, Set<Integer> outputs) {
        RankSession session = models.session(model);
        ModelBuffers buffers = session.take(model);
        taken.add(new Taken(session, model, buffers));
        return new ModelRun(
                model, session, buffers, outputs, new ModelRun.Query(deadline, count, end));
    }

    /** Returns for how many documents models ran so far. */
    public long count() {
        return count.sum();
    }

    /**
     * Returns all outputs for inputs that are the same for all rows of the query. The model runs at
     * the first call only.
     *
     * @param inputs cells in row-major order
     */
    public double[][] once(RankModel model, List<double[]> inputs) {
        return cached.computeIfAbsent(new Given(model, inputs), this::run);
    }

    private double[][] run(Given given) {
        RankModel model = given.model;
        var all = new HashSet<Integer>();
        for (int i = 0; i < model.outputs().size(); i++) {
            all.add(i);
        }
        ModelRun run = start(model, all);
        for (int i = 0; i < given.inputs.size(); i++) {
            double[] cells = given.inputs.get(i);
            run.input(i, 0, cells, cells.length);
        }
        run.run(1);
        var outputs = new ArrayList<double[]>();
        for (int i = 0; i < model.outputs().size(); i++) {
            var cells = new double[model.outputs().get(i).cellCount()];
            run.output(i, 0, cells, 0);
            outputs.add(cells);
        }
        return outputs.toArray(double[][]::new);
    }

    /** Called once, when no run is under way any more. */
    @Override
    public void close() {
        end.close();
        for (Taken each : taken) {
            each.session.giveBack(each.model, each.buffers);
        }
        models.release();
    }

    /** A model and its inputs, equal by content. */
    private record Given(RankModel model, List<double[]> inputs) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Given that
                    && model.equals(that.model)
                    && Arrays.deepEquals(inputs.toArray(), that.inputs.toArray());
        }

        @Override
        public int hashCode() {
            return 31 * model.hashCode() + Arrays.deepHashCode(inputs.toArray());
        }
    }
}
