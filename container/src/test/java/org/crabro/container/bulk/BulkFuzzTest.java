package org.crabro.container.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.document.DocumentMetrics;
import org.crabro.container.document.DocumentParameters;
import org.crabro.container.document.DocumentPath;
import org.crabro.container.document.IndexedWrites;
import org.crabro.container.document.MapOfRows;
import org.crabro.container.document.NotesPackage;
import org.crabro.container.document.ServedTypes;
import org.crabro.container.route.SelectionFilter;
import org.crabro.document.FieldValue;
import org.crabro.protocol.wire.Principal;
import org.eclipse.jetty.io.Content;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random bodies, whole and broken, in random chunks: answered as declared, and to the model. */
class BulkFuzzTest {
    private static final int ROUNDS = 150;
    private static final int OPERATIONS_MAX = 60;
    private static final Set<Integer> DECLARED = Set.of(200, 400, 404, 412, 413, 429);
    private static final Pattern ANSWER =
            Pattern.compile("\\{\"line\":(\\d+),.*?\"status\":(\\d+).*", Pattern.DOTALL);

    /** Small, so that bodies have many pieces, long lines and full windows. */
    private static final BulkSettings SETTINGS =
            new BulkSettings(
                    2,
                    new BulkSettings.Input(256, 4, 2_000, 10_000),
                    new BulkSettings.Batches(7, 1_024, 3),
                    2,
                    Duration.ofSeconds(30));

    @TempDir static Path directory;

    private final long seed = Long.getLong("crabro.seed", 2026);
    private final Random random = new Random(seed);
    private final BulkAdmission admission = new BulkAdmission(SETTINGS, Duration.ofSeconds(10));
    private ApplicationModel model;

    @BeforeEach
    void start() throws IOException {
        model = NotesPackage.model(directory);
    }

    @AfterEach
    void stop() {
        admission.close();
        assertThat(admission.longLineBytes()).isZero();
    }

    /** The expected result of a line. */
    private record Expected(String line, int status) {}

    /** Years by id: the expected values of plain documents with one field. */
    private final class Years {
        private final Map<String, Integer> years = new HashMap<>();

        Expected next() {
            String id =
                    "id:ns:plain:" + (random.nextBoolean() ? "" : "g=a") + ":" + random.nextInt(6);
            int year = random.nextInt(4);
            Integer stored = years.get(id);
            boolean hasCondition = random.nextInt(3) == 0;
            boolean creates = random.nextInt(3) == 0;
            int wanted = random.nextInt(4);
            boolean holds = !hasCondition || (stored == null ? creates : stored == wanted);
            String members =
                    (hasCondition ? ",\"condition\":\"plain.year==%d\"".formatted(wanted) : "")
                            + (creates ? ",\"create\":true" : "");
            return switch (random.nextInt(6)) {
                case 0, 1 -> {
                    if (holds) {
                        years.put(id, year);
                    }
                    yield new Expected(
                            operation("put", id, "\"year\":" + year, members), holds ? 200 : 412);
                }
                case 2, 3 -> {
                    if (holds && (stored != null || creates)) {
                        years.merge(id, 1 + year, Integer::sum);
                    }
                    yield new Expected(
                            operation(
                                    "update",
                                    id,
                                    "\"year\":{\"increment\":%d}".formatted(1 + year),
                                    members),
                            holds ? 200 : 412);
                }
                case 4 -> {
                    boolean removes = !hasCondition || (stored != null && stored == wanted);
                    if (removes) {
                        years.remove(id);
                    }
                    yield new Expected(
                            "{\"remove\":\"%s\"%s}".formatted(id, members), removes ? 200 : 412);
                }
                default ->
                        new Expected("{\"get\":\"%s\"}".formatted(id), stored == null ? 404 : 200);
            };
        }

        private String operation(String name, String id, String fields, String members) {
            String whole = "\"%s\":\"%s\"".formatted(name, id);
            String tail = "\"fields\":{" + fields + "}";
            return random.nextInt(5) == 0
                    ? "{%s,%s%s}".formatted(tail, whole, members)
                    : "{%s,%s%s}".formatted(whole, tail, members);
        }

        Map<String, Integer> all() {
            return years;
        }
    }

    @Test
    void comesToWhatAMapComesTo() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var rows = new MapOfRows(model);
            var years = new Years();
            List<Expected> expected = new ArrayList<>();
            var body = new StringBuilder();
            boolean isArray = random.nextBoolean();
            for (int i = random.nextInt(OPERATIONS_MAX); i > 0; i--) {
                Expected next =
                        random.nextInt(12) == 0 ? new Expected(badLine(), 400) : years.next();
                body.append(expected.isEmpty() || !isArray ? "" : ",");
                body.append(next.line()).append('\n');
                expected.add(next);
            }
            String whole = isArray ? "[" + body + "]" : body.toString();

            List<String> answers = feed(rows, new Chunks(whole.getBytes(UTF_8), false), isArray);

