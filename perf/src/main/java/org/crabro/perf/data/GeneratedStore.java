package org.crabro.perf.data;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.crabro.config.application.ApplicationFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.MemorySettings;
import org.crabro.content.node.NodePlace;
import org.crabro.content.node.ThreadSettings;
import org.crabro.content.search.execution.ScanLimits;
import org.crabro.content.search.parent.ParentViews;
import org.crabro.content.storage.commit.JournalSettings;
import org.crabro.content.storage.store.ContentStatistics;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.TensorType;

/**
 * A content node in this process with generated documents of generated users: vectors, {@code
 * item}s of about 800 bytes, and mails of about 1 KB.
 *
 * <p>Documents are passed to the node in the form of the container, without HTTP.
 */
public final class GeneratedStore implements AutoCloseable {
    static final int CELLS = 384;
    public static final int VECTOR_SIZE = CELLS * Short.BYTES;

    private static final int WRITERS = 64;
    private static final int SCATTERERS = 512;
    private static final long RECENT_BYTES = 2L << 30;
    private static final int SEED = 2026;
    private static final int WORDS_PER_MAIL = 150;
    private static final int SOME_VECTORS = 256;
    private static final int VOCABULARY = 20_000;
    private static final TensorType FIELD = TensorType.parse("tensor<bfloat16>(x[384])");
    private static final TensorType QUERY = TensorType.parse("tensor<float>(x[384])");

