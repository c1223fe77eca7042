package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.crabro.client.terminal.CsvLine;
import org.crabro.client.terminal.RecordLines;
import org.crabro.content.storage.integrity.BlockSummary;
import org.crabro.content.storage.integrity.ColumnSummary;
import org.crabro.content.storage.integrity.GroupSummary;
import org.crabro.content.storage.integrity.PartitionSummary;
import org.crabro.content.storage.integrity.RunSummary;
import org.crabro.content.storage.journal.Damage;
import org.crabro.content.storage.journal.LostFiles;
import org.crabro.content.storage.journal.SegmentSummary;
import org.crabro.content.storage.store.TypeSummary;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the results of an inspection for programs: one JSON object per line, with a {@code kind};
 * or as CSV a line for each member of these objects, because they have different members.
 */
final class InspectionJson implements DamageCount {
    private static final JsonFactory JSON = new JsonFactory();
    private static final JsonMapper READER = new JsonMapper();

    private final PrintWriter out;
    private final boolean isCsv;
    private long recordCount;
    private long damageCount;

    private InspectionJson(PrintWriter out, boolean isCsv) {
        this.out = out;
        this.isCsv = isCsv;
    }

    static InspectionJson lines(PrintWriter out) {
        return new InspectionJson(out, false);
    }

    static InspectionJson csv(PrintWriter out) {
        out.println("record,kind,name,value");
        return new InspectionJson(out, true);
    }

    @Override
    public void store(Path directory) throws IOException {
        line("store", json -> json.writeStringProperty("directory", directory.toString()));
    }

    @Override
    public void data(int format, int partitions) throws IOException {
        line(
                "data",
                json -> {
                    json.writeNumberProperty("format", format);
                    json.writeNumberProperty("partitions", partitions);
                });
    }

    @Override
    public void type(TypeSummary type) throws IOException {
        line(
                "type",
                json -> {
                    json.writeStringProperty("file", type.file());
                    json.writeStringProperty("name", type.name());
                    json.writeNumberProperty("fields", type.fields());
                    json.writeNumberProperty("bytes", type.bytes());
                    json.writeBooleanProperty("whole", type.isWhole());
                });
    }

    @Override
    public void lostFiles(LostFiles.Total total) throws IOException {
        line(
                "lost",
                json -> {
                    json.writeNumberProperty("files", total.files());
                    json.writeNumberProperty("bytes", total.bytes());
                });
    }

    @Override
    public void segment(SegmentSummary segment) throws IOException {
        line(
                "segment",
                json -> {
                    json.writeStringProperty("file", segment.file());
                    json.writeNumberProperty("number", segment.number());
                    json.writeStringProperty(
                            "use", segment.use().toString().toLowerCase(Locale.ROOT));
                    json.writeNumberProperty("fileBytes", segment.fileBytes());
                    json.writeNumberProperty("usedBytes", segment.batches().usedBytes());
                    json.writeNumberProperty("batches", segment.batches().count());
                    json.writeNumberProperty("records", segment.batches().records());
                    json.writeNumberProperty("firstPosition", segment.batches().first());
                    json.writeNumberProperty("lastPosition", segment.batches().last());
                });
    }

    @Override
    public void partition(PartitionSummary partition) throws IOException {
        line(
                "partition",
                json -> {
                    json.writeNumberProperty("partition", partition.partition());
                    json.writeNumberProperty("runs", partition.runs().count());
                    json.writeNumberProperty("tiers", partition.runs().tiers());
                    json.writeNumberProperty("merges", partition.runs().merges());
                    json.writeNumberProperty("bytes", partition.runs().bytes());
                    json.writeNumberProperty("edits", partition.edits());
                    json.writeNumberProperty("position", partition.covered().position());
                    json.writeNumberProperty("timestamp", partition.covered().timestamp());
                    json.writeNumberProperty("unnamedFiles", partition.unnamed());
                });
    }

