package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.Schema;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.search.execution.Mails;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldValue.StringValue;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.query.QueryNode.AttributeNumber;
import org.crabro.protocol.query.QueryNode.AttributeValue;
import org.crabro.protocol.query.TermSettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchHit;
import org.crabro.protocol.search.SearchReply;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.api.Test;

class PredicateSearchTest {
    private static final List<String> TARGETS =
            List.of(
                    "gender in [Female] and age in [20..30]",
                    "gender not in [Female]",
                    "age in [..25] or hobby in [music, hiking]",
                    "not (hobby in [music])",
                    "true",
                    "false",
                    "no predicate, stored by an older version");

    @Test
    void findsTheDocumentsWhosePredicatesAreTrue() throws IOException {
        try (NodeFixture node = NodeFixture.open(NodeFixture.settings(), new MemoryLogFiles())) {
            node.activate(withTargets());
            for (int i = 0; i < TARGETS.size(); i++) {
                StoredMails.put(node, "anna", i, Map.of("target", new StringValue(TARGETS.get(i))));
            }
            StoredMails.put(node, "anna", TARGETS.size(), Map.of());

            check(node);
            node.flush();
            check(node);
        }
    }

    private static void check(NodeFixture node) {
        var female = new AttributeValue("gender", "Female");
        var music = new AttributeValue("hobby", "music");
        var chess = new AttributeValue("hobby", "chess");

        assertThat(matches(node, List.of(female), List.of(new AttributeNumber("age", 25))))
                .containsExactly(0, 2, 3, 4);
        assertThat(
                        matches(
                                node,
                                List.of(female, chess, music),
                                List.of(new AttributeNumber("age", 31))))
                .containsExactly(2, 4);
        assertThat(
                        matches(
                                node,
                                List.of(),
                                List.of(
                                        new AttributeNumber("age", 99),
                                        new AttributeNumber("age", 20))))
                .containsExactly(1, 2, 3, 4);
        assertThat(matches(node, List.of(), List.of())).containsExactly(1, 3, 4);
    }

    private static List<Integer> matches(
            NodeFixture node, List<AttributeValue> values, List<AttributeNumber> numbers) {
        var tree = new QueryNode.Predicate("target", values, numbers, TermSettings.DEFAULT);
        SearchReply.Found reply =
                StoredMails.search(node, tree, new Scope.Group("anna"), TARGETS.size() + 1);
        var matchNumbers = new ArrayList<Integer>();
        for (SearchHit hit : reply.hits()) {
            String id = hit.id().toString();
            matchNumbers.add(Integer.valueOf(id.substring(id.lastIndexOf(':') + 1)));
        }
        return matchNumbers.stream().sorted().toList();
    }

    /** Returns mails with one more field, which holds predicates. */
    private static ApplicationModel withTargets() {
        Schema mails = Mails.SCHEMA;
        var target = new Field("target", Primitive.PREDICATE, true);
        var fields = new LinkedHashMap<>(mails.fields());
        fields.put(
                "target",
                new SchemaField(
                        target,
                        Set.of(Aspect.ATTRIBUTE),
                        MatchMode.WORD,
                        DistanceMetric.EUCLIDEAN,
                        new IndexingScript(List.of())));
        var stored = new ArrayList<>(mails.documentType().fields());
        stored.add(target);
        return NodeFixture.model(
                Map.of(
                        "mail",
                        new Schema(
                                mails.name(),
                                new DocumentType("mail", stored),
                                fields,
                                mails.names(),
                                mails.rankProfiles(),
                                mails.summaries())));
    }
}
