package org.crabro.content.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.crabro.content.storage.journal.MemoryLogFiles;
import org.crabro.content.storage.partition.ColdFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedGroup;
import org.junit.jupiter.api.Test;

/** Groups are listed with their live documents, for any distribution over tables and runs. */
class GroupListTest {
    private static final DocumentType NOTE =
            new DocumentType("note", List.of(new Field("text", FieldType.Primitive.STRING, true)));

    private static final DocumentType MAIL =
            new DocumentType("mail", List.of(new Field("text", FieldType.Primitive.STRING, true)));

    private static VisitRequest request(VisitForm.GroupKind kind, String selection, int groupsMax) {
        return new VisitRequest(
                VisitedNode.header(),
                new VisitScope(0, selection, VisitSlice.ALL, Optional.empty(), 0, Long.MAX_VALUE),
                Map.of("note", List.of()),
                false,
                new VisitForm.Groups(kind),
                new PageLimits(groupsMax, 1 << 20));
    }

    private static List<VisitedGroup> groups(VisitedNode node, VisitRequest request) {
        var all = new ArrayList<VisitedGroup>();
        for (VisitReply.Page page : node.pages(request)) {
            List<VisitedGroup> groups = ((VisitReply.Contents.Groups) page.contents()).groups();
            assertThat(page.count()).isEqualTo(groups.size());
            assertThat(groups.size()).isLessThanOrEqualTo(request.limits().documentsMax());
            all.addAll(groups);
        }
        return all;
    }

    private static Document note(String id, String text) {
        return new Document(DocumentId.parse(id), Map.of("text", new FieldValue.StringValue(text)));
    }

    @Test
    void countsWhatAPlainMapHas() throws Exception {
        long seed = Long.getLong("crabro.seed", System.nanoTime());
        var random = new Random(seed);
        Map<DocumentId, Boolean> model = new HashMap<>();
        try (var node = new VisitedNode(new MemoryLogFiles(), List.of(NOTE, MAIL))) {
            for (int step = 0; step < 6_000; step++) {
                String namespace = random.nextInt(3) == 0 ? "other" : "home";
                String type = random.nextInt(4) == 0 ? "mail" : "note";
                String key =
                        switch (random.nextInt(4)) {
                            case 0 -> "";
                            case 1 -> "n=" + random.nextInt(5);
                            // Large groups have their own blocks, small ones share them.
                            case 2 -> "g=g" + random.nextInt(40);
                            default -> "g=large" + random.nextInt(2);
                        };
                var id =
                        DocumentId.parse(
                                "id:%s:%s:%s:%d"
                                        .formatted(namespace, type, key, random.nextInt(400)));
                int what = random.nextInt(1_000);
                if (what < 4) {
                    node.node().flush();
                } else if (what < 10 && !(id.key() instanceof LocationKey.Plain)) {
                    node.removeGroup(type, id.key());
                    model.keySet()
                            .removeIf(each ->
                                    each.documentType().equals(type)
                                            && each.key().equals(id.key()));
                } else if (what < 200) {
                    node.remove(id);
                    model.remove(id);
                } else {
                    node.put(note(id.toString(), "x".repeat(random.nextInt(300))));
                    model.put(id, true);
                }
            }
            for (VisitForm.GroupKind kind :
                    List.of(VisitForm.GroupKind.NAMED, VisitForm.GroupKind.NUMBERED)) {
                for (int groupsMax : new int[] {1, 3, 1_000}) {
                    for (String selection : List.of("", "id.namespace == 'home'")) {
                        List<VisitedGroup> groups =
                                groups(node, request(kind, selection, groupsMax));

                        Map<LocationKey, Long> expected =
                                model.keySet().stream()
                                        .filter(id -> id.documentType().equals("note"))
                                        .filter(id ->
                                                selection.isEmpty()
                                                        || id.namespace().equals("home"))
                                        .filter(id ->
                                                kind == VisitForm.GroupKind.NAMED
                                                        ? id.key() instanceof LocationKey.Group
                                                        : id.key() instanceof LocationKey.Numbered)
                                        .collect(
                                                Collectors.groupingBy(
                                                        DocumentId::key, Collectors.counting()));
                        assertThat(groups)
                                .as("seed %d, %s, %d, '%s'", seed, kind, groupsMax, selection)
                                .hasSize(expected.size());
                        assertThat(
                                        groups.stream()
                                                .collect(
                                                        Collectors.toMap(
                                                                VisitedGroup::key,
                                                                VisitedGroup::documents)))
                                .as("seed %d", seed)
                                .isEqualTo(expected);
                        assertThat(groups).allMatch(group -> group.bytes() > 0);
                    }
                }
            }
            assertThat(
                            groups(node, request(VisitForm.GroupKind.PLAIN, "", 1)).stream()
                                    .mapToLong(VisitedGroup::documents)
                                    .sum())
                    .as("seed %d", seed)
                    .isEqualTo(
                            model.keySet().stream()
                                    .filter(id -> id.documentType().equals("note"))
                                    .filter(id -> id.key() instanceof LocationKey.Plain)
                                    .count());
        }
    }

    @Test
    void readsKeysAlone() throws Exception {
        var files = new ColdFiles(new MemoryLogFiles());
        try (var node = new VisitedNode(files, List.of(NOTE))) {
            var random = new Random(1);
            for (int i = 0; i < 4_000; i++) {
                String text =
                        random.ints(2_000, 'a', 'z' + 1)
                                .mapToObj(Character::toString)
                                .collect(Collectors.joining());
                node.put(note("id:home:note:g=u%d:%d".formatted(i % 8, i), text));
            }
            node.node().flush();
            files.evict();

            List<VisitedGroup> groups =
                    groups(node, request(VisitForm.GroupKind.NAMED, "id.namespace=='home'", 3));

            assertThat(groups).hasSize(8).allMatch(group -> group.documents() == 500);
            // A text of random letters is compressed to six tenths of its length.
            assertThat(groups)
                    .allMatch(group -> group.bytes() > 500 * 1_000 && group.bytes() < 500 * 2_200);
            assertThat(files.loadedBytes())
                    .as("of %d bytes", groups.stream().mapToLong(VisitedGroup::bytes).sum())
                    .isLessThan(4_000 * 100);
        }
    }
}
