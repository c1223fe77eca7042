package org.crabro.perf.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.crabro.content.storage.admission.FeedLimits;
import org.crabro.content.storage.block.SearchedTexts;
import org.crabro.content.storage.block.key.KeyRange;
import org.crabro.content.storage.journal.MappedLogFiles;
import org.crabro.content.storage.layout.ChunkExtent;
import org.crabro.content.storage.read.BlockSlice;
import org.crabro.content.storage.read.View;
import org.crabro.content.storage.store.DocumentStore;
import org.crabro.content.storage.store.RecentSettings;
import org.crabro.content.storage.store.StoreOptions;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.perf.data.CompressedTexts;
import org.crabro.perf.data.Items;
import org.crabro.perf.data.MailTexts;
import org.crabro.perf.harness.Benchmark;
import org.crabro.perf.harness.Figures;
import org.crabro.perf.harness.Scale;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.text.Folding;

/**
 * Measures the disk size of merged documents relative to their payload: the values of their fields
 * and the text of their ids. All files except the journal count. For mails, also measures the size
 * of texts with their token columns relative to the same texts in LZ4 frames.
 */
public final class DiskBenchmark implements Benchmark {
    /** 160 MB of each kind. */
    private static final int DOCUMENTS = Scale.of(200_000);

    private static final int LARGE_GROUP = 1_000;
    private static final int SMALL_GROUP = 5;
    private static final int MAILS = Scale.of(100_000);
    private static final long RECENT_BYTES = 32L << 20;
    private static final int SEED = 2026;

    private static final DocumentType MAIL =
            new DocumentType("mail", List.of(new Field("body", FieldType.Primitive.STRING, true)));

    @Override
    public String name() {
        return "disk";
    }

    @Override
    public String summary() {
        return "bytes on disk after merging over what was fed, and of texts over their LZ4 form";
    }

    @Override
    public Prepared prepare(Path folder) {
        var items = new Items(1);
        var texts = new MailTexts(SEED);
        return figures -> {
            for (int group : new int[] {LARGE_GROUP, SMALL_GROUP}) {
                int groups = Math.max(1, DOCUMENTS / group);
                // Consecutive documents go to different groups, because many users write at the
                // same time.
                items(
                        folder,
                        "groups of %,d".formatted(group),
                        number ->
                                items.write(
                                        number,
                                        "g=user%d:%d".formatted(number % groups, number / groups)),
                        figures);
            }
            items(folder, "plain ids", number -> items.write(number, ":item" + number), figures);
            mails(folder, texts, figures);
        };
    }

    private static void items(
            Path folder, String what, IntFunction<Write.Row> documents, Figures figures)
            throws Exception {
        Path data = folder.resolve("data");
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files)) {
            Items.feed(store, DOCUMENTS, documents);
            store.flush();
            store.compact();
        }
        double payload =
                (double) DOCUMENTS * Items.VALUE_BYTES
                        + IntStream.range(0, DOCUMENTS)
                                .mapToLong(number -> idLength(documents.apply(number).id()))
                                .sum();
        figures.add("items in " + what + ": disk over payload", "", bytes(data) / payload);
        FeedBenchmark.delete(data);
    }

    private static void mails(Path folder, MailTexts texts, Figures figures) throws Exception {
        Path data = folder.resolve("data");
        int groups = Math.max(1, MAILS / LARGE_GROUP);
        double fields = 0;
        try (var files = new MappedLogFiles(data);
                DocumentStore store = open(files)) {
            Items.feed(store, MAILS, number -> mail(texts, groups, number));
            store.flush();
            store.compact();
            for (int partition = 0; partition < Partitions.DEFAULT.count(); partition++) {
                fields += fieldBytes(store, partition);
            }
        }
        // In the order in which mails of a group were written; their texts alone.
        List<byte[]> bodies =
                IntStream.range(0, MAILS)
                        .mapToObj(i -> texts.body(i % LARGE_GROUP * groups + i / LARGE_GROUP))
                        .toList();
        double compressed = new CompressedTexts(bodies).size();
        double payload =
                bodies.stream().mapToLong(body -> body.length).sum()
                        + IntStream.range(0, MAILS)
                                .mapToLong(number -> idLength(id(groups, number)))
                                .sum();
        figures.add("texts with their words over LZ4", "", fields / compressed);
        figures.add("mails: disk over payload", "", bytes(data) / payload);
        FeedBenchmark.delete(data);
    }

    private static Write.Row mail(MailTexts texts, int groups, int number) {
        String body = new String(texts.body(number), UTF_8);
        return Items.write(
                id(groups, number), MAIL, Map.of("body", new FieldValue.StringValue(body)));
    }

    private static DocumentId id(int groups, int number) {
        return DocumentId.parse(
                "id:p:mail:g=user%d:%d".formatted(number % groups, number / groups));
    }

    /** Returns the size in bytes of the texts of mails with their token columns. */
    private static double fieldBytes(DocumentStore store, int partition) {
        double bytes = 0;
        try (View view = store.view(partition)) {
            for (BlockSlice slice : view.slices("mail", new KeyRange.Everything())) {
                bytes +=
                        slice.block().extents("body").stream().mapToLong(ChunkExtent::length).sum();
            }
        }
        return bytes;
    }

    private static long idLength(DocumentId id) {
        return id.toString().getBytes(UTF_8).length;
    }

    /** Returns the size in bytes of all files except the journal. */
    private static double bytes(Path data) throws IOException {
        try (Stream<Path> paths = Files.walk(data)) {
            double bytes = 0;
            for (Path path : paths.filter(Files::isRegularFile).toList()) {
                if (!data.relativize(path).startsWith("journal")) {
                    bytes += Files.size(path);
                }
            }
            return bytes;
        }
    }

    private static DocumentStore open(MappedLogFiles files) throws IOException {
        RecentSettings settings =
                RecentSettings.DEFAULT
                        .withRecentBytes(RECENT_BYTES)
                        .withFlushWait(Duration.ofMinutes(5))
                        .withFeed(FeedLimits.DEFAULT.withReservedBytes(0).withDisk(1, 0));
        DocumentStore store =
                DocumentStore.open(
                        files,
                        StoreOptions.of(
                                Partitions.DEFAULT.count(), settings, InstantSource.system()));
        store.keep(Items.TYPE, SearchedTexts.NONE);
        store.keep(MAIL, new SearchedTexts(Map.of("body", Folding.ACCENTS)));
        return store;
    }
}
