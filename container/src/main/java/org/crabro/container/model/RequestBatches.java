package org.crabro.container.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.config.services.ModelApi.Batching;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Evaluates concurrent requests to one model in one run. The first dimension of all inputs counts
 * rows; the rows of the requests follow each other. The first request of a batch waits for others
 * and runs the model for all. Safe for use by many threads.
 */
final class RequestBatches {
    private final Model model;
    private final Batching batching;
    private final ReentrantLock lock = new ReentrantLock();

    /** Batches that wait for further requests; guarded by the lock. */
    private final Map<Key, Batch> open = new HashMap<>();

    /** Evaluates a model. */
    interface Model {
        DenseTensor evaluate(List<DenseTensor> inputs, int output);
    }

    /** What requests of one batch have in common: the output, and the types of single rows. */
    private record Key(int output, List<TensorType> rows) {}

    private record Member(
            List<DenseTensor> inputs, int rows, CompletableFuture<DenseTensor> result) {}

    private record Batch(List<Member> members, Condition isFull) {}

    RequestBatches(Model model, Batching batching) {
        this.model = model;
        this.batching = batching;
    }

    /**
     * Returns the result for the inputs of a request.
     *
     * @throws ModelFailedException if the model rejects them
     * @throws ModelBusyException if the run cannot start in time
     */
    DenseTensor evaluate(List<DenseTensor> inputs, int output) {
        OptionalInt rows = rows(inputs);
        if (rows.isEmpty()) {
            return model.evaluate(inputs, output);
        }
        var key = new Key(output, inputs.stream().map(input -> withRows(input.type(), 1)).toList());
        var member = new Member(inputs, rows.getAsInt(), new CompletableFuture<>());
        boolean isFirst;
        Batch batch;
        lock.lock();
        try {
            Batch known = open.get(key);
            isFirst = known == null;
            batch = known == null ? new Batch(new ArrayList<>(), lock.newCondition()) : known;
            batch.members.add(member);
            if (isFirst) {
                open.put(key, batch);
                await(batch);
                open.remove(key, batch);
            } else if (batch.members.size() >= batching.size()) {
                open.remove(key, batch);
                batch.isFull.signal();
            }
        } finally {
            lock.unlock();
        }
        if (isFirst) {
            run(batch.members, output);
        }
        return result(member);
    }

    private void await(Batch batch) {
        long left = batching.delay().toNanos();
        try {
            while (left > 0 && batch.members.size() < batching.size()) {
                left = batch.isFull.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            // The batch begins at once.
            Thread.currentThread().interrupt();
        }
    }

    private static DenseTensor result(Member member) {
        try {
            return member.result.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }

    /** Completes all members, with a result or with a failure. */
    private void run(List<Member> members, int output) {
        try {
            if (members.size() > 1 && runAtOnce(members, output)) {
                return;
            }
        } catch (ModelFailedException _) {
            // The inputs of one request may be the reason; the others get their results below.
        } catch (RuntimeException | Error e) {
            members.forEach(member -> member.result.completeExceptionally(e));
            throw e;
        }
        for (Member member : members) {
            try {
                member.result.complete(model.evaluate(member.inputs, output));
            } catch (RuntimeException e) {
                member.result.completeExceptionally(e);
            }
        }
    }

    /** Returns false if the inputs are too large, or the output has another number of rows. */
    private boolean runAtOnce(List<Member> members, int output) {
        int rows = members.stream().mapToInt(Member::rows).sum();
        var joined = new ArrayList<DenseTensor>();
        for (int i = 0; i < members.getFirst().inputs.size(); i++) {
            int number = i;
            List<DenseTensor> parts =
                    members.stream().map(member -> member.inputs.get(number)).toList();
            if (parts.stream().mapToLong(DenseTensor::size).sum() > DenseTensor.CELL_COUNT_MAX) {
                return false;
            }
            joined.add(joined(parts, rows));
        }
        DenseTensor all = model.evaluate(joined, output);
        if (!rows(List.of(all)).equals(OptionalInt.of(rows))) {
            return false;
        }
        int from = 0;
        for (Member member : members) {
            TensorType type = withRows(all.type(), member.rows);
            var cells = new double[type.cellCount()];
            for (int i = 0; i < cells.length; i++) {
                cells[i] = all.cell(from + i);
            }
            from += cells.length;
            member.result.complete(DenseTensor.of(type, cells));
        }
        return true;
    }

    private static DenseTensor joined(List<DenseTensor> parts, int rows) {
        TensorType type = withRows(parts.getFirst().type(), rows);
        var cells = new double[type.cellCount()];
        int at = 0;
        for (DenseTensor part : parts) {
            for (int i = 0; i < part.size(); i++) {
                cells[at] = part.cell(i);
                at++;
            }
        }
        return DenseTensor.of(type, cells);
    }

    /** Returns the size of the first dimension; empty if it is not the same in all tensors. */
    private static OptionalInt rows(List<DenseTensor> tensors) {
        OptionalInt rows = OptionalInt.empty();
        for (DenseTensor tensor : tensors) {
            List<Dimension> dimensions = tensor.type().dimensions();
            if (dimensions.isEmpty()
                    || !(dimensions.getFirst() instanceof Dimension.Indexed(_, int size))
                    || (rows.isPresent() && rows.getAsInt() != size)) {
                return OptionalInt.empty();
            }
            rows = OptionalInt.of(size);
        }
        return rows;
    }

    private static TensorType withRows(TensorType type, int rows) {
        var dimensions = new ArrayList<>(type.dimensions());
        dimensions.set(0, new Dimension.Indexed(dimensions.getFirst().name(), rows));
        return new TensorType(type.cellType(), dimensions);
    }
}
