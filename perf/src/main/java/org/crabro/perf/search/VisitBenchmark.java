package org.crabro.perf.search;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.Services;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.ProcessorTime;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Visits a node without HTTP: JSON of texts, of numbers and of vectors as hexadecimal digits, in
 * one slice and in two. Compares with jackson-core's generator, which writes the same values from
 * memory into a stream that drops them. Also measures a server in a process of its own that sends
 * the same documents over HTTP.
 */
public final class VisitBenchmark implements Benchmark {
    private static final int DOCUMENTS = Scale.of(20_000);
    private static final int FEEDERS = 64;

    /** The number of visits per figure, because processor time is reported in ticks of 10 ms. */
    private static final int PASSES = 10;

    private static final int WARMING_ROUNDS = 12;
    private static final double MB = 1e6;
    private static final TensorType VECTOR = TensorType.parse("tensor<bfloat16>(x[384])");
    private static final JsonFactory JSON = new JsonFactory();

    private static final DocumentType TEXTS =
            new DocumentType(
                    "texts",
                    List.of(
                            new Field("title", Primitive.STRING, true),
                            new Field("body", Primitive.STRING, true)));

    private static final DocumentType NUMBERS =
            new DocumentType(
                    "numbers",
                    List.of(
                            new Field("count", Primitive.INT, true),
                            new Field("time", Primitive.LONG, true),
                            new Field("price", Primitive.DOUBLE, true),
                            new Field("weight", Primitive.FLOAT, true),
                            new Field("samples", new FieldType.ArrayOf(Primitive.DOUBLE), true),
                            new Field("sizes", new FieldType.ArrayOf(Primitive.INT), true)));

    private static final DocumentType VECTORS =
            new DocumentType(
                    "vectors", List.of(new Field("v", new FieldType.TensorOf(VECTOR), true)));

    private static final List<DocumentType> TYPES = List.of(TEXTS, NUMBERS, VECTORS);

    private final List<DocumentType> types;

    public VisitBenchmark() {
        this(TYPES);
    }

    private VisitBenchmark(List<DocumentType> types) {
        this.types = types;
    }

    @Override
    public String name() {
        return "visit";
    }

    @Override
    public String summary() {
        return "JSON of %,d documents of each kind, visited, against a generator and over HTTP"
                .formatted(DOCUMENTS);
    }

    @Override
    public Optional<Benchmark> only(List<String> parts) {
        List<DocumentType> named =
                TYPES.stream().filter(type -> parts.contains(type.name())).toList();
        return named.size() == parts.size()
                ? Optional.of(new VisitBenchmark(named))
                : Optional.empty();
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        ContentSettings settings = ContentSettings.in(folder.resolve("data"));
        ContentNode node = ContentNode.open(settings);
        var schemas = new LinkedHashMap<String, Schema>();
        types.forEach(type -> schemas.put(type.name(), new Schema(type.name(), type, Map.of())));
        node.activate(new ApplicationModel(1, new Services(List.of(), List.of()), schemas));
        Map<DocumentType, List<Document>> documents = new LinkedHashMap<>();
        for (DocumentType type : types) {
            List<Document> ofType = documents(type);
            documents.put(type, ofType);
            feed(node, settings.place().partitions(), ofType);
        }
        node.flush();
        var lines = new ArrayList<String>();
        for (DocumentType type : types) {
            lines.add(lines(node, settings.place().partitions(), type));
        }
        VisitedServer server = VisitedServer.start(folder, lines);
        // The compiler of either process has had its time then.
        for (int i = 0; i < WARMING_ROUNDS; i++) {
            for (DocumentType type : types) {
                visitAll(node, settings.place().partitions(), type, VisitSlice.ALL);
                overHttp(server, type);
            }
        }
        return new Prepared() {
            @Override
            public void measure(Figures figures) throws Exception {
                for (Map.Entry<DocumentType, List<Document>> each : documents.entrySet()) {
                    VisitBenchmark.measure(
                            node,
                            server,
                            settings.place().partitions(),
                            each.getKey(),
                            each.getValue(),
                            figures);
                }
            }

            @Override
            public void close() {
                server.close();
                node.close();
            }
        };
    }

