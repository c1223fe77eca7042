package org.crabro.content.search.parent;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.schema.Aspect;
import org.crabro.config.schema.ImportedField;
import org.crabro.config.schema.IndexingScript;
import org.crabro.config.schema.MatchMode;
import org.crabro.config.schema.SchemaField;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.ColumnValues;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.dead.DeadRows;
import org.crabro.content.storage.file.ReadContext;
import org.crabro.content.storage.file.WorkMeter;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.LiveRow;
import org.crabro.content.storage.read.View;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldType.Primitive;
import org.crabro.document.FieldType.ReferenceOf;
import org.crabro.document.FieldValue;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.wire.Principal;
import org.crabro.ranking.kernel.DistanceMetric;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParentsTest {
    private static final Field REFERENCE = new Field("to", new ReferenceOf("p"), true);
    private static final Field SIZE = new Field("size", Primitive.INT, true);
    private static final Field NAMES =
            new Field("names", new FieldType.ArrayOf(Primitive.STRING), true);
    private static final Field NAME = new Field("name", Primitive.STRING, true);
    private static final DocumentType CHILD = new DocumentType("c", List.of(REFERENCE));
    private static final DocumentType PARENT = new DocumentType("p", List.of(SIZE, NAME, NAMES));
    private static final Map<String, ImportedField> IMPORTS =
            Map.of("size", imported(SIZE), "name", imported(NAME), "names", imported(NAMES));

    private final Arena arena = Arena.ofConfined();
    private final List<String> visitedIds = new ArrayList<>();
    private final ColumnValues values = new ColumnValues();

    @AfterEach
    void free() {
        arena.close();
    }

    private static ImportedField imported(Field field) {
        return new ImportedField(
                new SchemaField(
                        field,
                        Set.of(Aspect.ATTRIBUTE),
                        MatchMode.WORD,
                        DistanceMetric.EUCLIDEAN,
                        new IndexingScript(List.of())),
                List.of(new ImportedField.Link(REFERENCE, "p")),
                field);
    }

    private EncodedBlock block(DocumentType type, List<Row> rows) {
        var sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(row -> RowKey.of(row.id())));
        return BlockWriter.write(sorted, type, arena);
    }

    private static Row row(DocumentType type, String id, Map<String, FieldValue> fields) {
        return new Row(DocumentId.parse(id), 1, type.fingerprint(), false, fields);
    }

    /** Returns a parent whose values are made of its number. */
    private static Row parent(String id, int number) {
        return row(
                PARENT,
                id,
                Map.of(
                        "size",
                        new FieldValue.IntValue(number),
                        "name",
                        new FieldValue.StringValue("n" + number % 3),
                        "names",
                        new FieldValue.ArrayValue(
                                List.of(
                                        new FieldValue.StringValue("a" + number),
                                        new FieldValue.StringValue("b")))));
    }

    /** Returns a slice of children that refer to these ids, in the order of their keys. */
    private BlockSlice children(String... ids) {
        var rows = new ArrayList<Row>();
        for (int i = 0; i < ids.length; i++) {
            // Children of one group are in the order of hashes: the reference is in the id, too.
            rows.add(
                    row(
                            CHILD,
                            "id:ns:c:g=x:%d %s".formatted(i, ids[i]),
                            Map.of("to", new FieldValue.StringValue(ids[i]))));
        }
        return new BlockSlice(block(CHILD, rows), 0, ids.length, DeadRows.NONE);
    }

    private final class Rows implements View {
        private final EncodedBlock block;

        Rows(EncodedBlock block) {
            this.block = block;
        }

        @Override
        public List<BlockSlice> slices(String documentType, KeyRange range) {
            throw new UnsupportedOperationException("parents are found one by one");
        }

        @Override
        public Optional<LiveRow> find(RowKey key, ReadContext reads) {
            visitedIds.add(key.id().toString());
            int row = block.find(key);
            return row < 0 ? Optional.empty() : Optional.of(new LiveRow(block, row));
        }

        @Override
        public void close() {}
    }

    private Parents parents(int rowsMax, Principal principal, Row... rows) {
        EncodedBlock block = block(PARENT, List.of(rows));
        return Parents.of(
                IMPORTS,
                new ParentViews(
                        new ParentViews.Source(new Partitions(0), _ -> new Rows(block)),
                        type -> type.equals("p"),
                        rowsMax),
                principal);
    }

    /** Returns the values of a field of the rows of a slice by the ids that they refer to. */
    private List<String> values(Parents parents, BlockSlice slice, String field) {
        Column column =
                new ImportedColumns(parents, new WorkMeter()).column(slice, field).orElse(null);
        var single = new RowValues(parents, new WorkMeter());
        var all = new ArrayList<String>();
        for (int row = slice.from(); row < slice.to(); row++) {
            String id = slice.block().id(row).user().split(" ", 2)[1];
            String copied =
                    column == null ? "-" : values.value(column, row).map(this::text).orElse("-");
            single.at(slice.block(), row, new Field(field, type(field), false));
            Column at = single.column();
            String read =
                    at == null ? "-" : values.value(at, single.row()).map(this::text).orElse("-");
            assertThat(read).as(id).isEqualTo(copied);
            all.add(id + "=" + copied);
        }
        return all;
    }

    private static FieldType type(String field) {
        return PARENT.field(field).orElseThrow().type();
    }

    private String text(FieldValue value) {
        if (value instanceof FieldValue.ArrayValue(var elements)) {
            return String.join("+", elements.stream().map(this::text).toList());
        }
        return value instanceof FieldValue.StringValue(String text)
                ? text
                : Integer.toString(((FieldValue.IntValue) value).value());
    }

    @Test
    void aColumnHasTheValuesOfTheParents() {
        BlockSlice slice =
                children(
                        "id:ns:p::1",
                        "id:ns:p::2",
                        "id:ns:p::4",
                        "",
                        "id:ns:p::none",
                        "id:ns:p::1");
        try (Parents parents =
                parents(
                        9,
                        Principal.EVERYONE,
                        parent("id:ns:p::1", 1),
                        parent("id:ns:p::2", 2),
                        parent("id:ns:p::4", 4))) {
            assertThat(values(parents, slice, "size"))
                    .containsExactlyInAnyOrder(
                            "id:ns:p::1=1",
                            "id:ns:p::1=1",
                            "id:ns:p::2=2",
                            "id:ns:p::4=4",
                            "=-",
                            "id:ns:p::none=-");
            assertThat(values(parents, slice, "name"))
                    .contains("id:ns:p::1=n1", "id:ns:p::2=n2", "id:ns:p::4=n1", "=-");
            assertThat(values(parents, slice, "names"))
                    .contains("id:ns:p::1=a1+b", "id:ns:p::4=a4+b", "id:ns:p::none=-");
        }
        assertThat(visitedIds)
                .as("each parent is found once")
                .containsExactlyInAnyOrder(
                        "id:ns:p::1", "id:ns:p::2", "id:ns:p::4", "id:ns:p::none");
    }

    @Test
    void aColumnOfAPartOfABlockHasTheValuesOfThatPart() {
        BlockSlice all = children("id:ns:p::1", "id:ns:p::2", "id:ns:p::1", "id:ns:p::2");
        try (Parents parents =
                parents(9, Principal.EVERYONE, parent("id:ns:p::1", 1), parent("id:ns:p::2", 2))) {
            for (String field : List.of("size", "name", "names")) {
                List<String> whole = values(parents, all, field);

                assertThat(values(parents, new BlockSlice(all.block(), 1, 3, DeadRows.NONE), field))
                        .isEqualTo(whole.subList(1, 3));
            }
        }
    }

    @Test
    void aBlockWithoutParentsHasNoColumn() {
        try (Parents parents = parents(9, Principal.EVERYONE, parent("id:ns:p::1", 1))) {
            var columns = new ImportedColumns(parents, new WorkMeter());

            assertThat(columns.column(children("", "id:ns:p::2"), "size")).isEmpty();
        }
    }

    /** Features look at the text of a row before they ask whether it has one. */
    @Test
    void rowsWithoutATextHaveACodeOfSomeText() {
        try (Parents parents =
                parents(
                        9,
                        Principal.EVERYONE,
                        parent("id:ns:p::1", 1),
                        parent("id:ns:p::2", 2),
                        parent("id:ns:p::3", 3))) {
            var columns = new ImportedColumns(parents, new WorkMeter());
            assertThat(columns.column(children("id:ns:p::1", "id:ns:p::2", "id:ns:p::3"), "name"))
                    .isPresent();
            // The next slice uses the same memory.
            columns.clear();
            BlockSlice slice = children("id:ns:p::none", "id:ns:p::1", "id:ns:p::none");

            var names = (Column.CodedTexts) columns.column(slice, "name").orElseThrow();

            for (int row = 0; row < 3; row++) {
                assertThat(names.code(row)).isZero();
            }
            assertThat(names.valueCount()).isEqualTo(1);
        }
    }

    @Test
    void aSearchThatRemembersTooManyParentsFindsThemAgain() {
        BlockSlice slice = children("id:ns:p::1", "id:ns:p::2", "id:ns:p::1", "id:ns:p::2");
        try (Parents parents =
                parents(1, Principal.EVERYONE, parent("id:ns:p::1", 1), parent("id:ns:p::2", 2))) {
            List<String> sizes = values(parents, slice, "size");

            assertThat(sizes)
                    .containsExactlyInAnyOrder(
                            "id:ns:p::1=1", "id:ns:p::1=1", "id:ns:p::2=2", "id:ns:p::2=2");
        }
        assertThat(visitedIds).hasSizeGreaterThan(2);
    }

    /** Groups of a principal, a parent, and whether the principal may read it. */
    @ParameterizedTest
    @CsvSource({
        "all, id:ns:p:g=anna:1, true",
        "all, id:ns:p:n=7:1, true",
        "all, id:ns:p::1, true",
        "anna, id:ns:p:g=anna:1, true",
        "anna, id:ns:p:g=bob:1, false",
        "anna, id:ns:p:n=7:1, false",
        "anna, id:ns:p::1, true"
    })
    void aPrincipalReadsParentsOfItsGroupsAndSharedOnes(String groups, String id, boolean isRead) {
        var principal =
                new Principal(
                        "x",
                        groups.equals("all")
                                ? new Principal.Groups.Every()
                                : new Principal.Groups.Only(Set.of(groups)));
        try (Parents parents = parents(9, principal, parent(id, 5))) {
            assertThat(values(parents, children(id), "size"))
                    .containsExactly(id + "=" + (isRead ? "5" : "-"));
        }
    }
}