            assertThat(statuses(answers))
                    .as("seed %d, round %d, body %s", seed, round, whole)
                    .isEqualTo(expected.stream().map(Expected::status).toList());
            assertThat(answers.getLast()).contains("\"complete\":true");
            Map<String, Integer> stored =
                    rows.documents().entrySet().stream()
                            .collect(
                                    Collectors.toMap(
                                            Map.Entry::getKey, each -> year(each.getValue())));
            assertThat(stored).as("seed %d, round %d", seed, round).isEqualTo(years.all());
        }
    }

    private static int year(Map<String, FieldValue> fields) {
        return fields.get("year") instanceof FieldValue.IntValue(int year) ? year : -1;
    }

    private String badLine() {
        return switch (random.nextInt(5)) {
            case 0 -> "{\"put\":\"id:ns:plain::x\",\"fields\":{\"year\":\"no\"}}";
            case 1 -> "{\"put\":\"id:ns:none::x\",\"fields\":{}}";
            case 2 -> "{\"update\":\"nothing\",\"fields\":{}}";
            case 3 -> "{\"remove\":7}";
            default -> "{}";
        };
    }

    /** Whatever is done to a body, each line has one answer that is declared, in order. */
    @Test
    void answersWhateverComesAsDeclared() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            var rows = new MapOfRows(model);
            byte[] body = broken();
            boolean isArray = random.nextBoolean();

            List<String> answers = feed(rows, new Chunks(body, random.nextInt(8) == 0), isArray);

            assertThat(statuses(answers)).as("seed %d, round %d", seed, round).isSubsetOf(DECLARED);
            assertThat(answers.getLast()).startsWith("{\"totals\":{");
            long last = 0;
            for (String answer : answers.subList(0, answers.size() - 1)) {
                Matcher matcher = ANSWER.matcher(answer);
                assertThat(matcher.matches()).as(answer).isTrue();
                long line = Long.parseLong(matcher.group(1));
                assertThat(line).as("seed %d, round %d", seed, round).isGreaterThan(last);
                last = line;
            }
        }
    }

    private byte[] broken() {
        var bytes = new ByteArrayOutputStream();
        var years = new Years();
        for (int i = random.nextInt(OPERATIONS_MAX); i > 0; i--) {
            String line =
                    switch (random.nextInt(8)) {
                        case 0 -> "[".repeat(random.nextInt(3_000));
                        case 1 ->
                                "{\"put\":\"id:ns:plain::deep\",\"fields\":{\"sparse\":%s1%s}}"
                                        .formatted(
                                                "{\"a\":".repeat(random.nextInt(300)),
                                                "}".repeat(random.nextInt(300)));
                        case 2 ->
                                "{\"put\":\"id:ns:plain::long\",\"fields\":{\"text\":\"%s\"}}"
                                        .formatted("x".repeat(random.nextInt(6_000)));
                        default -> years.next().line();
                    };
            byte[] text = line.getBytes(UTF_8);
            for (int change = random.nextInt(3); change > 0 && text.length > 0; change--) {
                text[random.nextInt(text.length)] = (byte) random.nextInt(256);
            }
            bytes.writeBytes(
                    random.nextInt(6) == 0
                            ? Arrays.copyOf(text, random.nextInt(text.length + 1))
                            : text);
            bytes.write(random.nextInt(10) == 0 ? '\r' : '\n');
        }
        return bytes.toByteArray();
    }

    /** A body in pieces of any size; some end with the exception of a broken compression. */
    private final class Chunks implements BodySource {
        private final ByteBuffer left;
        private final boolean breaks;

        Chunks(byte[] body, boolean breaks) {
            this.left = ByteBuffer.wrap(body);
            this.breaks = breaks;
        }

        @Override
        public int read(byte[] into, int offset, int length, boolean waits) {
            if (!left.hasRemaining()) {
                if (breaks) {
                    throw DocumentParameters.invalid("it breaks");
                }
                return -1;
            }
            if (!waits && random.nextInt(4) == 0) {
                return 0;
            }
            int count = Math.min(1 + random.nextInt(400), Math.min(length, left.remaining()));
            left.get(into, offset, count);
            return count;
        }
    }

    private static List<Integer> statuses(List<String> answers) {
        List<Integer> statuses = new ArrayList<>();
        for (String answer : answers) {
            Matcher matcher = ANSWER.matcher(answer);
            if (matcher.matches()) {
                statuses.add(Integer.parseInt(matcher.group(2)));
            }
        }
        return statuses;
    }

    private List<String> feed(MapOfRows rows, BodySource body, boolean isArray) throws Exception {
        var sent = new StringBuilder();
        Content.Sink sink =
                (_, bytes, callback) -> {
                    sent.append(UTF_8.decode(bytes));
                    callback.succeeded();
                };
        BulkOptions options = BulkOptions.withTimeout(Duration.ofMinutes(1));
        var filter = new SelectionFilter(model, rows, InstantSource.system());
        var lines = new AnswerLines(true);
        Optional<String> problem =
                new BulkRun(
                                new OperationLines(
                                        new BulkBackend(
                                                new ServedTypes(model, Map.of(), false),
                                                rows,
                                                filter,
                                                rows),
                                        new DocumentPath.Root(),
                                        BulkOptions.withTimeout(Duration.ofSeconds(30)),
                                        Principal.EVERYONE),
                                new LineWork(
                                        rows,
                                        rows,
                                        new IndexedWrites(rows, filter),
                                        new LineReads(rows, Principal.EVERYONE, options),
                                        Principal.EVERYONE,
                                        options),
                                admission,
                                new LineAnswers(
                                        lines,
                                        sink,
                                        new DocumentMetrics(new SimpleMeterRegistry())))
                        .run(isArray ? new ArrayBody(body) : body);
        lines.totals(problem, List.of());
        sent.append(UTF_8.decode(lines.take()));
        return sent.toString().lines().toList();
    }
}
