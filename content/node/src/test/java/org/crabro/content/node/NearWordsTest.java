package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.crabro.config.schema.Schema;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.index.IndexSettings;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.Spelling;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.NearWord;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.WordCount;
import org.crabro.protocol.wire.Deadline;
import org.crabro.text.Tokenizer;
import org.junit.jupiter.api.Test;

/**
 * Counts words and near words on two nodes, one with indexes, and compares them with counts over
 * all texts: after puts, flushes, merges, removals and restarts.
 */
class NearWordsTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int ROUNDS = 3;
    private static final int STEPS = 25;
    private static final List<String> FIELDS = List.of("title", "body", "tags");

    private static final class History implements AutoCloseable {
        private final Random random;
        private final List<String> words = new ArrayList<>();
        private final Map<DocumentId, Map<String, List<String>>> documents = new LinkedHashMap<>();
        private final IndexSettings index = new IndexSettings(true, 3, 1 << 20, 1 << 20, 1);
        private final NodeFixture indexed;
        private final NodeFixture scanned;
        private int added;
        private int answered;

        History(long seed) throws IOException {
            this.random = new Random(seed);
            for (int i = 0; i < 40; i++) {
                words.add(word());
            }
            this.indexed = open(NodeFixture.settings().withIndex(index), indexedSchema());
            this.scanned = open(NodeFixture.settings(), Mails.SCHEMA);
        }

        private static NodeFixture open(ContentSettings settings, Schema schema)
                throws IOException {
            return NodeFixture.open(settings, new MemoryLogFiles())
                    .serving(NodeFixture.model(Map.of("mail", schema)));
        }

        private static Schema indexedSchema() {
            return IndexedSearchTest.schema();
        }

        private String word() {
            var word = new StringBuilder();
            for (int i = 3 + random.nextInt(9); i > 0; i--) {
                word.append(List.of("a", "b", "e", "ö", "𐐨", "ж").get(random.nextInt(6)));
            }
            return word.toString();
        }

        /** Returns a word of the list with some edits, or as it is. */
        private String typed() {
            var word = new StringBuilder(words.get(random.nextInt(words.size())));
            for (int i = random.nextInt(3); i > 0; i--) {
                int at = word.offsetByCodePoints(0, random.nextInt(3));
                switch (random.nextInt(3)) {
                    case 0 -> word.insert(at, "e");
                    case 1 -> word.delete(at, word.offsetByCodePoints(at, 1));
                    default -> word.replace(at, word.offsetByCodePoints(at, 1), "b");
                }
                if (word.codePointCount(0, word.length()) < 4) {
                    word.append("aaaa");
                }
            }
            return word.toString();
        }

        void run(String seed) throws IOException {
            for (int step = 0; step < STEPS; step++) {
                String what = step();
                for (int i = 0; i < 3; i++) {
                    compare("step %d, after %s, %s".formatted(step, what, seed));
                }
            }
        }

        private String step() throws IOException {
            return switch (random.nextInt(8)) {
                case 0, 1, 2 -> {
                    for (int i = random.nextInt(20); i > 0; i--) {
                        put();
                    }
                    yield "puts";
                }
                case 3 -> {
                    for (DocumentId id : List.copyOf(documents.keySet())) {
                        if (random.nextInt(6) == 0) {
                            indexed.remove(id);
                            scanned.remove(id);
                            documents.remove(id);
                        }
                    }
                    yield "removes";
                }
                case 4 -> {
                    var group = new LocationKey.Group("user" + random.nextInt(4));
                    indexed.removeGroup("mail", group);
                    scanned.removeGroup("mail", group);
                    documents.keySet().removeIf(id -> id.toString().contains("g=" + group.name()));
                    yield "a removed group";
                }
                case 5 -> {
                    indexed.flush();
                    scanned.flush();
                    yield "flushes";
                }
                case 6 -> {
                    indexed.node().settle(Deadline.after(Duration.ofMinutes(1)));
                    scanned.node().settle(Deadline.after(Duration.ofMinutes(1)));
                    yield "merges";
                }
                default -> {
                    indexed.node().index(index);
                    yield "indexing";
                }
            };
        }

        private void put() {
            DocumentId id =
                    DocumentId.parse(
                            "id:mail:mail:g=user%d:%d"
                                    .formatted(random.nextInt(4), random.nextInt(20)));
            Map<String, List<String>> texts = new HashMap<>();
            Map<String, FieldValue> fields = new LinkedHashMap<>();
            for (String field : FIELDS) {
                var text = new StringBuilder();
                for (int i = random.nextInt(5); i > 0; i--) {
                    text.append(words.get(random.nextInt(words.size()))).append(' ');
                }
                var value = new FieldValue.StringValue(text.toString());
                texts.put(field, Tokenizer.tokens(text.toString()));
                fields.put(
                        field,
                        field.equals("tags") ? new FieldValue.ArrayValue(List.of(value)) : value);
            }
            indexed.put(id, fields);
            scanned.put(id, fields);
            documents.put(id, texts);
        }

        private void compare(String what) {
            boolean isGroup = random.nextBoolean();
            String group = "user" + random.nextInt(4);
            Scope scope = isGroup ? new Scope.Group(group) : new Scope.Everything();
            List<QueryNode> terms = new ArrayList<>();
            var expected = new ArrayList<WordCount>();
            for (int i = 1 + random.nextInt(3); i > 0; i--) {
                String word = typed();
                String field = random.nextBoolean() ? "default" : "title";
                boolean isBeginning = random.nextInt(4) == 0;
                TermSettings settings =
                        TermSettings.DEFAULT.with(Spelling.of(random.nextInt(4) > 0, false));
                terms.add(
                        new QueryNode.Term(
                                field,
                                word,
                                isBeginning ? settings.with(TermSettings.Affix.PREFIX) : settings));
                expected.add(
                        count(
                                field.equals("default") ? FIELDS : List.of(field),
                                Tokenizer.tokens(word).getFirst(),
                                isBeginning,
                                settings.spelling().typos(),
                                isGroup ? "g=" + group + ":" : ""));
            }
            var tree = new QueryNode.Rank(new QueryNode.All(), terms);

            SearchReply.Found reply = reply(indexed, tree, scope);
            List<WordCount> byIndex = counts(reply);
            List<WordCount> byScan = counts(scanned, tree, scope);
            String trace = String.join(" ", reply.report().trace());
            answered += trace.matches(".*[1-9] with candidates.*") ? 1 : 0;

            assertThat(byIndex).as("%s: %s", what, tree).isEqualTo(expected);
            assertThat(byScan).as("%s: %s", what, tree).isEqualTo(expected);
            added += byScan.stream().mapToInt(each -> each.near().size()).sum();
        }

        /** Returns the counts. Each count above the limit is replaced by one number. */
        private static List<WordCount> counts(NodeFixture node, QueryNode tree, Scope scope) {
            return counts(reply(node, tree, scope));
        }

        private static SearchReply.Found reply(NodeFixture node, QueryNode tree, Scope scope) {
            SearchRequest plain = node.request("mail", tree, scope, 0);
            SearchReply reply =
                    node.node().search(plain.with(new ReplySettings(false, 1, false, true)));
            assertThat(reply).isInstanceOf(SearchReply.Found.class);
            return (SearchReply.Found) reply;
        }

        private static List<WordCount> counts(SearchReply.Found reply) {
            return reply.report().words().stream()
                    .map(each ->
                            each.isLittle() ? each : new WordCount(WordCount.LITTLE + 1, List.of()))
                    .toList();
        }

        private WordCount count(
                List<String> fields, String word, boolean isBeginning, boolean typos, String in) {
            int having = 0;
            Map<String, Integer> near = new HashMap<>();
            for (Map.Entry<DocumentId, Map<String, List<String>>> each : documents.entrySet()) {
                if (!each.getKey().toString().contains(in)) {
                    continue;
                }
                boolean has = false;
                for (String field : fields) {
                    Set<String> tokens = new HashSet<>(each.getValue().get(field));
                    for (String token : tokens) {
                        if (isBeginning ? token.startsWith(word) : token.equals(word)) {
                            has = true;
                        } else {
                            near.merge(token, 1, Integer::sum);
                        }
                    }
                }
                having += has ? 1 : 0;
            }
            if (having > WordCount.LITTLE) {
                return new WordCount(WordCount.LITTLE + 1, List.of());
            }
            var words = new ArrayList<NearWord>();
            int length = word.codePointCount(0, word.length());
            int most = !typos || length < 5 ? 0 : length < 9 ? 1 : 2;
            near.forEach((token, documents) -> {
                int edits = edits(word, token);
                if (edits <= most) {
                    words.add(new NearWord(token, edits, documents));
                }
            });
            words.sort(NearWord.NEAREST_FIRST);
            return new WordCount(having, words);
        }

        private static int edits(String one, String other) {
            int[] a = one.codePoints().toArray();
            int[] b = other.codePoints().toArray();
            var table = new int[a.length + 1][b.length + 1];
            for (int i = 0; i <= a.length; i++) {
                for (int j = 0; j <= b.length; j++) {
                    if (i == 0 || j == 0) {
                        table[i][j] = i + j;
                        continue;
                    }
                    int least = table[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
                    least = Math.min(least, Math.min(table[i - 1][j], table[i][j - 1]) + 1);
                    if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                        least = Math.min(least, table[i - 2][j - 2] + 1);
                    }
                    table[i][j] = least;
                }
            }
            return table[a.length][b.length];
        }

        @Override
        public void close() {
            indexed.close();
            scanned.close();
        }
    }

    @Test
    void countsTheSameInBothModesAsOverAllTexts() throws IOException {
        int added = 0;
        int answered = 0;
        for (int round = 0; round < ROUNDS; round++) {
            try (var history = new History(SEED + round)) {
                history.run("seed " + (SEED + round));
                added += history.added;
                answered += history.answered;
            }
        }

        assertThat(added).as("seed %d", SEED).isGreaterThan(ROUNDS * STEPS);
        assertThat(answered).as("seed %d", SEED).isGreaterThan(ROUNDS * 2);
    }

    @Test
    void keepsTheNearestOfManyWords() throws IOException {
        try (NodeFixture node =
                NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles())
                        .serving(NodeFixture.model(Map.of("mail", Mails.SCHEMA)))) {
            var word = "abcdefghijkl";
            var random = new Random(SEED);
            var words = new HashSet<String>();
            while (words.size() < 3 * WordCount.NEAR_MAX) {
                var near = new StringBuilder(word);
                near.setCharAt(random.nextInt(12), (char) ('a' + random.nextInt(26)));
                near.setCharAt(random.nextInt(12), (char) ('a' + random.nextInt(26)));
                words.add(near.toString());
            }
            words.remove(word);
            List<String> all = List.copyOf(words);
            List<NearWord> expected =
                    all.stream()
                            .map(each -> new NearWord(each, History.edits(word, each), 1))
                            .sorted(NearWord.NEAREST_FIRST)
                            .limit(WordCount.NEAR_MAX)
                            .toList();
            for (int i = 0; i < 30; i++) {
                int from = i * all.size() / 30;
                String text = String.join(" ", all.subList(from, (i + 1) * all.size() / 30));
                node.put(
                        DocumentId.parse("id:mail:mail:g=ann:" + i),
                        Map.of("title", new FieldValue.StringValue(text)));
            }
            var tree =
                    new QueryNode.Rank(
                            new QueryNode.All(),
                            List.of(
                                    new QueryNode.Term(
                                            "title",
                                            word,
                                            TermSettings.DEFAULT.with(Spelling.of(true, false)))));

            List<WordCount> recent = History.counts(node, tree, new Scope.Group("ann"));
            node.flush();
            List<WordCount> flushed = History.counts(node, tree, new Scope.Group("ann"));

            assertThat(recent).as("seed %d", SEED).containsExactly(new WordCount(0, expected));
            assertThat(flushed).isEqualTo(recent);
        }
    }
}
