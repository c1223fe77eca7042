package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.config.schema.SummaryRules;
import org.crabro.config.schema.ValueRules;
import org.crabro.content.search.execution.Archive;
import org.crabro.content.search.execution.GroupText;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.search.execution.RandomGroupings;
import org.crabro.content.search.execution.RandomQueries;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.LogFiles;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.Document;
import org.crabro.document.LocationKey;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.grouping.Group;
import org.crabro.protocol.grouping.GroupWindow;
import org.crabro.protocol.grouping.GroupingRequest;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.QueryInput;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.tensor.DenseTensor;
import org.junit.jupiter.api.Test;

/** Searches two nodes with the same documents. One of them has indexes. */
class IndexedSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROUNDS = Integer.getInteger("crabro.histories", 3);
    private static final int STEPS = 50;

    private static final Map<String, QueryInput> INPUTS =
            Map.of(
                    "q",
                    new QueryInput.TensorInput(
                            DenseTensor.of(Mails.VECTOR, new double[] {1, 0, -1, 2})),
                    "b",
                    new QueryInput.TensorInput(DenseTensor.of(Mails.BITS, new double[] {3, -4})));

    private static final List<QueryNode.AnyOf.Kind> KINDS =
            List.of(
                    QueryNode.AnyOf.Kind.IN,
                    QueryNode.AnyOf.Kind.WEIGHTED_SET,
                    QueryNode.AnyOf.Kind.DOT_PRODUCT);

    private static final List<String> PROFILES = Mails.PROFILES.keySet().stream().sorted().toList();

    /** One history of both nodes. */
    private static final class History implements AutoCloseable {
        private final long seed;
        private final Random random;
        private final RandomQueries queries;
        private final List<Document> documents;
        private final LogFiles files = new MemoryLogFiles();
        private final IndexSettings settings;
        private final NodeFixture indexed;
        private final NodeFixture scanned;
        private int answered;
        private int scored;

        History(long seed) throws IOException {
            this.seed = seed;
            this.random = new Random(seed);
            this.queries = new RandomQueries(seed);
            try (var archive = new Archive(seed, 120)) {
                this.documents = archive.documents();
            }
            this.settings =
                    new IndexSettings(
                            random.nextBoolean(),
                            1 + random.nextInt(8),
                            1 << 20,
                            1 << 20,
                            1 + random.nextInt(3));
            this.indexed =
                    NodeFixture.open(NodeFixture.settings().withIndex(settings), files)
                            .serving(NodeFixture.model(Map.of("mail", schema())));
            this.scanned =
                    NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles())
                            .serving(NodeFixture.model(Map.of("mail", schema())));
        }

        void run() throws IOException {
            for (int step = 0; step < STEPS; step++) {
                String what = step();
                for (int i = 0; i < 4; i++) {
                    compare("step %d, after %s".formatted(step, what));
                }
            }
        }

        private String step() throws IOException {
            return switch (random.nextInt(12)) {
                case 0, 1, 2, 3 -> {
                    for (int i = random.nextInt(40); i > 0; i--) {
                        Document put = documents.get(random.nextInt(documents.size()));
                        both(
                                indexed.put(put.id(), put.fields()),
                                scanned.put(put.id(), put.fields()));
                    }
                    yield "puts";
                }
                case 4 -> {
                    for (int i = random.nextInt(10); i > 0; i--) {
                        Document gone = documents.get(random.nextInt(documents.size()));
                        both(indexed.remove(gone.id()), scanned.remove(gone.id()));
                    }
                    yield "removes";
                }
                case 5 -> {
                    var group = new LocationKey.Group("user" + random.nextInt(4));
                    both(indexed.removeGroup("mail", group), scanned.removeGroup("mail", group));
                    yield "a removed group";
                }
                case 6, 7 -> {
                    indexed.flush();
                    yield "a flush";
                }
                case 8 -> {
                    indexed.node().settle(Deadline.after(Duration.ofMinutes(1)));
                    yield "merges";
                }
                case 9 -> {
                    indexed.restart();
                    indexed.activate(NodeFixture.model(Map.of("mail", schema())));
                    yield "a restart";
                }
                case 10 -> {
                    indexed.node().close();
                    IndexLoss.strike(files, random);
                    indexed.restart();
                    indexed.activate(NodeFixture.model(Map.of("mail", schema())));
                    yield "lost and damaged indexes";
                }
                default -> {
                    indexed.node().index(settings);
                    yield "indexing";
                }
            };
        }

        private void both(WriteReply one, WriteReply other) {
            assertThat(one).isInstanceOf(WriteReply.Stored.class);
            assertThat(other).isInstanceOf(WriteReply.Stored.class);
        }

        private void compare(String what) {
            SearchRequest request = request();

            SearchReply.Found reply = searchReply(indexed, request);
            SearchReply.Found expected = searchReply(scanned, request);

            String description =
                    "%s: %s by %s, seed %d"
                            .formatted(
                                    what,
                                    request.query().tree(),
                                    request.query().ranking().profile(),
                                    seed);
            assertThat(reply.totalCount()).as(description).isEqualTo(expected.totalCount());
            assertThat(reply.hits()).as(description).isEqualTo(expected.hits());
            assertThat(groups(request, reply)).as(description).isEqualTo(groups(request, expected));
            assertThat(reply.report().coverage())
                    .as(description)
                    .isEqualTo(expected.report().coverage());
            String trace = String.join("\n", reply.report().trace());
            answered += trace.contains(" with candidates") ? 1 : 0;
            scored += trace.contains("indexes scored") ? 1 : 0;
        }

        /** Returns the groups as a container returns them. */
        private static List<String> groups(SearchRequest request, SearchReply.Found reply) {
            var shown = new ArrayList<String>();
            for (int i = 0; i < reply.groups().size(); i++) {
                GroupingRequest of = request.grouping().requests().get(i);
                Group<SearchHit> root =
                        new GroupWindow(of, ZoneId.of("UTC"))
                                .shown(reply.groups().get(i), of.root(), 0);
                shown.add(GroupText.of(root, of.root()));
            }
            return shown;
        }

        private SearchReply.Found searchReply(NodeFixture node, SearchRequest request) {
            SearchReply reply = node.node().search(request);
            assertThat(reply)
                    .as("%s, seed %d", request.query().tree(), seed)
                    .isInstanceOf(SearchReply.Found.class);
            return (SearchReply.Found) reply;
        }

        private SearchRequest request() {
            QueryNode tree = random.nextInt(4) == 0 ? keys() : queries.tree(random.nextInt(3));
            Scope scope =
                    switch (random.nextInt(6)) {
                        case 0 -> new Scope.Group("user" + random.nextInt(4));
                        case 1 -> new Scope.Numbered(random.nextInt(3));
                        default -> new Scope.Everything();
                    };
            GroupingSettings grouping = GroupingSettings.NONE;
            if (random.nextInt(3) == 0) {
                boolean everything = random.nextInt(8) == 0;
                var plan = new RandomGroupings(random).plan(1);
                grouping =
                        new GroupingSettings(
                                List.of(
                                        new GroupingRequest(
                                                everything,
                                                everything || random.nextInt(4) > 0 ? -1 : 7,
                                                plan,
                                                List.of())),
                                "UTC",
                                false,
                                64 << 20);
            }
            return new SearchRequest(
                    indexed.header(),
                    new SearchScope(List.of(0, 1), "mail", scope, List.of()),
                    new RankedQuery(
                            tree,
                            new RankSettings(
                                    PROFILES.get(random.nextInt(PROFILES.size())),
                                    INPUTS,
                                    RankSettings.Statistics.GROUP,
                                    Mails.NOW)),
                    new HitSettings(
                            random.nextInt(3) == 0 ? 0 : random.nextInt(30),
                            List.of(),
                            SummarySettings.DEFAULT),
                    grouping,
                    new ReplySettings(true, 1));
        }

        /** Conditions on keys, which {@link RandomQueries} does not make. */
        private QueryNode keys() {
            var keys = new ArrayList<QueryNode.WeightedKey>();
            boolean isNumber = random.nextBoolean();
            for (int i = 1 + random.nextInt(4); i > 0; i--) {
                String key = isNumber ? Integer.toString(random.nextInt(-3, 4)) : queries.word();
                keys.add(new QueryNode.WeightedKey(key, 1 + random.nextInt(5)));
            }
            String field =
                    isNumber
                            ? List.of("size", "price", "weight").get(random.nextInt(3))
                            : List.of("lang", "labels", "title").get(random.nextInt(3));
            QueryNode.AnyOf.Kind kind = KINDS.get(random.nextInt(KINDS.size()));
            return new QueryNode.AnyOf(field, kind, keys, 0, TermSettings.DEFAULT);
        }

        @Override
        public void close() {
            indexed.close();
            scanned.close();
        }
    }

    /** Returns the schema in mode index, with an index of every field that can have one. */
    static Schema schema() {
        Schema mails = Mails.SCHEMA;
        var fields = new LinkedHashMap<String, SchemaField>();
        mails.fields()
                .forEach((name, field) -> {
                    ValueRules values = field.values();
                    fields.put(
                            name,
                            new SchemaField(
                                    field.field(),
                                    field.aspects(),
                                    field.matching(),
                                    field.script(),
                                    new ValueRules(
                                            values.metric(),
                                            values.weights(),
                                            values.sorting(),
                                            true),
                                    field.ranking()));
                });
        return new Schema(
                mails.name(),
                mails.documentType(),
                fields,
                mails.names(),
                mails.rankProfiles(),
                new SummaryRules(
                        mails.summaries().byName(), mails.summaries().snippets(), true, true));
    }

    @Test
    void findsTheSameWithAndWithoutIndexesInRandomHistories() throws IOException {
        int answered = 0;
        int scored = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (var history = new History(SEED + round)) {
                history.run();
                answered += history.answered;
                scored += history.scored;
            }
        }

        assertThat(answered).as("seed %d", SEED).isGreaterThan(ROUNDS * STEPS / 4);
        assertThat(scored).as("seed %d", SEED).isGreaterThan(ROUNDS * 2);
    }
}
