package org.crabro.container.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.crabro.config.services.ModelApi.Batching;
import org.crabro.document.memory.MemoryShare;
import org.crabro.ranking.onnx.ModelFailedException;
import org.crabro.ranking.onnx.RunDeadline;
import org.crabro.ranking.onnx.threads.ModelBusyException;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;

/**
 * Evaluates concurrent requests to one model in one run. The first dimension of all inputs counts
 * rows; the rows of the requests follow each other. A batch waits for further requests and runs the
 * model on a virtual thread of its own, so that a request whose deadline passes does not wait for
 * the others. The run of a batch waits for a free core until the latest deadline of its requests.
 * Safe for use by many threads.
 */
final class RequestBatches implements AutoCloseable {
    /** Copies of a cell of an input: in the joined input, and those of the run. */
    private static final int JOINED_BYTES = 3 * Double.BYTES;

    private static final String TOO_LATE = "no core was free for the model in time";

    private final Model model;
    private final Batching batching;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition isIdle = lock.newCondition();

    /** Batches that wait for further requests; guarded by the lock. */
    private final Map<Key, Batch> open = new HashMap<>();

    /** Batches that have not ended; guarded by the lock. */
    private int batches;

    /** Evaluates a model. */
    interface Model {
        DenseTensor evaluate(List<DenseTensor> inputs, int output);
    }

    /** What requests of one batch have in common: the output, and the types of single rows. */
    private record Key(int output, List<TensorType> rows) {}

    /**
     * A request.
     *
     * @param deadline until which it waits for the start of a run, on the scale of {@link
     *     System#nanoTime()}
     */
    private record Member(
            List<DenseTensor> inputs,
            int rows,
            long deadline,
            CompletableFuture<DenseTensor> result) {
        long nanosLeft() {
            return deadline - System.nanoTime();
        }

        /** Returns whether a run is still of use to it; ends it if its deadline has passed. */
        boolean isWaiting() {
            if (nanosLeft() <= 0) {
                result.completeExceptionally(new ModelBusyException(TOO_LATE));
            }
            return !result.isDone();
        }
    }

    /** The requests of a batch; guarded by the lock until the batch is closed to others. */
    private static final class Batch {
        private final List<Member> members = new ArrayList<>();
        private final Condition isFull;
        private volatile boolean hasStarted;

        Batch(Condition isFull) {
            this.isFull = isFull;
        }
    }

    RequestBatches(Model model, Batching batching) {
        this.model = model;
        this.batching = batching;
    }

    /**
     * Returns the result for the inputs of a request.
     *
     * @throws ModelFailedException if the model rejects them
     * @throws ModelBusyException if no run with them starts before {@link RunDeadline}
     * @throws org.crabro.document.memory.MemoryRefusedException if there is no memory for the
     *     joined inputs
     */
    DenseTensor evaluate(List<DenseTensor> inputs, int output) {
        OptionalInt rows = rows(inputs);
        if (rows.isEmpty()) {
            return model.evaluate(inputs, output);
        }
        var key = new Key(output, inputs.stream().map(input -> withRows(input.type(), 1)).toList());
        var member =
                new Member(inputs, rows.getAsInt(), RunDeadline.nanos(), new CompletableFuture<>());
        // The thread of a batch works for several requests, so each charges its own part here.
        MemoryShare memory = MemoryShare.current();
        try (MemoryShare joined = memory.part()) {
            joined.charge(JOINED_BYTES * inputs.stream().mapToLong(DenseTensor::size).sum());
            DenseTensor result = result(member, join(key, member));
            memory.charge((long) Double.BYTES * result.size());
            return result;
        }
    }

    /** Adds a request to the open batch, or to a new one. */
    private Batch join(Key key, Member member) {
        lock.lock();
        try {
            Batch pending = open.get(key);
            Batch batch = pending == null ? new Batch(lock.newCondition()) : pending;
            batch.members.add(member);
            if (pending == null) {
                open.put(key, batch);
                batches++;
                Thread.ofVirtual().name("model-batch").start(() -> run(key, batch));
            } else if (batch.members.size() >= batching.size()) {
                open.remove(key, batch);
                batch.isFull.signal();
            }
            return batch;
        } finally {
            lock.unlock();
        }
    }

    private static DenseTensor result(Member member, Batch batch) {
        try {
            try {
                return member.result.get(Math.max(0, member.nanosLeft()), TimeUnit.NANOSECONDS);
            } catch (TimeoutException _) {
                if (!batch.hasStarted) {
                    member.result.completeExceptionally(new ModelBusyException(TOO_LATE));
                }
                // The time of a run is not limited, nor is it for a request alone.
                return member.result.get();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            var interrupted = new ModelBusyException("the wait for the model was interrupted");
            member.result.completeExceptionally(interrupted);
            throw interrupted;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException("the model cannot run", e.getCause());
        }
    }

    /** Waits for further requests, and runs the model. */
    private void run(Key key, Batch batch) {
        try {
            complete(batch, collected(key, batch), key.output);
        } finally {
            lock.lock();
            try {
                batches--;
                isIdle.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    private List<Member> collected(Key key, Batch batch) {
        lock.lock();
        try {
            long left = batching.delay().toNanos();
            while (left > 0 && batch.members.size() < batching.size()) {
                left = batch.isFull.awaitNanos(left);
            }
        } catch (InterruptedException _) {
            // No thread interrupts this one. If one did, the batch would begin at once.
            Thread.currentThread().interrupt();
        } finally {
            open.remove(key, batch);
            lock.unlock();
        }
        return batch.members;
    }

    /** Completes all members, with a result or with a failure. */
    private void complete(Batch batch, List<Member> all, int output) {
        List<Member> members = all.stream().filter(Member::isWaiting).toList();
        try {
            if (members.size() > 1 && runAtOnce(batch, members, output)) {
                return;
            }
        } catch (ModelFailedException _) {
            // The inputs of one request may be the reason; the others get their results below.
        } catch (RuntimeException e) {
            members.forEach(member -> member.result.completeExceptionally(e));
            return;
        } catch (Error e) {
            members.forEach(member -> member.result.completeExceptionally(e));
            throw e;
        }
        for (Member member : members) {
            if (!member.isWaiting()) {
                continue;
            }
            try {
                member.result.complete(
                        run(batch, member.deadline, () -> model.evaluate(member.inputs, output)));
            } catch (RuntimeException e) {
                member.result.completeExceptionally(e);
            } catch (Error e) {
                members.forEach(each -> each.result.completeExceptionally(e));
                throw e;
            }
        }
    }

    private static DenseTensor run(Batch batch, long deadline, Supplier<DenseTensor> evaluation) {
        return RunDeadline.within(deadline, () -> batch.hasStarted = true, evaluation);
    }

    private static long latestDeadline(List<Member> members) {
        long now = System.nanoTime();
        return now + members.stream().mapToLong(each -> each.deadline - now).max().orElseThrow();
    }

    /** Returns false if the inputs are too large, or the output has another number of rows. */
    private boolean runAtOnce(Batch batch, List<Member> members, int output) {
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
        DenseTensor all = run(batch, latestDeadline(members), () -> model.evaluate(joined, output));
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

    /**
     * Waits for the batches in progress. No call may be in progress, except one that is too late.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            while (batches > 0) {
                isIdle.awaitUninterruptibly();
            }
        } finally {
            lock.unlock();
        }
    }
}