    private static List<Document> documents(DocumentType type) {
        var random = new Random(type.name().hashCode());
        var documents = new ArrayList<Document>();
        for (int i = 0; i < DOCUMENTS; i++) {
            Map<String, FieldValue> fields = new LinkedHashMap<>();
            for (Field field : type.fields()) {
                fields.put(field.name(), value(field, random));
            }
            documents.add(
                    new Document(
                            DocumentId.parse("id:perf:%s::%08d".formatted(type.name(), i)),
                            fields));
        }
        return documents;
    }

    private static FieldValue value(Field field, Random random) {
        return switch (field.type()) {
            case Primitive primitive -> primitive(primitive, field.name(), random);
            case FieldType.ArrayOf(Primitive element) ->
                    new FieldValue.ArrayValue(
                            IntStream.range(0, 20)
                                    .mapToObj(_ -> primitive(element, field.name(), random))
                                    .toList());
            case FieldType.TensorOf _ -> {
                var cells = new double[VECTOR.cellCount()];
                for (int i = 0; i < cells.length; i++) {
                    int bits = Float.floatToRawIntBits((float) random.nextGaussian());
                    cells[i] = Float.intBitsToFloat(bits & 0xffff0000);
                }
                yield new FieldValue.TensorValue(DenseTensor.of(VECTOR, cells));
            }
            default -> throw new IllegalArgumentException("no values of " + field);
        };
    }

    private static FieldValue primitive(Primitive type, String field, Random random) {
        return switch (type) {
            case STRING -> new FieldValue.StringValue(text(field.equals("body") ? 150 : 8, random));
            case INT -> new FieldValue.IntValue(random.nextInt(1_000_000));
            case LONG -> new FieldValue.LongValue(1_700_000_000_000L + random.nextInt());
            case FLOAT -> new FieldValue.FloatValue(random.nextFloat());
            case DOUBLE -> new FieldValue.DoubleValue(random.nextGaussian() * 100);
            default -> throw new IllegalArgumentException("no values of " + type);
        };
    }

