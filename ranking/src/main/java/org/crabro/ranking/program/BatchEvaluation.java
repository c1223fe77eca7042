package org.crabro.ranking.program;

import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.IntConsumer;
import org.crabro.document.memory.MemoryShare;
import org.crabro.ranking.forest.Forest;
import org.crabro.ranking.onnx.ModelRuns;
import org.crabro.ranking.onnx.RankModel;
import org.crabro.ranking.tensor.CellBuffer;
import org.crabro.ranking.tensor.TensorData;
import org.crabro.ranking.tensor.TensorMemory;
import org.crabro.ranking.tensor.TensorWork;
import org.jspecify.annotations.Nullable;

/**
 * Runs the steps of a program one after another, each over the whole batch, in memory of its own.
 * For one thread.
 */
public final class BatchEvaluation {
    /** The units of work of a row in a tree. */
    private static final int TREE_UNITS = 8;

    /** Bytes of a label that was read from a document: a text of a few characters. */
    private static final long READ_LABEL = 56;

    private final Step[] steps;
    private final ColumnPlan plan;
    private final int capacity;
    private final Work work;
    private final double[][] columns;

    /** By step: the tensor of the current row, if {@link #rows} marks it as computed. */
    private final @Nullable TensorData[] tensors;

    private final long[] rows;
    private final @Nullable Operands[] operands;
    private final @Nullable Trees[] forests;

    /** By step; those of one model and the same inputs share them. */
    private final @Nullable ModelOutputs[] models;

    private int count;

    /** Changes whenever the current row or the values of columns change. */
    private long row;

    private long rowsSeen;
    private int rowInBatch;
    private FeatureValues values =
            (slot, _, _) -> {
                throw new IllegalStateException("nothing is evaluated");
            };

