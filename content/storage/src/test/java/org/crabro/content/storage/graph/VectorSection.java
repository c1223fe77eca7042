package org.crabro.content.storage.graph;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.crabro.content.storage.block.BlockWriter;
import org.crabro.content.storage.block.EncodedBlock;
import org.crabro.content.storage.block.column.Column;
import org.crabro.content.storage.block.key.RowKey;
import org.crabro.content.storage.index.IndexedRun;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.protocol.encoding.Row;
import org.crabro.ranking.kernel.Distances;
import org.crabro.ranking.kernel.StoredVectors;
import org.crabro.tensor.CellType;
import org.crabro.tensor.DenseTensor;
import org.crabro.tensor.MixedTensor;
import org.crabro.tensor.TensorType;

/** Blocks in memory whose rows have clustered random vectors. */
final class VectorSection implements SectionRows {
    static final String FIELD = "vector";
    static final int CELLS = 16;
    private static final int BLOCK_ROWS = 128;

    private final TensorType type;
    private final DocumentType documentType;
    private final List<EncodedBlock> blocks = new ArrayList<>();

    /** By row: its vectors. */
    final List<List<DenseTensor>> vectors = new ArrayList<>();

    private final List<Row> rows = new ArrayList<>();

    private final Random random;
    private final double[][] centers;

    /** How the vectors of rows differ. */
    enum Kind {
        ONE,
        ONE_OR_NONE,
        SEVERAL
    }

    VectorSection(Arena arena, CellType cellType, Kind kind, int rows, long seed) {
        this.random = new Random(seed);
        String cells = cellType.name().toLowerCase(Locale.ROOT);
        this.type =
                TensorType.parse(
                        "tensor<%s>(%sx[%d])"
                                .formatted(cells, kind == Kind.SEVERAL ? "p{}," : "", CELLS));
        this.documentType =
                new DocumentType(
                        "item", List.of(new Field(FIELD, new FieldType.TensorOf(type), true)));
        this.centers = new double[rows / 50 + 1][];
        Arrays.setAll(centers, _ -> gaussian(new double[CELLS], 1));
        var ids = new ArrayList<DocumentId>();
        for (int row = 0; row < rows; row++) {
            ids.add(DocumentId.parse("id:a:item::" + row));
        }
        ids.sort(Comparator.comparing(RowKey::of));
        ids.forEach(id -> this.rows.add(row(id, kind)));
        write(arena);
    }

    /**
     * Has some rows of another section.
     *
     * @param included the rows
     */
    VectorSection(Arena arena, VectorSection all, IntPredicate included) {
        this.random = all.random;
        this.type = all.type;
        this.documentType = all.documentType;
        this.centers = all.centers;
        for (int row = 0; row < all.rowTotal(); row++) {
            if (included.test(row)) {
                rows.add(all.rows.get(row));
                vectors.add(all.vectors.get(row));
            }
        }
        write(arena);
    }

    private void write(Arena arena) {
        var writer = new BlockWriter(documentType);
        for (int from = 0; from < rows.size(); from += BLOCK_ROWS) {
            List<Row> some = rows.subList(from, Math.min(rows.size(), from + BLOCK_ROWS));
            blocks.add(writer.write(some, arena));
        }
    }

    private Row row(DocumentId id, Kind kind) {
        int count =
                switch (kind) {
                    case ONE -> 1;
                    case ONE_OR_NONE -> random.nextInt(4) == 0 ? 0 : 1;
                    case SEVERAL -> random.nextInt(4);
                };
        var own = new ArrayList<DenseTensor>();
        for (int i = 0; i < count; i++) {
            own.add(vector());
        }
        vectors.add(own);
        return new Row(
                id,
                1,
                documentType.fingerprint(),
                false,
                own.isEmpty() ? Map.of() : Map.of(FIELD, value(own)));
    }

    private FieldValue value(List<DenseTensor> own) {
        if (type.isDense()) {
            return new FieldValue.TensorValue(own.getFirst());
        }
        Map<List<String>, double[]> subspaces = new HashMap<>();
        for (int i = 0; i < own.size(); i++) {
            DenseTensor one = own.get(i);
            subspaces.put(
                    List.of("p" + i), IntStream.range(0, CELLS).mapToDouble(one::cell).toArray());
        }
        return new FieldValue.MixedTensorValue(MixedTensor.of(type, subspaces));
    }

    /** Returns a vector near one of the centers. */
    DenseTensor vector() {
        double[] cells = centers[random.nextInt(centers.length)].clone();
        gaussian(cells, 0.4);
        if (type.cellType() == CellType.INT8) {
            for (int i = 0; i < CELLS; i++) {
                cells[i] = Math.clamp(Math.rint(40 * cells[i]), -128, 127);
            }
        }
        return DenseTensor.of(type.subspaceType(), cells);
    }

    private double[] gaussian(double[] cells, double scale) {
        for (int i = 0; i < cells.length; i++) {
            cells[i] += scale * random.nextGaussian();
        }
        return cells;
    }

    /** Returns the distance of the nearest vector of a row; infinite if it has none. */
    double distance(Distances distances, int block, int row) {
        double least = Double.POSITIVE_INFINITY;
        Column column = blocks.get(block).column(FIELD).orElse(null);
        if (column instanceof Column.MixedTensors mixed) {
            for (int i = mixed.first(row); i < mixed.first(row + 1); i++) {
                least = Math.min(least, distances.select(StoredVectors.of(mixed.cells()), i));
            }
        } else if (column instanceof Column.DenseTensors dense && dense.presence().has(row)) {
            least = distances.select(StoredVectors.of(dense.cells()), row);
        }
        return least;
    }

    TensorType tensorType() {
        return type;
    }

    IndexedRun run() {
        return new IndexedRun(7, 1_000, 5, 0, rowTotal(), documentType.fingerprint());
    }

    @Override
    public DocumentType type() {
        return documentType;
    }

    @Override
    public int blockCount() {
        return blocks.size();
    }

    @Override
    public int rowCount(int block) {
        return blocks.get(block).rowCount();
    }

    @Override
    public EncodedBlock block(int block) {
        return blocks.get(block);
    }
}
