package org.crabro.content.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.journal.FaultyLogFiles;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldValue;
import org.crabro.document.LocationKey;
import org.crabro.document.json.FieldValueWriter;
import org.crabro.document.json.TensorFormat;
import org.crabro.document.select.SelectedDocument;
import org.crabro.document.select.Selection;
import org.crabro.document.select.SelectionTypes;
import org.crabro.document.select.Truth;
import org.crabro.protocol.visit.PageLimits;
import org.crabro.protocol.visit.VisitForm;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitRequest;
import org.crabro.protocol.visit.VisitScope;
import org.crabro.protocol.visit.VisitSlice;
import org.crabro.protocol.visit.VisitedDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random histories of random types, visited in every way and compared with a map. */
class VisitTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);
    private static final int STEPS = 800;

    /** Most of the rows of one block, so that the next round is in another. */
    private static final int BLOCK_ROWS = 700;

    private static final List<TensorFormat> FORMATS = List.of(TensorFormat.values());

    @RegisterExtension final FaultyLogFiles files = new FaultyLogFiles(new Random(1));

    /** A version of a document: the document, or its removal. */
    private record Version(Optional<Document> document, long timestamp) {}

    /** The operations that a node received. */
    private static final class Model {
        final Map<DocumentId, Version> versions = new TreeMap<>(Model::compare);

        static int compare(DocumentId a, DocumentId b) {
            int byPartition = Integer.compare(partition(a), partition(b));
            return byPartition != 0 ? byPartition : RowKey.of(a).compareTo(RowKey.of(b));
        }

        private static int partition(DocumentId id) {
            return NodeFixture.PARTITIONS.of(id.location());
        }

        void removeGroup(String type, LocationKey group) {
            versions.keySet()
                    .removeIf(id -> id.documentType().equals(type) && id.key().equals(group));
        }

        long timestamp(DocumentId id) {
            return Objects.requireNonNull(versions.get(id)).timestamp();
        }

        /** Returns the documents in the expected order of the visit. */
        Stream<Document> documents() {
            return versions.values().stream().map(Version::document).flatMap(Optional::stream);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void visitsWhatThereIsOnceInTheOrderOfKeys(int round) throws IOException {
        var random = new Random(SEED + round);
        var shelf = new Shelf(random);
        List<DocumentType> types = List.of(shelf.type("a"), shelf.type("book"));
        var model = new Model();
        try (var node = new VisitedNode(files, types)) {
            for (int step = 0; step < STEPS; step++) {
                change(node, model, shelf, types, random);
                if (step % 100 == 99) {
                    check(node, model, types, random);
                }
            }
        }
    }

    /**
     * The newest row of a document that is written again is in another block than its older rows.
     */
    @Test
    void seesTheYoungestRowOfSeveralBlocksInMemory() throws IOException {
        var shelf = new Shelf(new Random(SEED));
        DocumentType type = shelf.type("a");
        var model = new Model();
        try (var node = new VisitedNode(files, List.of(type))) {
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < BLOCK_ROWS; i++) {
                    var id = DocumentId.parse("id:n:a:g=one:" + i);
                    if (round == 2 && i % 3 == 0) {
                        model.versions.put(id, new Version(Optional.empty(), node.remove(id)));
                    } else {
                        Document document = shelf.document(id, type);
                        model.versions.put(
                                id, new Version(Optional.of(document), node.put(document)));
                    }
                }
                assertThat(ids(node, VisitedNode.all(List.of(type), new VisitForm.Ids())))
                        .as("round %d, seed %d", round, SEED)
                        .containsExactlyElementsOf(model.documents().map(Document::id).toList());
            }
        }
    }

    private static void change(
            VisitedNode node, Model model, Shelf shelf, List<DocumentType> types, Random random)
            throws IOException {
        DocumentType type = types.get(random.nextInt(types.size()));
        DocumentId id = shelf.id(type.name(), 60);
        int chance = random.nextInt(1_000);
        if (chance < 20) {
            node.node().flush();
        } else if (chance < 25 && !(id.key() instanceof LocationKey.Plain)) {
            node.removeGroup(type.name(), id.key());
            model.removeGroup(type.name(), id.key());
        } else if (chance < 200) {
            model.versions.put(id, new Version(Optional.empty(), node.remove(id)));
        } else {
            Document document = shelf.document(id, type);
            model.versions.put(id, new Version(Optional.of(document), node.put(document)));
        }
    }

    private static void check(
            VisitedNode node, Model model, List<DocumentType> types, Random random) {
        VisitRequest all = VisitedNode.all(types, new VisitForm.Ids());
        assertThat(ids(node, pageOf(all, random)))
                .as("seed %d", SEED)
                .containsExactlyElementsOf(model.documents().map(Document::id).toList());

        String selection =
                random.nextBoolean() ? selection(model, random) : ofFields(types, random, 2);
        Selection parsed = Selection.parse(selection, SelectionTypes.of(types));
        assertThat(ids(node, pageOf(selecting(all, selection), random)))
                .as("%s, seed %d", selection, SEED)
                .containsExactlyInAnyOrderElementsOf(
                        model.documents()
                                .filter(each ->
                                        parsed.of(SelectedDocument.of(each), 1_000) == Truth.TRUE)
                                .map(Document::id)
                                .toList());

        checkTimestampsAndRemoves(node, model, all, random);
        checkSlices(node, model, selecting(all, random.nextBoolean() ? "" : selection), random);
        checkJson(node, model, types, random);
    }

    private static String selection(Model model, Random random) {
        List<DocumentId> ids = List.copyOf(model.versions.keySet());
        DocumentId id = ids.get(random.nextInt(ids.size()));
        DocumentId other = ids.get(random.nextInt(ids.size()));
        long bucket = id.globalId().bucket();
        int used = random.nextInt(59);
        long outer = (long) used << 58 | (bucket & ((1L << used) - 1));
        List<String> selections =
                List.of(
                        "id.group == 'g1'",
                        "id.group == 'g1' or id.user == 3",
                        "id == '" + id + "'",
                        "id == '" + id + "' or id == '" + other + "' or id.group == 'g0'",
                        "id.bucket == " + outer,
                        "id.bucket == " + outer + " or id.group == 'g2' or id == '" + other + "'",
                        "a",
                        "not book and a.size > 50",
                        "book.size > 10 and id.namespace == 'test'",
                        "a.title == 'plain' or book.size == null",
                        "id.group == 'none'",
                        "a.size < 0",
                        "book.size % 2 == 0 and id.user == 1");
        return selections.get(random.nextInt(selections.size()));
    }

    /** Returns a selection that compares fields of any kind. */
    private static String ofFields(List<DocumentType> types, Random random, int depth) {
        if (depth > 0 && random.nextBoolean()) {
            String left = ofFields(types, random, depth - 1);
            return random.nextInt(3) == 0
                    ? "not (" + left + ")"
                    : "(%s %s %s)"
                            .formatted(
                                    left,
                                    random.nextBoolean() ? "and" : "or",
                                    ofFields(types, random, depth - 1));
        }
        DocumentType type = types.get(random.nextInt(types.size()));
        List<Field> fields = type.fields();
        String field = type.name() + "." + fields.get(random.nextInt(fields.size())).name();
        List<String> values =
                List.of(
                        "0",
                        "1",
                        "-1.5",
                        "50",
                        "null",
                        "true",
                        "'plain'",
                        "''",
                        "'größer'",
                        "'*a*'",
                        "now() - 950",
                        field,
                        type.name() + ".size + 3",
                        type.name() + ".title",
                        "'\ud83d\ude00 smile / slash'");
        List<String> operators = List.of("==", "!=", "<", "<=", ">", ">=", "=");
        return "%s %s %s"
                .formatted(
                        field,
                        operators.get(random.nextInt(operators.size())),
                        values.get(random.nextInt(values.size())));
    }

    private static VisitRequest selecting(VisitRequest all, String selection) {
        return new VisitRequest(
                all.header(),
                new VisitScope(
                        0,
                        selection,
                        all.scope().slice(),
                        Optional.empty(),
                        all.scope().fromTimestamp(),
                        all.scope().toTimestamp()),
                all.fields(),
                all.withRemoves(),
                all.form(),
                all.limits());
    }

    private static VisitRequest sliceOf(VisitRequest all, VisitSlice slice) {
        return new VisitRequest(
                all.header(),
                new VisitScope(
                        0,
                        all.scope().selection(),
                        slice,
                        Optional.empty(),
                        all.scope().fromTimestamp(),
                        all.scope().toTimestamp()),
                all.fields(),
                all.withRemoves(),
                all.form(),
                all.limits());
    }

    /** Returns the visit with pages of another size. */
    private static VisitRequest pageOf(VisitRequest all, Random random) {
        return new VisitRequest(
                all.header(),
                new VisitScope(
                        0,
                        all.scope().selection(),
                        all.scope().slice(),
                        Optional.empty(),
                        all.scope().fromTimestamp(),
                        all.scope().toTimestamp()),
                all.fields(),
                all.withRemoves(),
                all.form(),
                new PageLimits(1 + random.nextInt(40), 1 + random.nextInt(10_000)));
    }

    private static void checkTimestampsAndRemoves(
            VisitedNode node, Model model, VisitRequest all, Random random) {
        List<Version> versions = List.copyOf(model.versions.values());
        long a = versions.get(random.nextInt(versions.size())).timestamp();
        long b = versions.get(random.nextInt(versions.size())).timestamp();
        long from = Math.min(a, b);
        long to = random.nextInt(3) == 0 ? Long.MAX_VALUE : Math.max(a, b);
        var request =
                new VisitRequest(
                        all.header(),
                        new VisitScope(0, "", VisitSlice.ALL, Optional.empty(), from, to),
                        all.fields(),
                        true,
                        all.form(),
                        new PageLimits(7, 1 << 20));

        List<String> told =
                documents(node, request).stream()
                        .map(each -> each.id() + " " + each.timestamp() + " " + each.isRemoved())
                        .toList();

        assertThat(told)
                .as("from %d to %d, seed %d", from, to, SEED)
                .containsExactlyElementsOf(
                        model.versions.entrySet().stream()
                                .filter(each ->
                                        each.getValue().timestamp() >= from
                                                && each.getValue().timestamp() < to)
                                .map(each ->
                                        each.getKey()
                                                + " "
                                                + each.getValue().timestamp()
                                                + " "
                                                + each.getValue().document().isEmpty())
                                .toList());
    }

    private static void checkSlices(
            VisitedNode node, Model model, VisitRequest all, Random random) {
        List<DocumentId> whole = ids(node, all);
        int count = 1 + random.nextInt(random.nextBoolean() ? 4 : 50);
        var together = new ArrayList<DocumentId>();
        for (int i = 0; i < count; i++) {
            together.addAll(ids(node, pageOf(sliceOf(all, new VisitSlice(i, count)), random)));
        }
        assertThat(together)
                .as("%d slices of '%s', seed %d", count, all.scope().selection(), SEED)
                .containsExactlyInAnyOrderElementsOf(whole);
        assertThat(whole).hasSizeLessThanOrEqualTo(model.versions.size());
    }

    private static void checkJson(
            VisitedNode node, Model model, List<DocumentType> types, Random random) {
        TensorFormat tensors = FORMATS.get(random.nextInt(FORMATS.size()));
        boolean isList = random.nextBoolean();
        boolean withTimestamps = random.nextBoolean();
        var form =
                new VisitForm.Json(
                        isList ? VisitForm.Style.LIST : VisitForm.Style.LINES,
                        tensors,
                        withTimestamps);
        for (VisitReply.Page page : node.pages(pageOf(VisitedNode.all(types, form), random))) {
            assertThat(page.share()).isBetween(0.0, 1.0);
        }
        var all = new ByteArrayOutputStream();
        var counts = 0;
        for (VisitReply.Page page : node.pages(pageOf(VisitedNode.all(types, form), random))) {
            var json = (VisitReply.Contents.Json) page.contents();
            if (isList && counts > 0 && page.count() > 0) {
                all.write(',');
            }
            counts += page.count();
            all.write(
                    json.text().array(),
                    json.text().arrayOffset() + json.text().position(),
                    json.text().remaining());
        }
        String expected =
                model.documents()
                        .map(each -> json(model, types, each, form))
                        .collect(Collectors.joining(isList ? "," : ""));

        assertThat(all.toString(UTF_8)).as("%s, seed %d", form, SEED).isEqualTo(expected);
        assertThat(counts).isEqualTo((int) model.documents().count());
    }

    /** Returns the expected reply of a get of the document. */
    private static String json(
            Model model, List<DocumentType> types, Document document, VisitForm.Json form) {
        boolean isList = form.style() == VisitForm.Style.LIST;
        var text = new StringBuilder(isList ? "{\"id\":" : "{\"put\":");
        text.append(string(document.id().toString()));
        if (form.withTimestamps()) {
            text.append(",\"timestamp\":").append(model.timestamp(document.id()));
        }
        text.append(",\"fields\":{");
        DocumentType type =
                types.stream()
                        .filter(each -> each.name().equals(document.id().documentType()))
                        .findFirst()
                        .orElseThrow();
        text.append(
                type.fields().stream()
                        .filter(field ->
                                document.value(field.name())
                                        .filter(value ->
                                                FieldValueWriter.isShown(field.type(), value))
                                        .isPresent())
                        .map(field ->
                                string(field.name())
                                        + ":"
                                        + value(
                                                document.value(field.name()).orElseThrow(),
                                                form.tensors()))
                        .collect(Collectors.joining(",")));
        return text + "}}" + (isList ? "" : "\n");
    }

    private static String string(String text) {
        return value(new FieldValue.StringValue(text), TensorFormat.SHORT);
    }

    private static String value(FieldValue value, TensorFormat tensors) {
        return new String(FieldValueWriter.utf8(value, tensors), UTF_8);
    }

    private static List<DocumentId> ids(VisitedNode node, VisitRequest request) {
        return documents(node, request).stream().map(VisitedDocument::id).toList();
    }

    private static List<VisitedDocument> documents(VisitedNode node, VisitRequest request) {
        return node.pages(request).stream()
                .map(page -> (VisitReply.Contents.Documents) page.contents())
                .flatMap(contents -> contents.documents().stream())
                .toList();
    }

    @Test
    void refusesWhatCannotBeCarriedOut() throws IOException {
        var shelf = new Shelf(new Random(SEED));
        List<DocumentType> types = List.of(shelf.type("a"));
        try (var node = new VisitedNode(files, types)) {
            VisitRequest all = VisitedNode.all(types, new VisitForm.Documents());

            assertThat(node.node().visit(selecting(all, "a.size >")))
                    .isInstanceOf(VisitReply.Rejected.class);
            assertThat(node.node().visit(VisitedNode.at(all, 7, Optional.empty())))
                    .isEqualTo(new VisitReply.WrongOwner(1));
        }
    }
}
