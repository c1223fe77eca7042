package org.crabro.perf.data;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.wire.Deadline;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/** Documents of 800 bytes, a vector and a number each, in random groups, as a store takes them. */
public final class Items {
    public static final int ROW_BYTES = 800;

    private static final int BATCH = 512;
    private static final int FEEDERS = 4;
    private static final int VECTORS = 4_096;
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[352])");

    /** The number and the cells of a document. */
    public static final int VALUE_BYTES = Integer.BYTES + VECTOR.cellCount() * Short.BYTES;

    public static final DocumentType TYPE =
            new DocumentType(
                    "item",
                    List.of(
                            new Field("number", FieldType.Primitive.INT, true),
                            new Field("vector", new FieldType.TensorOf(VECTOR), true)));

    private final int groups;
    private final List<FieldValue> vectors;

    /**
     * @param groups how many groups there are
     */
    public Items(int groups) {
        this.groups = groups;
        var random = new Random(17);
        this.vectors = IntStream.range(0, VECTORS).mapToObj(_ -> vector(random)).toList();
    }

    private static FieldValue vector(Random random) {
        var cells = new double[VECTOR.cellCount()];
        for (int cell = 0; cell < cells.length; cell++) {
            cells[cell] = random.nextInt(256) / 256.0;
        }
        return new FieldValue.TensorValue(DenseTensor.of(VECTOR, cells));
    }

    /** Returns the document of a number, the same each time. */
    public Write.Row write(int number) {
        var random = new Random(number * 0x9e3779b97f4a7c15L);
        FieldValue vector = vectors.get(random.nextInt(VECTORS));
        return write(number, vector, "g=user%d:%d".formatted(random.nextInt(groups), number));
    }

    /**
     * Returns the document of a number.
     *
     * @param idEnd the end of the id, after the type
     */
    public Write.Row write(int number, String idEnd) {
        var random = new Random(number * 0x9e3779b97f4a7c15L);
        return write(number, vectors.get(random.nextInt(VECTORS)), idEnd);
    }

    private static Write.Row write(int number, FieldValue vector, String idEnd) {
        return write(
                DocumentId.parse("id:p:item:" + idEnd),
                TYPE,
                Map.of("number", new FieldValue.IntValue(number), "vector", vector));
    }

    /** Returns the documents 0 to {@code count} - 1. */
    public List<Write.Row> writes(int count) {
        return IntStream.range(0, count).mapToObj(this::write).toList();
    }

    public static Write.Row write(
            DocumentId id, DocumentType type, Map<String, ? extends FieldValue> fields) {
        var row = new Row(id, 0, type.fingerprint(), false, Map.copyOf(fields));
        int partition = Partitions.DEFAULT.of(id.location());
        return new Write.Row(partition, id, RowEncoding.encode(row, type));
    }

    /** Writes documents from several threads, many a call, and returns the bytes of their rows. */
    public static long feed(DocumentStore store, int count, IntFunction<Write.Row> documents)
            throws Exception {
        var next = new AtomicInteger();
        var bytes = new LongAdder();
        onThreads(
                Executors.newFixedThreadPool(FEEDERS),
                FEEDERS,
                () -> {
                    for (int from = next.getAndAdd(BATCH);
                            from < count;
                            from = next.getAndAdd(BATCH)) {
                        List<Write.Row> writes =
                                IntStream.range(from, Math.min(count, from + BATCH))
                                        .mapToObj(documents)
                                        .toList();
                        store.write(writes, List.of(), soon()).forEach(Items::check);
                        bytes.add(bytes(writes));
                    }
                });
        return bytes.sum();
    }

    public static long bytes(List<Write.Row> writes) {
        return writes.stream().mapToLong(write -> write.bytes().length).sum();
    }

    public static void onThreads(ExecutorService threads, int count, Runnable work)
            throws InterruptedException, ExecutionException {
        try (threads) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                running.add(threads.submit(work));
            }
            for (Future<?> each : running) {
                each.get();
            }
        }
    }

    public static void check(WriteReply reply) {
        if (!(reply instanceof WriteReply.Stored)) {
            throw new IllegalStateException("not stored: " + reply);
        }
    }

    public static Deadline soon() {
        return Deadline.after(Duration.ofMinutes(10));
    }
}
