package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.layout.BlockLayout;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.WeightedSetOf;
import org.crabro.document.FieldValue;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.api.Test;

class RecentSearchTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int MAILS = 2 * BlockLayout.ROWS_MAX + 10;

    @Test
    void findsTheWordsOfRecentRowsAsThoseOfRuns() throws IOException {
        try (NodeFixture node = StoredMails.open(new MemoryLogFiles())) {
            for (int i = 0; i < MAILS; i++) {
                StoredMails.put(node, "anna", i, i % 3 == 0 ? "Hello you" : "you");
            }

            SearchReply.Found recent = search(node);
            node.flush();
            SearchReply.Found flushed = search(node);

            assertThat(recent.totalCount()).isEqualTo((MAILS + 2) / 3);
            assertThat(recent.hits()).isEqualTo(flushed.hits());
            assertThat(String.join("\n", recent.report().trace())).doesNotContain("tokenized");
            assertThat(flushed.totalCount()).isEqualTo(recent.totalCount());
            assertThat(String.join("\n", flushed.report().trace())).doesNotContain("tokenized");
        }
    }

    /**
     * Keys of weighted sets are searched by their words as soon as they have an index. A run from
     * before is merged concurrently, so that it may or may not have tokens by then.
     */
    @Test
    void findsTheWordsOfKeysInRecentRowsInRunsAndInRunsOfBefore() throws IOException {
        QueryNode tree = new QueryNode.Term("keys", "hello", TermSettings.DEFAULT);
        try (NodeFixture node = NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles())) {
            node.activate(withKeys(Aspect.ATTRIBUTE, MatchMode.WORD));
            for (int i = 0; i < 10; i++) {
                putKeys(node, i);
            }
            node.flush();

            node.activate(withKeys(Aspect.INDEX, MatchMode.TEXT));
            SearchReply.Found before = search(node, tree);
            for (int i = 0; i < 10; i++) {
                putKeys(node, i);
            }
            SearchReply.Found recent = search(node, tree);
            node.flush();
            SearchReply.Found flushed = search(node, tree);

            assertThat(before.totalCount()).isEqualTo(5);
            assertThat(before.hits()).isEqualTo(recent.hits()).isEqualTo(flushed.hits());
            assertThat(String.join("\n", recent.report().trace())).doesNotContain("tokenized");
            assertThat(String.join("\n", flushed.report().trace())).doesNotContain("tokenized");
        }
    }

    private static void putKeys(NodeFixture node, int number) {
        var keys = new LinkedHashMap<FieldValue, Integer>();
        keys.put(new StringValue(number % 2 == 0 ? "Hello you" : "you"), number);
        keys.put(new StringValue("all"), 1);
        StoredMails.put(
                node, "anna", number, Map.of("keys", new FieldValue.WeightedSetValue(keys)));
    }

    /** Returns mails with one more field, which holds weighted sets. */
    private static ApplicationModel withKeys(Aspect aspect, MatchMode match) {
        Schema mails = Mails.SCHEMA;
        var keys = new Field("keys", new WeightedSetOf(Primitive.STRING), true);
        var fields = new LinkedHashMap<>(mails.fields());
        fields.put(
                "keys",
                new SchemaField(
                        keys,
                        Set.of(aspect),
                        match,
                        DistanceMetric.EUCLIDEAN,
                        new IndexingScript(List.of())));
        var stored = new ArrayList<>(mails.documentType().fields());
        stored.add(keys);
        var schema =
                new Schema(
                        mails.name(),
                        new DocumentType("mail", stored),
                        fields,
                        mails.names(),
                        mails.rankProfiles(),
                        mails.summaries());
        return NodeFixture.model(Map.of("mail", schema));
    }

    /** Each new row goes into the parts of the tail, and through all of their sizes. */
    @Test
    void findsEachRowAndEachReplacementAtOnce() throws IOException {
        try (NodeFixture node = StoredMails.open(new MemoryLogFiles())) {
            var random = new Random(SEED);
            var greeting = new BitSet();
            for (int i = 0; i < 300; i++) {
                int mail = random.nextInt(200);
                boolean greets = random.nextBoolean();
                StoredMails.put(node, "anna", mail, greets ? "Hello you" : "you");
                greeting.set(mail, greets);
                if (random.nextInt(3) > 0) {
                    SearchReply.Found reply = search(node);
                    assertThat(reply.totalCount())
                            .as("after %d, seed %d", i, SEED)
                            .isEqualTo(greeting.cardinality());
                    assertThat(reply.hits()).hasSize(greeting.cardinality());
                }
            }
        }
    }

    private static SearchReply.Found search(NodeFixture node) {
        return search(node, new QueryNode.Term("title", "hello", TermSettings.DEFAULT));
    }

    private static SearchReply.Found search(NodeFixture node, QueryNode tree) {
        return StoredMails.search(node, tree, new Scope.Group("anna"), MAILS);
    }
}
