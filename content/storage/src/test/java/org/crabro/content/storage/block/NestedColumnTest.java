package org.crabro.content.storage.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.key.RowKeyBuffer;
import org.crabro.content.storage.partition.RandomRows;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.protocol.encoding.DocumentTypeEncoding;
import org.crabro.protocol.encoding.Row;
import org.crabro.protocol.encoding.RowCost;
import org.crabro.protocol.encoding.RowEncoding;
import org.crabro.tensor.CellType;
import org.crabro.tensor.Dimension;
import org.crabro.tensor.TensorType;
import org.junit.jupiter.api.Test;

/** Randomly nested values, on all paths through rows and blocks. */
class NestedColumnTest {
    private static final long SEED = Long.getLong("crabro.seed", 2026);

    private final Random random = new Random(SEED);
    private final RandomRows rows = new RandomRows(SEED, 300);

    @Test
    void givesBackValuesOfEveryType() {
        for (int round = 0; round < 300; round++) {
            DocumentType type = type(round);
            List<Row> written = rows.rows(type, 1 + random.nextInt(40));

            try (Arena arena = Arena.ofConfined()) {
                EncodedBlock inMemory = new BlockWriter(type).write(written, arena);
                EncodedBlock inFile =
                        new BlockWriter(type, SearchedTexts.NONE).write(written, arena);

                for (int row = 0; row < written.size(); row++) {
                    assertThat(inMemory.row(row))
                            .as("row %d of %s, seed %d", row, type, SEED)
                            .isEqualTo(written.get(row));
                    assertThat(inFile.row(row))
                            .as("row %d of %s, seed %d", row, type, SEED)
                            .isEqualTo(written.get(row));
                }
            }
        }
    }

    @Test
    void copiesFromBlockToBlock() {
        for (int round = 0; round < 300; round++) {
            DocumentType type = type(round);
            List<Row> written = rows.rows(type, 1 + random.nextInt(40));

            try (Arena arena = Arena.ofConfined()) {
                EncodedBlock inMemory = new BlockWriter(type).write(written, arena);
                EncodedBlock inFile =
                        new BlockWriter(type, SearchedTexts.NONE).write(written, arena);
                var again = new BlockWriter(type, SearchedTexts.NONE);
                EncodedBlock second = copy(inMemory, again, arena);
                EncodedBlock third = copy(second, new BlockWriter(type), arena);

                assertThat(bytes(second)).as("%s, seed %d", type, SEED).isEqualTo(bytes(inFile));
                assertThat(bytes(third)).as("%s, seed %d", type, SEED).isEqualTo(bytes(inMemory));
            }
        }
    }

    @Test
    void keepsRowsAndTypesAsBytes() {
        for (int round = 0; round < 300; round++) {
            DocumentType type = type(round);
            Row row = rows.put(DocumentId.parse("id:a:" + type.name() + "::1"), type);

            MemorySegment encoded = MemorySegment.ofArray(RowEncoding.encode(row, type));
            DocumentType decoded = DocumentTypeEncoding.decode(DocumentTypeEncoding.encode(type));

            assertThat(RowEncoding.decode(encoded, type)).as("seed %d", SEED).isEqualTo(row);
            assertThat(decoded).isEqualTo(type);
            assertThat(decoded.fingerprint()).isEqualTo(type.fingerprint());
        }
    }

    @Test
    void boundsTheSizeOfValuesBeforeTheyAreMade() {
        for (int round = 0; round < 300; round++) {
            DocumentType type = type(round);
            List<Row> written = rows.rows(type, 1 + random.nextInt(40));

            try (Arena arena = Arena.ofConfined()) {
                EncodedBlock block =
                        new BlockWriter(type, SearchedTexts.NONE).write(written, arena);
                for (int i = 0; i < written.size(); i++) {
                    var told = new AtomicLong();
                    Row row = block.row(i, told::set);
                    MemorySegment encoded =
                            MemorySegment.ofArray(RowEncoding.encode(written.get(i), type));

                    long taken = HeapOf.fields(row.fields());
                    assertThat(told.get())
                            .as("%s of %s, seed %d", row, type, SEED)
                            .isGreaterThanOrEqualTo(taken);
                    assertThat(RowCost.of(encoded, type))
                            .as("%s of %s, seed %d", row, type, SEED)
                            .isGreaterThanOrEqualTo(taken);
                }
            }
        }
    }

    @Test
    void distinguishesTypesWithDifferentStructs() {
        var before = new FieldType.StructOf("s", List.of(field("a", FieldType.Primitive.INT)));
        var after = new FieldType.StructOf("s", List.of(field("a", FieldType.Primitive.LONG)));

        assertThat(holder(before).fingerprint()).isNotEqualTo(holder(after).fingerprint());
    }

    private static DocumentType holder(FieldType type) {
        return new DocumentType("t", List.of(field("x", new FieldType.ArrayOf(type))));
    }

    private static Field field(String name, FieldType type) {
        return new Field(name, type, true);
    }

    private DocumentType type(int round) {
        return new DocumentType(
                "type" + round,
                IntStream.range(0, 1 + random.nextInt(3))
                        .mapToObj(i -> field("f" + i, fieldType(3)))
                        .toList());
    }

    private FieldType fieldType(int depth) {
        return switch (depth == 0 ? 0 : random.nextInt(8)) {
            case 1 -> new FieldType.ArrayOf(fieldType(depth - 1));
            case 2 -> new FieldType.WeightedSetOf(primitive());
            case 3 -> new FieldType.MapOf(primitive(), fieldType(depth - 1));
            case 4 ->
                    new FieldType.StructOf(
                            "s" + depth,
                            IntStream.range(0, random.nextInt(4))
                                    .mapToObj(i -> field("g" + i, fieldType(depth - 1)))
                                    .toList());
            case 5 -> new FieldType.TensorOf(RandomRows.VECTOR);
            case 6 -> new FieldType.TensorOf(tensorType());
            case 7 -> new FieldType.ReferenceOf("artist");
            default -> primitive();
        };
    }

    /** Returns a type with one to three mapped dimensions, and up to two that are indexed. */
    private TensorType tensorType() {
        int mapped = 1 + random.nextInt(3);
        int indexed = random.nextInt(3);
        var dimensions = new ArrayList<Dimension>();
        for (int i = 0; i < mapped + indexed; i++) {
            // Mapped and indexed dimensions in any order.
            String name = "d" + (char) ('a' + random.nextInt(26)) + i;
            dimensions.add(
                    i < mapped
                            ? new Dimension.Mapped(name)
                            : new Dimension.Indexed(name, 1 + random.nextInt(5)));
        }
        dimensions.sort(Comparator.comparing(Dimension::name));
        CellType[] cells = CellType.values();
        return new TensorType(cells[random.nextInt(cells.length)], dimensions);
    }

    private FieldType primitive() {
        FieldType.Primitive[] all = FieldType.Primitive.values();
        return all[random.nextInt(all.length)];
    }

    private static EncodedBlock copy(EncodedBlock block, BlockWriter writer, Arena arena) {
        var copies = new RowCopies(block.documentType(), _ -> false);
        var key = new RowKeyBuffer();
        for (int row = 0; row < block.rowCount(); row++) {
            key.set(block.keys(), row);
            writer.add(key, copies.of(block).encode(block, row));
        }
        return writer.finish(arena);
    }

    private static byte[] bytes(EncodedBlock block) {
        return block.bytes().toArray(ValueLayout.JAVA_BYTE);
    }
}