    /** Returns words, few of them frequent, with some quotation marks. */
    private static String text(int words, Random random) {
        var text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            int word = (int) Math.pow(20_000, random.nextDouble());
            text.append(i == 0 ? "" : " ").append(Integer.toString(word * 7_919, 36));
            if (random.nextInt(40) == 0) {
                text.append(random.nextBoolean() ? "\"" : " größer");
            }
        }
        return text.toString();
    }

    private static void feed(ContentNode node, Partitions partitions, List<Document> documents)
            throws IOException {
        try (var threads = Executors.newFixedThreadPool(FEEDERS)) {
            List<Future<WriteReply>> replies = new ArrayList<>();
            for (Document document : documents) {
                replies.add(
                        threads.submit(() ->
                                node.write(
                                        header(),
                                        new Write.Operation(
                                                partitions.of(document.id().location()),
                                                ConditionalOperation.always(
                                                        new DocumentOperation.Put(document))),
                                        Optional.empty())));
            }
            for (Future<WriteReply> reply : replies) {
                if (!(reply.get() instanceof WriteReply.Stored)) {
                    throw new IOException("not stored: " + reply.get());
                }
            }
        } catch (InterruptedException | ExecutionException e) {
            throw new IOException(e);
        }
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(5)));
    }

    private static void measure(
            ContentNode node,
            VisitedServer server,
            Partitions partitions,
            DocumentType type,
            List<Document> documents,
            Figures figures)
            throws Exception {
        String name = type.name() + ": ";
        long cpu = ProcessorTime.nanos();
        long begin = System.nanoTime();
        long bytes = visitAll(node, partitions, type, VisitSlice.ALL);
        double seconds = (System.nanoTime() - begin) / 1e9;
        double rate = bytes / MB / ((ProcessorTime.nanos() - cpu) / 1e9);
        figures.add(name + "visit, per processor second", "MB", rate);

        cpu = ProcessorTime.nanos();
        long written = write(type, documents);
        double generator = written / MB / ((ProcessorTime.nanos() - cpu) / 1e9);
        figures.add(name + "generator, per processor second", "MB", generator);
        figures.add(name + "visit / generator", "", rate / generator);

        cpu = server.cpuNanos();
        long sent = overHttp(server, type);
        double http = sent / MB / ((server.cpuNanos() - cpu) / 1e9);
        figures.add(name + "over HTTP, per processor second of the server", "MB", http);
        figures.add(name + "over HTTP / without", "", http / rate);

        cpu = ProcessorTime.nanos();
        begin = System.nanoTime();
        long together = visitInTwo(node, partitions, type);
        double secondsOfTwo = (System.nanoTime() - begin) / 1e9;
        double rateOfTwo = together / MB / ((ProcessorTime.nanos() - cpu) / 1e9);
        if (together != bytes) {
            throw new IOException("two slices have %d bytes, not %d".formatted(together, bytes));
        }
        figures.add(name + "one slice / two, in time", "", seconds / secondsOfTwo);
        figures.add(name + "two slices / one, per processor second", "", rateOfTwo / rate);
    }

    private static long visitInTwo(ContentNode node, Partitions partitions, DocumentType type)
            throws Exception {
        try (var threads = Executors.newFixedThreadPool(2)) {
            Future<Long> first =
                    threads.submit(() -> visitAll(node, partitions, type, new VisitSlice(0, 2)));
            Future<Long> second =
                    threads.submit(() -> visitAll(node, partitions, type, new VisitSlice(1, 2)));
            return first.get() + second.get();
        }
    }

    /** Returns the bytes that came over HTTP in all passes. */
    private static long overHttp(VisitedServer server, DocumentType type) throws IOException {
        long bytes = 0;
        for (int i = 0; i < PASSES; i++) {
            bytes += server.visit(type.name());
        }
        return bytes;
    }

    /** Returns all documents of a type as lines that may be fed. */
    private static String lines(ContentNode node, Partitions partitions, DocumentType type)
            throws IOException {
        var lines = new StringBuilder();
        visit(
                node,
                partitions,
                type,
                VisitSlice.ALL,
                1,
                text -> lines.append(StandardCharsets.UTF_8.decode(text)));
        return lines.toString();
    }

    /** Returns the bytes of all pages in all passes, which are dropped. */
    private static long visitAll(
            ContentNode node, Partitions partitions, DocumentType type, VisitSlice slice)
            throws IOException {
        return visit(node, partitions, type, slice, PASSES, _ -> {});
    }

    /** Returns the bytes of all pages, of all passes. */
    private static long visit(
            ContentNode node,
            Partitions partitions,
            DocumentType type,
            VisitSlice slice,
            int passes,
            Consumer<ByteBuffer> reader)
            throws IOException {
        long bytes = 0;
        for (int i = 0; i < passes * partitions.count(); i++) {
            int partition = i % partitions.count();
            Optional<DocumentId> after = Optional.empty();
            do {
                VisitReply reply = node.visit(request(type, slice, partition, after));
                if (!(reply
                        instanceof
                        VisitReply.Page(
                                VisitReply.Contents.Json(var text),
                                var count,
                                var last,
                                _))) {
                    throw new IOException("no page: " + reply);
                }
                bytes += text.remaining();
                reader.accept(text);
                after = last;
            } while (after.isPresent());
        }
        return bytes;
    }

    private static VisitRequest request(
            DocumentType type, VisitSlice slice, int partition, Optional<DocumentId> after) {
        return new VisitRequest(
                header(),
                new VisitScope(partition, "", slice, after, 0, Long.MAX_VALUE),
                Map.of(type.name(), type.fields().stream().map(Field::name).toList()),
                false,
                new VisitForm.Json(VisitForm.Style.LINES, TensorFormat.HEX, false),
                new PageLimits(Integer.MAX_VALUE, 1 << 20));
    }

    /** Returns the bytes that the generator writes of the same documents, as often. */
    private static long write(DocumentType type, List<Document> documents) {
        var sink = new CountingStream();
        for (int pass = 0; pass < PASSES; pass++) {
            write(type, documents, sink);
        }
        return sink.count;
    }

    private static void write(DocumentType type, List<Document> documents, CountingStream sink) {
        for (Document document : documents) {
            try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), sink)) {
                json.writeStartObject();
                json.writeStringProperty("put", document.id().toString());
                json.writeObjectPropertyStart("fields");
                for (Field field : type.fields()) {
                    FieldValue value = document.fields().get(field.name());
                    if (value != null && !FieldValueWriter.isEmpty(value)) {
                        json.writeName(field.name());
                        FieldValueWriter.write(json, value, TensorFormat.HEX);
                    }
                }
                json.writeEndObject();
                json.writeEndObject();
            }
            sink.write('\n');
        }
    }

    /** Counts bytes and drops them. */
    private static final class CountingStream extends OutputStream {
        private long count;

        @Override
        public void write(int one) {
            count++;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            count += length;
        }
    }
}
