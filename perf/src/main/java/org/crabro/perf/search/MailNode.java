package org.crabro.perf.search;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.crabro.content.node.ContentNode;
import org.crabro.content.node.ContentSettings;
import org.crabro.content.node.ThreadSettings;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.FieldValue;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.perf.data.GeneratedStore;
import org.crabro.perf.data.Items;
import org.crabro.perf.data.MailTexts;
import org.crabro.protocol.cluster.Partitions;
import org.crabro.protocol.feed.Write;
import org.crabro.protocol.grouping.GroupingSettings;
import org.crabro.protocol.query.QueryNode;
import org.crabro.protocol.search.HitSettings;
import org.crabro.protocol.search.RankSettings;
import org.crabro.protocol.search.RankedQuery;
import org.crabro.protocol.search.ReplySettings;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.search.SearchReply;
import org.crabro.protocol.search.SearchRequest;
import org.crabro.protocol.search.SearchScope;
import org.crabro.protocol.search.SummarySettings;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.crabro.protocol.wire.RequestHeader;

/**
 * A node in this process with mails, searched on the calling thread. The type {@code mail} is in
 * mode {@code index}, the type {@code letter} in mode {@code streaming}; both have the same fields.
 */
final class MailNode implements AutoCloseable {
    /** The type in mode {@code index}. */
    static final String MAIL = "mail";

    /** The type in mode {@code streaming}. */
    static final String LETTER = "letter";

    private static final int WRITERS = 64;
    private static final int DAYS = 1_000;

    private static final Map<String, String> PACKAGE =
            Map.of(
                    "services.xml",
                    """
                    <services version="1.0">
                      <container id="default" version="1.0"><search/><document-api/></container>
                      <content id="mails" version="1.0">
                        <min-redundancy>1</min-redundancy>
                        <documents>
                          <document type="mail" mode="index"/>
                          <document type="letter" mode="streaming"/>
                        </documents>
                      </content>
                    </services>
                    """,
                    "schemas/mail.sd",
                    schema(MAIL),
                    "schemas/letter.sd",
                    schema(LETTER));

    private static String schema(String type) {
        return """
        schema %1$s {
          document %1$s {
            field day type int {
              indexing: summary | attribute
              attribute: fast-search
            }
            field body type string {
              indexing: summary | index
              stemming: none
            }
          }
          document-summary ids { summary documentid {} }
          rank-profile words { first-phase { expression: bm25(body) } }
        }
        """
                .formatted(type);
    }

    private final ContentNode node;
    private final Partitions partitions;
    private final MailTexts texts;

    private MailNode(ContentNode node, Partitions partitions, MailTexts texts) {
        this.node = node;
        this.partitions = partitions;
        this.texts = texts;
    }

    /** Opens a node. It searches on the calling thread, whatever the settings say. */
    static MailNode open(ContentSettings settings, MailTexts texts) throws IOException {
        ContentNode node = ContentNode.open(settings.withThreads(new ThreadSettings(1, 100, 1, 1)));
        node.activate(GeneratedStore.compiled(PACKAGE));
        return new MailNode(node, settings.place().partitions(), texts);
    }

    /** Returns settings of a node that keeps all writes in memory until it is flushed. */
    static ContentSettings settings(Path data) {
        return ContentSettings.in(data).withRecent(GeneratedStore.recent(1L << 30));
    }

    ContentNode node() {
        return node;
    }

    /** Returns the day of a mail, from 0 to {@value #DAYS}, exclusive. */
    static int day(int mail) {
        return (int) (Integer.toUnsignedLong(mail * 0x9e3779b1) % DAYS);
    }

    /** Returns the number of days that are {@code percent} of all. */
    static int days(int percent) {
        return DAYS * percent / 100;
    }

    /**
     * Feeds the mails from 0 to {@code count}, exclusive, from several threads, and merges all.
     *
     * @param ids of the mails, by number
     */
    void feed(int count, IntFunction<DocumentId> ids) throws Exception {
        var next = new AtomicInteger();
        Items.onThreads(
                Executors.newFixedThreadPool(WRITERS),
                WRITERS,
                () -> {
                    for (int i = next.getAndIncrement(); i < count; i = next.getAndIncrement()) {
                        Map<String, FieldValue> fields =
                                Map.of(
                                        "day",
                                        new FieldValue.IntValue(day(i)),
                                        "body",
                                        new FieldValue.StringValue(
                                                new String(texts.body(i), UTF_8)));
                        write(new DocumentOperation.Put(new Document(ids.apply(i), fields)));
                    }
                });
        settle();
    }

    void write(DocumentOperation operation) {
        Items.check(
                node.write(
                        header(),
                        new Write.Operation(
                                partitions.of(operation.id().location()),
                                ConditionalOperation.always(operation)),
                        Optional.empty()));
    }

    /** Flushes and merges all, and builds missing indexes if the node does so itself. */
    void settle() throws IOException {
        node.settle(Deadline.after(Duration.ofHours(1)));
    }

    /**
     * Searches all documents of a type, or those of a group.
     *
     * @param hits the number of ids to return, the best by {@code bm25}
     */
    SearchReply.Found find(String type, Scope scope, QueryNode tree, int hits) {
        SearchReply reply =
                node.search(
                        new SearchRequest(
                                header(),
                                new SearchScope(
                                        IntStream.range(0, partitions.count()).boxed().toList(),
                                        type,
                                        scope,
                                        List.of()),
                                new RankedQuery(
                                        tree,
                                        new RankSettings(
                                                "words",
                                                Map.of(),
                                                RankSettings.Statistics.NONE,
                                                0)),
                                new HitSettings(
                                        hits, List.of(), new SummarySettings("ids", List.of())),
                                GroupingSettings.NONE,
                                new ReplySettings(false, 0)));
        if (reply instanceof SearchReply.Found found) {
            return found;
        }
        throw new IllegalStateException("nothing was searched: " + reply);
    }

    private static RequestHeader header() {
        return new RequestHeader(Principal.EVERYONE, 1, Deadline.after(Duration.ofMinutes(10)));
    }

    @Override
    public void close() throws IOException {
        node.close();
    }
}
