package org.crabro.container.reindex;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import org.crabro.container.document.WriteResult;
import org.crabro.container.visit.BackgroundAccess;
import org.crabro.container.visit.PageReply;
import org.crabro.container.visit.PagedDocuments;
import org.crabro.document.Document;
import org.crabro.document.DocumentId;
import org.crabro.document.DocumentType;
import org.crabro.document.Field;
import org.crabro.document.FieldType;
import org.crabro.document.FieldValue;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.operation.ConditionalOperation;
import org.crabro.document.operation.DocumentOperation;
import org.crabro.protocol.cluster.PartitionPosition;
import org.crabro.protocol.feed.WriteReply;
import org.crabro.protocol.visit.VisitReply;
import org.crabro.protocol.visit.VisitedDocument;
import org.crabro.protocol.wire.Deadline;
import org.crabro.protocol.wire.Principal;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReindexingTest {
    private static final int COUNT = 3_000;
    private static final ReindexKey NOTES = new ReindexKey("store", "note");
    private static final DocumentType TYPE =
            new DocumentType(
                    "note",
                    List.of(
                            new Field("title", FieldType.Primitive.STRING, true),
                            new Field("sorted", FieldType.Primitive.STRING, false)));

    @TempDir Path directory;

    private final PagedDocuments documents = new PagedDocuments(List.of(TYPE));
    private final List<DocumentId> written = new ArrayList<>();
    private final Scripts scripts = new Scripts();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private Instant now = Instant.ofEpochSecond(1_600_000_000);
    private long version = 10;
    private ReindexRegister register;
    private Reindexing reindexing;

    /** Stores titles in small letters, and is notified of each document before it is written. */
    private static final class Scripts implements ServedScripts, ServedScripts.TypeScripts {
        private boolean isDeployed = true;
        private boolean isAlone = true;
        private Set<ReindexKey> types = Set.of(NOTES);
        private Consumer<Document> before = _ -> {};

        @Override
        public Optional<Use> use() {
            return isDeployed ? Optional.of(new OfScripts(this)) : Optional.empty();
        }

        @Override
        public List<String> fields() {
            return List.of("title", "sorted");
        }

        @Override
        public Document processed(Document stored) {
            before.accept(stored);
            var fields = new LinkedHashMap<String, FieldValue>();
            stored.value("title")
                    .ifPresent(title -> {
                        fields.put("title", title);
                        fields.put(
                                "sorted",
                                new FieldValue.StringValue(
                                        ((FieldValue.StringValue) title)
                                                .value()
                                                .toLowerCase(Locale.ROOT)));
                    });
            return new Document(stored.id(), fields);
        }
    }

    private record OfScripts(Scripts scripts) implements ServedScripts.Use {
        @Override
        public Set<ReindexKey> types() {
            return scripts.types;
        }

        @Override
        public boolean isAlone() {
            return scripts.isAlone;
        }

        @Override
        public ServedScripts.TypeScripts scripts(String documentType) {
            return scripts;
        }

        @Override
        public void close() {}
    }

    @BeforeEach
    void fill() throws Exception {
        for (int i = 0; i < COUNT; i++) {
            put(id(i), "Title " + i, i % 3 == 0 ? "title " + i : "Stale");
        }
        open();
    }

    private void open() throws IOException {
        register = ReindexRegister.open(directory.resolve("state"), () -> now);
        reindexing =
                new Reindexing(
                        register,
                        scripts,
                        BackgroundAccess.one(documents, this::write),
                        () -> now,
                        registry);
    }

    private static DocumentId id(int number) {
        return DocumentId.parse("id:ns:note::" + number);
    }

    private synchronized void put(DocumentId id, String title, String sorted) {
        documents.put(
                new Document(
                        id,
                        Map.of(
                                "title", new FieldValue.StringValue(title),
                                "sorted", new FieldValue.StringValue(sorted))),
                ++version);
    }

    private synchronized WriteResult write(
            Principal principal, Deadline deadline, ConditionalOperation write) {
        VisitedDocument newest = documents.newest(write.id()).orElseThrow();
        long seen = newest.isRemoved() ? 0 : newest.timestamp();
        if (!write.condition().timestamp().equals(OptionalLong.of(seen))) {
            return new WriteResult.Answered(new WriteReply.ConditionNotMet(!newest.isRemoved()));
        }
        documents.put(((DocumentOperation.Put) write.operation()).document(), ++version);
        written.add(write.id());
        return new WriteResult.Answered(
                new WriteReply.Stored(version, new PartitionPosition(0, 1)));
    }

    private String sorted(int number) {
        return documents
                                .newest(id(number))
                                .orElseThrow()
                                .document()
                                .orElseThrow()
                                .value("sorted")
                                .orElseThrow()
                        instanceof FieldValue.StringValue(var text)
                ? text
                : "none";
    }

    private ReindexRun run() {
        return register.type(NOTES).run().orElseThrow();
    }

    private void ask() throws IOException {
        register.ask(List.of(NOTES), 1, "test");
    }

    private void finish() {
        while (run().endedMillis().isEmpty()) {
            reindexing.tick();
        }
    }

    /** Returns a metric of the only type. */
    private double metric(String name, String... tags) {
        return registry.get("reindexing." + name)
                .tags("clusterid", "store", "documenttype", "note")
                .tags(tags)
                .gauge()
                .value();
    }

    @Test
    void reportsItsProgress() throws IOException {
        reindexing.tick();
        boolean isSilent = registry.getMeters().isEmpty();
        register.ask(List.of(NOTES), 2, "test");
        reindexing.tick();
        while (register.type(NOTES).run().orElseThrow().place().counts().seen() == 0) {
            reindexing.tick();
        }
        double running = metric("progress", "state", "running");
        double seen = metric("documents.seen");
        while (register.type(NOTES).run().orElseThrow().endedMillis().isEmpty()) {
            reindexing.tick();
        }

        assertThat(isSilent).isTrue();
        assertThat(running).isBetween(0.001, 0.999);
        assertThat(seen).isEqualTo(Reindexing.PAGE_DOCUMENTS);
        assertThat(metric("progress", "state", "running")).isNaN();
        assertThat(metric("progress", "state", "pending")).isNaN();
        assertThat(metric("progress", "state", "successful")).isEqualTo(1);
        assertThat(metric("speed")).isEqualTo(2);
        assertThat(metric("documents.seen")).isEqualTo(COUNT);
        assertThat(metric("documents.refused")).isZero();
    }

    @Test
    void omitsRemovedTypes() throws IOException {
        register.ask(List.of(NOTES), 1, "test");
        reindexing.tick();
        double before = metric("speed");
        scripts.types = Set.of();
        reindexing.tick();
        double gone = metric("speed");
        scripts.types = Set.of(NOTES);
        reindexing.tick();
        double back = metric("speed");
        scripts.isDeployed = false;
        reindexing.tick();

        assertThat(before).isEqualTo(1);
        assertThat(gone).isNaN();
        assertThat(back).isEqualTo(1);
        assertThat(metric("speed")).isNaN();
    }

    @Test
    void writesWhatScriptsMakeNowAndNothingThatIsItAlready() throws Exception {
        ask();
        finish();

        for (int i = 0; i < COUNT; i++) {
            assertThat(sorted(i)).isEqualTo("title " + i);
        }
        assertThat(new HashSet<>(written)).hasSize(COUNT * 2 / 3).hasSameSizeAs(written);
        assertThat(run().state()).isEqualTo(ReindexState.SUCCESSFUL);
        assertThat(run().message()).isEqualTo("2000 documents of 3000 written again");
        assertThat(run().place().progress()).isEqualTo(1);
    }

    @Test
    void doesNothingWithoutBeingAsked() throws Exception {
        reindexing.tick();
        scripts.types = Set.of();
        ask();
        reindexing.tick();
        scripts.types = Set.of(NOTES);
        scripts.isDeployed = false;
        reindexing.tick();
        scripts.isDeployed = true;
        register.enable(false);
        reindexing.tick();
        register.enable(true);
        register.speed(List.of(NOTES), 0);
        reindexing.tick();

        assertThat(documents.pages()).isZero();
        assertThat(run().state()).isEqualTo(ReindexState.PENDING);
    }

    @Test
    void keepsWhatClientsDoInBetweenAndBringsItUpToDate() throws Exception {
        Set<DocumentId> put = new HashSet<>();
        scripts.before =
                stored -> {
                    int number = Integer.parseInt(stored.id().user());
                    if (number % 10 == 1 && number % 3 > 0 && put.add(stored.id())) {
                        // As an update of some other field leaves it.
                        put(stored.id(), "New", "Stale");
                    } else if (number % 10 == 2) {
                        documents.remove(stored.id(), ++version);
                    }
                };
        ask();
        finish();

        for (int i = 0; i < COUNT; i++) {
            if (i % 10 == 1 && i % 3 > 0) {
                assertThat(sorted(i)).isEqualTo("new");
            } else if (i % 10 == 2) {
                assertThat(documents.newest(id(i)).orElseThrow().isRemoved()).isTrue();
            } else {
                assertThat(sorted(i)).isEqualTo("title " + i);
            }
        }
        assertThat(run().state()).isEqualTo(ReindexState.SUCCESSFUL);
    }

    @Test
    void comesBackLaterToWhatClientsWriteAllTheTime() throws Exception {
        scripts.before =
                stored -> {
                    if (stored.id().equals(id(1))) {
                        put(stored.id(), "New", "Stale");
                    }
                };
        ask();
        finish();
        ReindexRun failed = run();
        scripts.before = _ -> {};
        now = now.plus(Reindexing.GRACE);
        finishAgain();

        assertThat(failed.state()).isEqualTo(ReindexState.FAILED);
        assertThat(failed.message())
                .isEqualTo("clients wrote 1 documents of a page each time that they were read");
        assertThat(run().state()).isEqualTo(ReindexState.SUCCESSFUL);
        assertThat(sorted(1)).isEqualTo("new");
        assertThat(sorted(2)).isEqualTo("title 2");
    }

    @Test
    void anotherProcessGoesOnWhereThisOneEnded() throws Exception {
        ask();
        for (int i = 0; i < 20; i++) {
            reindexing.tick();
        }
        reindexing.close();
        ReindexRun before = run();
        int pages = documents.pages();

        open();
        finish();

        assertThat(before.state()).isEqualTo(ReindexState.RUNNING);
        assertThat(before.place().counts().seen()).isBetween(500L, 2_500L);
        assertThat(run().startedMillis()).isEqualTo(before.startedMillis());
        assertThat(run().message()).isEqualTo("2000 documents of 3000 written again");
        assertThat(new HashSet<>(written)).hasSameSizeAs(written);
        assertThat(pages).isEqualTo(20);
    }

    @Test
    void aProcessThatDoesNotCloseLosesAFewSecondsOnly() throws Exception {
        ask();
        for (int i = 0; i < 20; i++) {
            now = now.plusSeconds(1);
            reindexing.tick();
        }
        long seen = run().place().counts().seen();

        open();
        long found = run().place().counts().seen();
        finish();

        assertThat(found).isBetween(seen - 5 * Reindexing.PAGE_DOCUMENTS, seen);
        assertThat(run().place().counts().seen()).isEqualTo(COUNT);
        assertThat(new HashSet<>(written)).hasSameSizeAs(written);
    }

    @Test
    void waitsAsItsSpeedSaysAfterEachPage() throws Exception {
        documents.answerInstead(_ -> {
            now = now.plusMillis(40);
            return Optional.empty();
        });
        register.ask(List.of(NOTES), 0.1, "test");
        Duration slow = reindexing.tick();
        register.speed(List.of(NOTES), 10);
        Duration fast = reindexing.tick();
        int pages = documents.pages();

        assertThat(slow).isEqualTo(Duration.ofMillis(400));
        assertThat(fast).isEqualTo(Duration.ofMillis(4));
        assertThat(pages).isEqualTo(2);
    }

    @Test
    void waitsAMinuteAtMostAndNotAtAllAfterAClockWasSetBack() {
        assertThat(Pace.pause(Duration.ofSeconds(30), 0.001)).isEqualTo(Duration.ofMinutes(1));
        assertThat(Pace.pause(Duration.ofSeconds(-30), 1)).isEqualTo(Duration.ZERO);
    }

    @Test
    void waitsForThoseWhoCameInUnderOlderScripts() throws Exception {
        scripts.isAlone = false;
        ask();
        reindexing.tick();
        String message = run().message();
        int pages = documents.pages();
        scripts.isAlone = true;
        reindexing.tick();
        scripts.isAlone = false;
        reindexing.tick();

        assertThat(message).contains("waits for requests");
        assertThat(pages).isZero();
        assertThat(run().message()).isEmpty();
        assertThat(documents.pages()).isEqualTo(2);
    }

    @Test
    void beginsAnewWhereThatIsAskedInTheMiddle() throws Exception {
        ask();
        for (int i = 0; i < 20; i++) {
            reindexing.tick();
        }
        put(id(0), "Other", "stale");
        for (int i = 1; i < COUNT; i++) {
            put(id(i), "Title " + i, "stale again");
        }
        ask();
        finish();

        assertThat(sorted(0)).isEqualTo("other");
        assertThat(sorted(COUNT - 1)).isEqualTo("title " + (COUNT - 1));
        assertThat(run().message()).isEqualTo("3000 documents of 3000 written again");
    }

    @Test
    void leavesDocumentsThatAScriptCannotWorkWithAndTellsTheFirst() throws Exception {
        scripts.before =
                stored -> {
                    if (Integer.parseInt(stored.id().user()) % 1000 == 7) {
                        throw new InvalidDocumentException(stored.id() + ": no number");
                    }
                };
        ask();
        finish();
        now = now.plus(Reindexing.GRACE);
        int pages = documents.pages();
        reindexing.tick();

        assertThat(run().state()).isEqualTo(ReindexState.FAILED);
        assertThat(run().message())
                .startsWith("1998 documents of 3000 written again, 3 not, since a script")
                .containsPattern("id:ns:note::[0-9]*7: no number");
        assertThat(sorted(7)).isEqualTo("Stale");
        assertThat(sorted(8)).isEqualTo("title 8");
        // It would come to the same.
        assertThat(documents.pages()).isEqualTo(pages);
    }

    @Test
    void triesAgainAndAfterSomeTriesLater() throws Exception {
        ask();
        reindexing.tick();
        ReindexPlace place = run().place();
        documents.answerInstead(
                _ -> Optional.of(new PageReply.Answered(new VisitReply.Overloaded("busy"))));
        for (int i = 1; i < Reindexing.TRIES; i++) {
            assertThat(reindexing.tick()).isEqualTo(Reindexing.IDLE);
            assertThat(run().state()).isEqualTo(ReindexState.RUNNING);
        }
        reindexing.tick();
        ReindexRun failed = run();
        int pages = documents.pages();
        reindexing.tick();
        int meanwhile = documents.pages();
        documents.answerInstead(_ -> Optional.empty());
        now = now.plus(Reindexing.GRACE);
        finishAgain();

        assertThat(failed.state()).isEqualTo(ReindexState.FAILED);
        assertThat(failed.message()).contains("busy");
        assertThat(failed.place()).isEqualTo(place);
        assertThat(meanwhile).isEqualTo(pages);
        assertThat(run().state()).isEqualTo(ReindexState.SUCCESSFUL);
        assertThat(run().place().counts().seen()).isEqualTo(COUNT);
    }

    private void finishAgain() {
        do {
            reindexing.tick();
        } while (run().endedMillis().isEmpty());
    }
}
