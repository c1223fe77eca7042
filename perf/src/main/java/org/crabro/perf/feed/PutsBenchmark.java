package org.crabro.perf.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.BulkWrites;
import org.crabro.container.document.JsonRowPuts;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.document.ServedTypes.ServedType;
import org.crabro.container.document.WriteParameters;
import org.crabro.container.document.WriteResult;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.json.LeftOutCells;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;

/**
 * Encodes the bodies of single puts as rows: directly from their bytes, and from parsed field
 * values. Runs on one thread; nothing is sent or stored.
 */
public final class PutsBenchmark implements Benchmark {
    private static final int BODIES = 256;
    private static final int PASSES = Scale.of(40);

    private static final String SCHEMA =
            """
            schema item {
              document item {
                struct part { field name type string {} field price type double {} }
                field title type string { indexing: index | summary }
                field body type string { indexing: index | summary }
                field year type int { indexing: attribute | summary }
                field vector type tensor<float>(x[384]) { indexing: attribute | summary }
                field tags type weightedset<string> { indexing: summary }
                field notes type map<string, string> { indexing: summary }
                field parts type array<part> { indexing: summary }
                field place type position { indexing: summary }
                field weights type tensor<float>(word{}) { indexing: attribute | summary }
                field chunks type tensor<float>(chunk{},x[8]) { indexing: attribute | summary }
              }
            }
            """;

    @Override
    public String name() {
        return "puts";
    }

    @Override
    public String summary() {
        return "bodies of single puts into rows, straight against through values";
    }

    @Override
    public Prepared prepare(Path folder) throws Exception {
        Files.createDirectory(folder.resolve("schemas"));
        Files.writeString(folder.resolve("services.xml"), BulkBenchmark.SERVICES);
        Files.writeString(folder.resolve("schemas/item.sd"), SCHEMA);
        ApplicationModel model = ApplicationCompiler.compile(DirectoryFiles.of(folder), 1).model();
        var types = new ServedTypes(model, Map.of(), false);
        var filter =
                new SelectionFilter(
                        model,
                        (_, _, _) -> {
                            throw new IllegalStateException("nothing is stored");
                        },
                        InstantSource.system());
        var unwritten = new Unwritten();
        var straight = new JsonRowPuts(types, unwritten, filter.filter(unwritten));
        ServedType type = types.get("item");
        DocumentId id = DocumentId.parse("id:perf:item:g=user:1");
        var texts = new MailTexts(7);
        var random = new Random(11);
        Map<String, List<byte[]>> kinds = new LinkedHashMap<>();
        kinds.put(
                "text",
                bodies(i ->
                        "\"title\":\"Mail number %d\",\"body\":%s,\"year\":%d"
                                .formatted(i, BulkBenchmark.quoted(texts.body(i)), i)));
        kinds.put(
                "hex",
                bodies(i ->
                        "\"year\":%d,\"vector\":\"%s\"".formatted(i, BulkBenchmark.hex(random))));
        kinds.put(
                "numbers",
                bodies(i -> "\"year\":%d,\"vector\":%s".formatted(i, BulkBenchmark.list(random))));
        kinds.put("parts", bodies(PutsBenchmark::parts));
        return figures ->
                kinds.forEach((kind, bodies) -> {
                    compareRows(straight, type, id, bodies);
                    Cost values = cost(bodies, body -> values(type, id, body));
                    Cost direct = cost(bodies, body -> direct(straight, id, body));
                    figures.add(kind + ": straight", "ns", direct.nanos());
                    figures.add(kind + ": through values", "ns", values.nanos());
                    figures.add(
                            kind + ": through values over straight",
                            "",
                            values.nanos() / direct.nanos());
                    figures.add(kind + ": straight allocates", "bytes", direct.bytes());
                    figures.add(kind + ": through values allocates", "bytes", values.bytes());
                    figures.add(
                            kind + ": body",
                            "bytes",
                            (double) bodies.stream().mapToInt(each -> each.length).sum() / BODIES);
                });
    }

    private static List<byte[]> bodies(IntFunction<String> fields) {
        return IntStream.range(0, BODIES)
                .mapToObj(i -> ("{\"fields\":{" + fields.apply(i) + "}}").getBytes(UTF_8))
                .toList();
    }

    /** Fields that have parts, eight of each. */
    private static String parts(int i) {
        return "\"tags\":{%s},\"notes\":{%s},\"parts\":[%s],\"place\":{\"lat\":%d.5,\"lng\":3.25},"
                        .formatted(
                                eight("\"tag %d\":%<d", i),
                                eight("\"note %d\":\"about %<d\"", i),
                                eight("{\"price\":%d.25,\"name\":\"part %<d\"}", i),
                                i % 90)
                + "\"weights\":{%s},\"chunks\":{\"blocks\":{%s}}"
                        .formatted(
                                eight("\"word%d\":0.%<d", i),
                                eight("\"%d\":[1,2,0.5,%<d,5,6,7,8]", i));
    }

    private static String eight(String format, int first) {
        return IntStream.range(first, first + 8)
                .mapToObj(i -> format.formatted(1_000 - i))
                .collect(Collectors.joining(","));
    }

    /** The cost of one body. */
    private record Cost(double nanos, double bytes) {}

    private interface Encoding {
        byte[] row(byte[] body);
    }

    private static byte[] direct(JsonRowPuts bodies, DocumentId id, byte[] body) {
        return Objects.requireNonNull(
                        bodies.read(id, body, WriteParameters.NONE, () -> {}),
                        "a body is not read straight")
                .bytes();
    }

    private static byte[] values(ServedType type, DocumentId id, byte[] body) {
        DocumentType of = type.schema().documentType();
        Document read =
                type.reader()
                        .read(id, new ByteArrayInputStream(body), LeftOutCells.UNCOUNTED)
                        .document();
        Document document = type.processor().process(read);
        return RowEncoding.encode(new Row(id, 0, of.fingerprint(), false, document.fields()), of);
    }

    private static void compareRows(
            JsonRowPuts straight, ServedType type, DocumentId id, List<byte[]> bodies) {
        for (byte[] body : bodies) {
            if (!Arrays.equals(direct(straight, id, body), values(type, id, body))) {
                throw new IllegalStateException("both rows differ: " + new String(body, UTF_8));
            }
        }
    }

    private static Cost cost(List<byte[]> bodies, Encoding encoding) {
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long bytes = threads.getCurrentThreadAllocatedBytes();
        // The time of this thread only; other threads may work at the same time.
        long begin = threads.getCurrentThreadCpuTime();
        long sum = 0;
        for (int pass = 0; pass < PASSES; pass++) {
            for (byte[] body : bodies) {
                sum += encoding.row(body).length;
            }
        }
        double nanos = threads.getCurrentThreadCpuTime() - begin;
        if (sum == 0) {
            throw new IllegalStateException("rows are empty");
        }
        double count = (double) PASSES * bodies.size();
        return new Cost(nanos / count, (threads.getCurrentThreadAllocatedBytes() - bytes) / count);
    }

    /** Returns the partitions of documents, and writes nothing. */
    private static final class Unwritten implements BulkWrites {
        @Override
        public int partition(DocumentId id) {
            return Partitions.DEFAULT.of(id.location());
        }

        @Override
        public List<WriteResult> write(
                Principal principal, Deadline deadline, List<Write.Row> writes) {
            throw new IllegalStateException("nothing is stored");
        }

        @Override
        public WriteResult write(Principal principal, Deadline deadline, Write.Row row) {
            throw new IllegalStateException("nothing is stored");
        }
    }
}