    /** Documents with a vector, which are ranked by how near it is. */
    public static final String ITEM_SCHEMA =
            """
            schema item {
              document item {
                field id type int { indexing: summary | attribute }
                field embedding type tensor<bfloat16>(x[384]) {
                  indexing: attribute
                  attribute { distance-metric: angular }
                }
              }
              document-summary minimal { summary id {} }
              rank-profile near {
                inputs { query(q) tensor<float>(x[384]) }
                first-phase { expression: closeness(field, embedding) }
              }
            }
            """;

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    OneCluster.services("personal", "item", "mail"),
                    "schemas/item.sd",
                    ITEM_SCHEMA,
                    "schemas/mail.sd",
                    """
                    schema mail {
                      document mail {
                        field id type int { indexing: summary | attribute }
                        field body type string { indexing: summary | index }
                      }
                      document-summary minimal { summary id {} }
                      rank-profile plain {
                        first-phase { expression: attribute(id) }
                      }
                    }
                    """);

    /** A user and how many documents they have. */
    public record User(String type, String group, int documents) {}

    private final ContentNode node;
    private final Partitions partitions;

    private final List<FieldValue> vectors;

    private GeneratedStore(ContentNode node, Partitions partitions) {
        this.node = node;
        this.partitions = partitions;
        var random = new Random(SEED);
        this.vectors =
                IntStream.range(0, SOME_VECTORS)
                        .mapToObj(
                                _ -> (FieldValue) new FieldValue.TensorValue(vector(FIELD, random)))
                        .toList();
    }

    /**
     * Opens the store in {@code folder}, which takes so much before it flushes that a user's
     * documents are flushed together.
     *
     * @param threadsPerQuery the most that a query gets
     */
    public static GeneratedStore open(Path folder, int threadsPerQuery) throws IOException {
        return open(folder, threadsPerQuery, recent(RECENT_BYTES), true);
    }

    /** Returns settings with a journal of twice the size of recent documents. */
    public static RecentSettings recent(long recentBytes) {
        JournalSettings usual = JournalSettings.DEFAULT;
        var journal =
                new JournalSettings(
                        2 * recentBytes,
                        usual.segmentBytes(),
                        usual.spareSegments(),
                        usual.spareAge(),
                        usual.waitingWrites(),
                        usual.waitingBytes());
        return RecentSettings.DEFAULT.withRecentBytes(recentBytes).withJournal(journal);
    }

    /**
     * Opens the store in {@code folder}.
     *
     * @param flushOnClose whether closing flushes everything, so that nothing is replayed
     */
    public static GeneratedStore open(
            Path folder, int threadsPerQuery, RecentSettings recent, boolean flushOnClose)
            throws IOException {
        ContentSettings defaults = ContentSettings.in(folder);
        var settings =
                new ContentSettings(
                        new NodePlace(
                                folder,
                                defaults.place().partitions(),
                                defaults.place().owned(),
                                defaults.place().stateVersion()),
                        recent,
                        new ThreadSettings(
                                defaults.threads().readThreads(),
                                defaults.threads().waitingReads(),
                                defaults.threads().scanThreads(),
                                threadsPerQuery),
                        defaults.upkeep().withFlushOnClose(flushOnClose),
                        new MemorySettings(
                                MemorySettings.postingsBytesByDefault(),
                                MemorySettings.vectorBytesByDefault(),
                                64L << 20,
                                64L << 20,
                                ParentViews.ROWS_MAX),
                        ScanLimits.DEFAULT);
        ContentNode node = ContentNode.open(settings);
        node.activate(compiled(PACKAGE));
        return new GeneratedStore(node, settings.place().partitions());
    }

    /**
     * Returns a compiled package.
     *
     * @param texts of its files, by path
     */
    public static ApplicationModel compiled(Map<String, String> texts) {
        return ApplicationCompiler.compile(new PackageFiles(new TreeMap<>(texts)), 1).model();
    }

    /** A package in memory. */
    private record PackageFiles(SortedMap<String, String> texts) implements ApplicationFiles {
        @Override
        public SortedSet<String> paths() {
            return new TreeSet<>(texts.keySet());
        }

        @Override
        public Optional<String> text(String path) {
            return Optional.ofNullable(texts.get(path));
        }

        @Override
        public Optional<Path> location(String path) {
            return Optional.empty();
        }
    }

    /** Feeds one user after another and flushes; the documents of a user are contiguous. */
    public void feed(List<User> users) throws IOException, InterruptedException {
        write(users);
        node.flush();
    }

    /** Feeds one user after another. */
    public void write(List<User> users) throws IOException, InterruptedException {
        try (ExecutorService writers = Executors.newFixedThreadPool(WRITERS)) {
            for (User user : users) {
                var parts = new ArrayList<Future<?>>();
                for (int writer = 0; writer < Math.min(WRITERS, user.documents()); writer++) {
                    int first = writer;
                    parts.add(writers.submit(() -> feed(user, first)));
                }
                for (Future<?> part : parts) {
                    part.get();
                }
            }
        } catch (ExecutionException e) {
            throw new IOException(e.getCause());
        }
    }

    private void feed(User user, int first) {
        for (int i = first; i < user.documents(); i += WRITERS) {
            var id =
                    new DocumentId(
                            "perf", user.type(), new LocationKey.Group(user.group()), "" + i);
            var random = new Random(SEED + 31L * user.group().hashCode() + i);
            FieldValue content =
                    user.type().equals("item")
                            ? new FieldValue.TensorValue(vector(FIELD, random))
                            : new FieldValue.StringValue(mail(random));
            String field = user.type().equals("item") ? "embedding" : "body";
            var document =
                    new Document(id, Map.of("id", new FieldValue.IntValue(i), field, content));
            put(document);
        }
    }

    /**
     * Writes vectors of users with equally many documents, a user's far from each other, from many
     * threads.
     */
    public void scatter(List<User> users) throws InterruptedException, ExecutionException {
        long count = (long) users.size() * users.getFirst().documents();
        var next = new AtomicLong();
        Items.onThreads(
                Executors.newVirtualThreadPerTaskExecutor(),
                SCATTERERS,
                () -> {
                    for (long i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        User user = users.get((int) (i % users.size()));
                        putItem(new LocationKey.Group(user.group()), (int) (i / users.size()));
                    }
                });
    }

    private void put(Document document) {
        Items.check(
                node.write(
                        header(),
                        new Write.Operation(
                                partitions.of(document.id().location()),
                                ConditionalOperation.always(new DocumentOperation.Put(document))),
                        Optional.empty()));
    }

    /** Writes a document with one of a few vectors into a group of its own kind. */
    public void putItem(int number, int groups) {
        putItem(new LocationKey.Group("other" + number % groups), number);
    }

    private void putItem(LocationKey group, int number) {
        put(
                new Document(
                        new DocumentId("perf", "item", group, "" + number),
                        Map.of(
                                "id",
                                new FieldValue.IntValue(number),
                                "embedding",
                                vectors.get(number % vectors.size()))));
    }

    public ContentStatistics statistics() {
        return node.statistics();
    }

    private static DenseTensor vector(TensorType type, Random random) {
        double[] cells = new double[CELLS];
        for (int i = 0; i < CELLS; i++) {
            // As many bits as a bfloat16 has, so that it holds the number as it is.
            cells[i] = random.nextInt(256) / 256.0;
        }
        return DenseTensor.of(type, cells);
    }

    /** About 1 KB; some words are in most mails and most words in few. */
    private static String mail(Random random) {
        var text = new StringBuilder();
        for (int i = 0; i < WORDS_PER_MAIL; i++) {
            double share = random.nextDouble();
            text.append(word((int) (Math.pow(share, 4) * VOCABULARY))).append(' ');
        }
        return text.toString();
    }

    private static String word(int number) {
        return Integer.toString(number * 7_919 + 46_656, Character.MAX_RADIX);
    }

    /** Returns the node with the documents. */
    public ContentNode node() {
        return node;
    }

    /** Searches a user's documents: nearest neighbors in items, a word in mails. */
    public SearchReply.Found search(User user, int seed) {
        return search(user, seed, node::search);
    }

    /**
     * Searches a user's documents.
     *
     * @param nodes sends the request to the node
     */
    public SearchReply.Found search(
            User user, int seed, Function<SearchRequest, SearchReply> nodes) {
        boolean isItem = user.type().equals("item");
        var random = new Random(seed);
        QueryNode tree =
                isItem
                        ? new QueryNode.NearestNeighbor(
                                "embedding", "q", 10, OptionalDouble.empty(), TermSettings.DEFAULT)
                        : new QueryNode.Term(
                                "body", word(random.nextInt(VOCABULARY)), TermSettings.DEFAULT);
        Map<String, QueryInput> inputs =
                isItem ? Map.of("q", new QueryInput.TensorInput(vector(QUERY, random))) : Map.of();
        int partition =
                partitions.of(
                        new DocumentId(
                                        "perf",
                                        user.type(),
                                        new LocationKey.Group(user.group()),
                                        "0")
                                .location());
        SearchReply reply =
                nodes.apply(
                        new SearchRequest(
                                header(),
                                new SearchScope(
                                        List.of(partition),
                                        user.type(),
                                        new Scope.Group(user.group()),
                                        List.of()),
                                new RankedQuery(
                                        tree,
                                        new RankSettings(
                                                isItem ? "near" : "plain",
                                                inputs,
                                                RankSettings.Statistics.NONE,
                                                0)),
                                new HitSettings(
                                        10, List.of(), new SummarySettings("minimal", List.of())),
                                GroupingSettings.NONE,
                                new ReplySettings(false, 0)));
        if (reply instanceof SearchReply.Found hits
                && hits.report().coverage().documents() == user.documents()) {
            return hits;
        }
        throw new IllegalStateException("not all of %s was found: %s".formatted(user, reply));
    }

    /** Returns a request for the next mails of a user as JSON of {@code bytes}. */
    public VisitRequest visit(User user, int bytes) {
        var key = new LocationKey.Group(user.group());
        return new VisitRequest(
                header(),
                new VisitScope(
                        partitions.of(new DocumentId("perf", user.type(), key, "0").location()),
                        "id.group == \"" + user.group() + "\"",
                        VisitSlice.ALL,
                        Optional.empty(),
                        0,
                        Long.MAX_VALUE),
                Map.of(user.type(), List.of("id", "body")),
                false,
                new VisitForm.Json(VisitForm.Style.LIST, TensorFormat.SHORT, false),
                new PageLimits(Integer.MAX_VALUE, bytes));
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(1)));
    }

    /** Returns {@code count} users with {@code documents} each. */
    public static List<User> users(String type, int count, int documents) {
        return IntStream.range(0, count)
                .mapToObj(i -> new User(type, "%s%d-%d".formatted(type, documents, i), documents))
                .toList();
    }

    @Override
    public void close() {
        node.close();
    }
}
