package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.crabro.content.storage.integrity.BlockSummary;
import org.crabro.content.storage.integrity.ColumnSummary;
import org.crabro.content.storage.integrity.GroupSummary;
import org.crabro.content.storage.integrity.PartitionSummary;
import org.crabro.content.storage.integrity.RunSummary;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.SegmentSummary;
import org.crabro.content.storage.store.TypeSummary;

/** Writes the results of an inspection as text. */
final class InspectionText implements DamageCount {
    private final PrintWriter out;
    private final boolean verifies;
    private long damageCount;
    private boolean hasColumns;

    /**
     * @param verifies whether everything is checked, which the last line reports
     */
    InspectionText(PrintWriter out, boolean verifies) {
        this.out = out;
        this.verifies = verifies;
    }

    @Override
    public void store(Path directory) throws IOException {
        line("store " + directory + ":");
    }

    @Override
    public void data(int format, int partitions) throws IOException {
        line(String.format(Locale.ROOT, "data of format %d in %d partitions", format, partitions));
    }

    @Override
    public void type(TypeSummary type) throws IOException {
        if (type.isWhole()) {
            line(
                    String.format(
                            Locale.ROOT,
                            "type %s, %d fields: %s",
                            type.name(),
                            type.fields(),
                            type.file()));
        } else {
            line(
                    String.format(
                            Locale.ROOT,
                            "type that is not whole, and not relied on: %s",
                            type.file()));
        }
    }

    @Override
    public void lostFiles(LostFiles.Total total) throws IOException {
        line(
                String.format(
                        Locale.ROOT,
                        "lost+found: %,d files, %,d bytes",
                        total.files(),
                        total.bytes()));
    }

    @Override
    public void segment(SegmentSummary segment) throws IOException {
        String use = segment.use().toString().toLowerCase(Locale.ROOT);
        if (segment.use() == SegmentSummary.Use.BLANK) {
            line(
                    String.format(
                            Locale.ROOT,
                            "%s: %s, %,d bytes",
                            segment.file(),
                            use,
                            segment.fileBytes()));
            return;
        }
        line(
                String.format(
                        Locale.ROOT,
                        "%s: segment %d, %s, %,d of %,d bytes, %,d batches, %,d records, positions"
                                + " %d to %d",
                        segment.file(),
                        segment.number(),
                        use,
                        segment.batches().usedBytes(),
                        segment.fileBytes(),
                        segment.batches().count(),
                        segment.batches().records(),
                        segment.batches().first(),
                        segment.batches().last()));
    }

    @Override
    public void partition(PartitionSummary partition) throws IOException {
        line(
                String.format(
                        Locale.ROOT,
                        "partition %d: %d runs in %d tiers, %d merges going on, %,d bytes,"
                                + " positions up to %d, timestamps up to %s",
                        partition.partition(),
                        partition.runs().count(),
                        partition.runs().tiers(),
                        partition.runs().merges(),
                        partition.runs().bytes(),
                        partition.covered().position(),
                        Instant.EPOCH.plus(partition.covered().timestamp(), ChronoUnit.MICROS)));
        if (partition.unnamed() > 0) {
            line(
                    String.format(
                            Locale.ROOT,
                            "  %d files that the manifest does not name",
                            partition.unnamed()));
        }
    }

    @Override
    public void run(RunSummary run) throws IOException {
        line(
                String.format(
                        Locale.ROOT,
                        "  run %d of tier %d: %,d bytes, %,d blocks, %,d rows, %,d live, %.1f %%"
                                + " dead (%,d replaced, %,d tombstones, %,d merged elsewhere), replaces"
                                + " %,d, removes %,d groups, keys %016x to %016x, types %s",
                        run.origin().run(),
                        run.origin().tier(),
                        run.file().bytes(),
                        run.file().blocks(),
                        run.rows().all(),
                        run.rows().live(),
                        100 * run.rows().deadShare(),
                        run.rows().replaced(),
                        run.rows().tombstones(),
                        run.rows().merged(),
                        run.older().superseded(),
                        run.older().groupTombstones(),
                        run.places().first(),
                        run.places().last(),
                        String.join(", ", run.types())));
    }

    @Override
    public void block(BlockSummary block) throws IOException {
        line(
                String.format(
                        Locale.ROOT,
                        "    block %d at %,d: type %s, %,d rows, %,d bytes",
                        block.origin().block(),
                        block.offset(),
                        block.type(),
                        block.rows(),
                        block.bytes()));
        for (BlockSummary.Chunk chunk : block.chunks()) {
            String name = chunk.field().isEmpty() ? "" : chunk.field() + ", ";
            line(
                    String.format(
                            Locale.ROOT,
                            "      %s%s: %,d bytes",
                            name,
                            chunk.encoding(),
                            chunk.bytes()));
        }
    }

    @Override
    public void column(ColumnSummary column) throws IOException {
        if (!hasColumns) {
            hasColumns = true;
            line("columns");
        }
        String name = column.field().isEmpty() ? "" : column.field() + ", ";
        line(
                String.format(
                        Locale.ROOT,
                        "  %s: %s%s: %,d bytes in %,d blocks",
                        column.type(),
                        name,
                        column.encoding(),
                        column.bytes(),
                        column.chunks()));
    }

    @Override
    public void groups(long count) throws IOException {
        line(String.format(Locale.ROOT, "%,d groups and numbers", count));
    }

    @Override
    public void group(GroupSummary group) throws IOException {
        line(
                String.format(
                        Locale.ROOT,
                        "  %s: partition %d, %,d documents, %,d rows, %,d bytes",
                        group.group(),
                        group.partition(),
                        group.documents(),
                        group.rows(),
                        group.bytes()));
    }

    @Override
    public void damage(Damage damage) throws IOException {
        damageCount++;
        line(String.format(Locale.ROOT, "DAMAGED %s", damage));
    }

    @Override
    public void end() throws IOException {
        if (damageCount > 0) {
            line(String.format(Locale.ROOT, "%,d damaged places", damageCount));
        } else {
            line(
                    verifies
                            ? "everything is as it was written"
                            : "nothing damaged was met; not everything was checked");
        }
    }

    @Override
    public long count() {
        return damageCount;
    }

    private void line(String text) throws IOException {
        out.println(text);
        if (out.checkError()) {
            throw new IOException("the output is closed");
        }
    }
}