    @Override
    public void run(RunSummary run) throws IOException {
        line(
                "run",
                json -> {
                    json.writeNumberProperty("partition", run.origin().partition());
                    json.writeNumberProperty("run", run.origin().run());
                    json.writeNumberProperty("tier", run.origin().tier());
                    json.writeNumberProperty("created", run.origin().created());
                    json.writeStringProperty("file", run.file().path());
                    json.writeNumberProperty("bytes", run.file().bytes());
                    json.writeNumberProperty("blocks", run.file().blocks());
                    json.writeNumberProperty("rows", run.rows().all());
                    json.writeNumberProperty("liveRows", run.rows().live());
                    json.writeNumberProperty("mergedRows", run.rows().merged());
                    json.writeNumberProperty("replacedRows", run.rows().replaced());
                    json.writeNumberProperty("tombstones", run.rows().tombstones());
                    json.writeNumberProperty("supersedes", run.older().superseded());
                    json.writeNumberProperty("groupTombstones", run.older().groupTombstones());
                    json.writeNumberProperty("deadShare", run.rows().deadShare());
                    json.writeStringProperty("firstPlace", "%016x".formatted(run.places().first()));
                    json.writeStringProperty("lastPlace", "%016x".formatted(run.places().last()));
                    json.writeArrayPropertyStart("types");
                    run.types().forEach(json::writeString);
                    json.writeEndArray();
                });
    }

    @Override
    public void block(BlockSummary block) throws IOException {
        line(
                "block",
                json -> {
                    json.writeNumberProperty("partition", block.origin().partition());
                    json.writeNumberProperty("run", block.origin().run());
                    json.writeNumberProperty("block", block.origin().block());
                    json.writeStringProperty("type", block.type());
                    json.writeNumberProperty("offset", block.offset());
                    json.writeNumberProperty("bytes", block.bytes());
                    json.writeNumberProperty("rows", block.rows());
                    json.writeArrayPropertyStart("chunks");
                    for (BlockSummary.Chunk chunk : block.chunks()) {
                        json.writeStartObject();
                        json.writeStringProperty("field", chunk.field());
                        json.writeStringProperty("encoding", chunk.encoding());
                        json.writeNumberProperty("bytes", chunk.bytes());
                        json.writeEndObject();
                    }
                    json.writeEndArray();
                });
    }

    @Override
    public void column(ColumnSummary column) throws IOException {
        line(
                "column",
                json -> {
                    json.writeStringProperty("type", column.type());
                    json.writeStringProperty("field", column.field());
                    json.writeStringProperty("encoding", column.encoding());
                    json.writeNumberProperty("chunks", column.chunks());
                    json.writeNumberProperty("bytes", column.bytes());
                });
    }

    @Override
    public void groups(long count) throws IOException {
        line("groups", json -> json.writeNumberProperty("count", count));
    }

    @Override
    public void group(GroupSummary group) throws IOException {
        line(
                "group",
                json -> {
                    json.writeNumberProperty("partition", group.partition());
                    json.writeStringProperty("group", group.group());
                    json.writeNumberProperty("documents", group.documents());
                    json.writeNumberProperty("rows", group.rows());
                    json.writeNumberProperty("bytes", group.bytes());
                });
    }

    @Override
    public void damage(Damage damage) throws IOException {
        damageCount++;
        line(
                "damage",
                json -> {
                    json.writeStringProperty("file", damage.file());
                    json.writeNumberProperty("offset", damage.offset());
                    json.writeStringProperty("expected", damage.expected());
                    json.writeStringProperty("found", damage.actual());
                });
    }

    @Override
    public void end() throws IOException {
        line("end", json -> json.writeNumberProperty("damaged", damageCount));
    }

    @Override
    public long count() {
        return damageCount;
    }

    private void line(String kind, Consumer<JsonGenerator> body) throws IOException {
        var text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(ObjectWriteContext.empty(), text)) {
            json.writeStartObject();
            json.writeStringProperty("kind", kind);
            body.accept(json);
            json.writeEndObject();
        }
        recordCount++;
        if (isCsv) {
            Map<String, String> columns = RecordLines.columns(READER.readTree(text.toString()));
            columns.forEach((name, value) -> {
                if (!name.equals("kind")) {
                    out.println(CsvLine.of(List.of(Long.toString(recordCount), kind, name, value)));
                }
            });
        } else {
            out.println(text);
        }
        if (out.checkError()) {
            throw new IOException("the output is closed");
        }
    }
}