    /**
     * @param work receives the units of {@link TensorWork}
     */
    BatchEvaluation(
            List<Step> steps, ColumnPlan plan, ModelRuns runs, int capacity, IntConsumer work) {
        this.work = new Work(work, MemoryShare.current());
        this.steps = steps.toArray(Step[]::new);
        this.plan = plan;
        this.capacity = capacity;
        columns = new double[plan.count()][];
        // One by one: the platform makes arrays of arrays by a slow call.
        for (int i = 0; i < columns.length; i++) {
            columns[i] = new double[capacity];
        }
        tensors = new TensorData[steps.size()];
        rows = new long[steps.size()];
        operands = new Operands[steps.size()];
        forests = new Trees[steps.size()];
        models = new ModelOutputs[steps.size()];
        for (int i = 0; i < steps.size() - 1; i++) {
            if (steps.get(i) instanceof Step.Fixed(double value)) {
                Arrays.fill(column(i), value);
            } else if (steps.get(i) instanceof Step.FixedTensor(TensorData tensor)) {
                tensors[i] = tensor;
            }
        }
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Compute(var operation, List<Integer> of)) {
                operands[i] = new Operands(of, operation.readsFloats());
            } else if (steps.get(i) instanceof Step.Trees(Forest forest, List<Integer> of)) {
                forests[i] = new Trees(forest, of);
            }
        }
        startModels(steps, runs);
    }

    private void startModels(List<Step> steps, ModelRuns runs) {
        var wanted = new LinkedHashMap<ModelOutputs.Given, Set<Integer>>();
        for (Step step : steps) {
            if (step instanceof Step.Model(RankModel model, int output, List<Integer> of)) {
                wanted.computeIfAbsent(
                                new ModelOutputs.Given(model, of), _ -> new LinkedHashSet<>())
                        .add(output);
            }
        }
        var started = new HashMap<ModelOutputs.Given, ModelOutputs>();
        wanted.forEach((given, outputs) ->
                started.put(
                        given,
                        new ModelOutputs(
                                given.model(),
                                runs,
                                outputs,
                                new Operands(given.inputs(), false),
                                capacity,
                                this.work)));
        for (int i = 0; i < steps.size(); i++) {
            if (steps.get(i) instanceof Step.Model(RankModel model, _, List<Integer> of)) {
                models[i] = started.get(new ModelOutputs.Given(model, of));
            }
        }
    }

    /** Returns the outputs of a step's model for the current batch. */
    private ModelOutputs model(int step) {
        ModelOutputs outputs = Objects.requireNonNull(models[step]);
        if (!outputs.isComputed()) {
            // The step belongs to a computation of one row, which continues with that row.
            long rowBefore = row;
            int inBatchBefore = rowInBatch;
            outputs.compute(count, this::startRow);
            row = rowBefore;
            rowInBatch = inBatchBefore;
        }
        return outputs;
    }

    private void startBatch(FeatureValues given, int documents) {
        values = given;
        count = documents;
        for (ModelOutputs outputs : models) {
            if (outputs != null) {
                outputs.startBatch();
            }
        }
    }

    /**
     * Evaluates a batch of a program whose result is a number. Allocates nothing if it computes
     * with numbers only.
     *
     * <p>A model runs once for each document.
     *
     * @param count documents in the batch, at most the capacity
     * @param scores receives one score per document, from index 0 on
     */
    public void evaluate(FeatureValues values, int count, double[] scores) {
        if (count > capacity || count > scores.length) {
            throw new IllegalArgumentException(
                    "%d documents, but room for %d and %d scores"
                            .formatted(count, capacity, scores.length));
        }
        startBatch(values, count);
        TensorWork.report(work, count, steps.length);
        for (int i = 0; i < steps.length; i++) {
            boolean isLast = i == steps.length - 1;
            if (!steps[i].isTensor()) {
                run(i, values, count, isLast ? scores : column(i), isLast);
            }
        }
    }

    /** Returns the result for a batch of one document. */
    public TensorData tensor(FeatureValues values) {
        int last = steps.length - 1;
        if (!steps[last].isTensor()) {
            double[] number = new double[1];
            evaluate(values, 1, number);
            return TensorData.number(number[0]);
        }
        startBatch(values, 1);
        TensorWork.report(work, 1, steps.length);
        for (int i = 0; i < last; i++) {
            if (!steps[i].isTensor()) {
                run(i, values, 1, column(i), false);
            }
        }
        startRow(0);
        return tensor(last);
    }

    private void startRow(int inBatch) {
        row = ++rowsSeen;
        rowInBatch = inBatch;
        if (work.charged > 0) {
            forgetTensors();
        }
    }

    /** Releases the tensors of the row before. */
    private void forgetTensors() {
        for (int i = 0; i < tensors.length; i++) {
            if (!(steps[i] instanceof Step.FixedTensor)) {
                tensors[i] = null;
                rows[i] = 0;
            }
        }
        work.release();
    }

    /** The work of a search, with the memory of the tensors of a row. For one thread. */
    private static final class Work implements TensorMemory {
        /** Fewer bytes of a row are not charged. */
        private static final long UNCHARGED = 64 << 10;

        private final IntConsumer units;
        private final MemoryShare memory;
        private long pending;
        private long charged;

        Work(IntConsumer units, MemoryShare memory) {
            this.units = units;
            this.memory = memory;
        }

        @Override
        public void accept(int more) {
            units.accept(more);
        }

        @Override
        public void allocate(long bytes) {
            pending += bytes;
            if (pending > UNCHARGED) {
                // Many requests share the threads of scans, so they do not wait.
                memory.chargeNow(pending);
                charged += pending;
                pending = 0;
            }
        }

        void release() {
            memory.release(charged);
            charged = 0;
            pending = 0;
        }
    }

    /** Returns the tensor of a step for the current row. */
    private TensorData tensor(int step) {
        TensorData cached = tensors[step];
        if (cached != null && (rows[step] == row || steps[step] instanceof Step.FixedTensor)) {
            return cached;
        }
        TensorData tensor =
                switch (steps[step]) {
                    case Step.FixedTensor(TensorData fixed) -> fixed;
                    case Step.ReadTensor(int slot, _) -> read(slot);
                    case Step.Compute(TensorOperation operation, _) when steps[step].isTensor() ->
                            operation.apply(operands(step));
                    case Step.Model(_, int output, _) when steps[step].isTensor() ->
                            model(step).tensor(output, rowInBatch);
                    case Step.Scalar _, Step.Model _, Step.Compute _ ->
                            TensorData.number(column(step)[rowInBatch]);
                };
        tensors[step] = tensor;
        rows[step] = row;
        return tensor;
    }

    private TensorData read(int slot) {
        TensorData tensor = values.tensor(slot, rowInBatch);
        int labels = tensor.type().mappedCount();
        work.allocate(
                TensorMemory.bytes(tensor.subspaceCount(), labels, tensor.cells().length)
                        + READ_LABEL * labels * tensor.subspaceCount());
        return tensor;
    }

    private Operands operands(int step) {
        return Objects.requireNonNull(operands[step]);
    }

    /** The operands of one step for the current row. */
    private final class Operands implements TensorOperands {
        private final int[] steps;
        private final CellBuffer[] buffers;

        Operands(List<Integer> steps, boolean areFloats) {
            this.steps = steps.stream().mapToInt(Integer::intValue).toArray();
            this.buffers =
                    steps.stream().map(_ -> new CellBuffer(areFloats)).toArray(CellBuffer[]::new);
        }

        @Override
        public TensorData tensor(int operand) {
            return BatchEvaluation.this.tensor(steps[operand]);
        }

        @Override
        public CellBuffer cells(int operand) {
            CellBuffer buffer = buffers[operand];
            int step = steps[operand];
            if (BatchEvaluation.this.steps[step] instanceof Step.ReadTensor(int slot, _)) {
                values.cells(slot, rowInBatch, buffer);
            } else if (BatchEvaluation.this.steps[step] instanceof Step.Model(_, int output, _)) {
                model(step).cells(output, rowInBatch, buffer);
            } else {
                buffer.hold(tensor(operand));
            }
            work.accept(buffer.count());
            return buffer;
        }

        @Override
        public IntConsumer work() {
            return work;
        }

        @Override
        public double number(int operand) {
            return column(steps[operand])[rowInBatch];
        }
    }

    /** The trees of one step, and the columns that they split by. */
    private final class Trees {
        private final Forest.Evaluation forest;
        private final double[][] inputs;
        private final int units;

        Trees(Forest forest, List<Integer> steps) {
            this.forest = forest.evaluation();
            this.units = forest.treeCount() * TREE_UNITS;
            this.inputs = steps.stream().map(BatchEvaluation.this::column).toArray(double[][]::new);
        }

        void evaluate(int count, double[] into) {
            TensorWork.report(work, count, units);
            forest.evaluate(inputs, count, into);
        }
    }

    private void run(int number, FeatureValues values, int count, double[] into, boolean isLast) {
        switch (steps[number]) {
            case Step.Fixed(double value) -> {
                if (isLast) {
                    Arrays.fill(into, 0, count, value);
                }
            }
            case Step.Read(int slot) -> values.read(slot, into, count);
            case Step.Apply(Operation operation, int first, int second) -> {
                // A column of one number would only push others out of the cache.
                if (steps[second] instanceof Step.Fixed(double value)) {
                    operation.applyRight(column(first), value, into, count);
                } else if (steps[first] instanceof Step.Fixed(double value)) {
                    operation.applyLeft(value, column(second), into, count);
                } else {
                    operation.apply(column(first), column(second), into, count);
                }
            }
            case Step.Choose(int condition, int then, int otherwise) ->
                    choose(column(condition), column(then), column(otherwise), into, count);
            case Step.Contained(int operand, Step.Choices choices) -> {
                double[] from = column(operand);
                for (int i = 0; i < count; i++) {
                    into[i] = choices.contains(from[i]) ? 1 : 0;
                }
            }
            case Step.Compute(TensorOperation operation, _) -> {
                Operands of = operands(number);
                for (int i = 0; i < count; i++) {
                    startRow(i);
                    into[i] = operation.number(of);
                }
            }
            case Step.Trees _ -> Objects.requireNonNull(forests[number]).evaluate(count, into);
            case Step.Model(_, int output, _) -> {
                ModelOutputs outputs = model(number);
                for (int i = 0; i < count; i++) {
                    into[i] = outputs.number(output, i);
                }
            }
            case Step.FixedTensor _, Step.ReadTensor _ ->
                    throw new IllegalStateException("a tensor has no column");
        }
    }

    private static void choose(
            double[] condition, double[] then, double[] otherwise, double[] into, int count) {
        for (int i = 0; i < count; i++) {
            into[i] = condition[i] != 0 ? then[i] : otherwise[i];
        }
    }

    private double[] column(int step) {
        return columns[plan.column(step)];
    }
}
