package org.crabro.client.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.crabro.client.file.FolderWatch.Wake.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderWatchTest {
    @TempDir private Path folder;

    /** Waits whose ends, and what happens until then, are given. */
    private static final class Script implements FolderWatch.Wake {
        private final Deque<Step> steps = new ArrayDeque<>();
        private final List<Duration> waits = new ArrayList<>();

        private record Step(Reason reason, Change change) {}

        private interface Change {
            void make() throws IOException;
        }

        Script then(Reason reason, Change change) {
            steps.add(new Step(reason, change));
            return this;
        }

        @Override
        public Reason await(Duration atMost) throws IOException {
            waits.add(atMost);
            Step step = steps.removeFirst();
            step.change.make();
            return step.reason;
        }
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }

    @Test
    void waitsUntilFilesAreQuiet() throws Exception {
        var script =
                new Script()
                        .then(Reason.CHANGE, () -> {})
                        .then(Reason.CHANGE, () -> write("a", "1"))
                        .then(Reason.CHANGE, () -> {})
                        .then(Reason.TIME, () -> write("a", "12"))
                        .then(Reason.TIME, () -> {})
                        .then(Reason.TIME, () -> Files.delete(folder.resolve("a")))
                        .then(Reason.TIME, () -> {})
                        .then(Reason.END, () -> {});
        var watch = new FolderWatch(folder, FilesBelow.Links.INSIDE, script);

        assertThat(watch.awaitChange()).isTrue();
        assertThat(script.steps).as("one wait for each change").hasSize(3);
        assertThat(script.waits)
                .containsExactly(
                        FolderWatch.LOOK,
                        FolderWatch.LOOK,
                        FolderWatch.QUIET,
                        FolderWatch.QUIET,
                        FolderWatch.QUIET);
        assertThat(watch.awaitChange()).as("a removal").isTrue();
        assertThat(watch.awaitChange()).isFalse();
    }

    @Test
    void readsFilesThatChangeAllTheTime() throws Exception {
        var script = new Script();
        for (int i = 0; i <= FolderWatch.ROUNDS_MAX; i++) {
            String text = "x".repeat(i);
            script.then(Reason.CHANGE, () -> write("a", text));
        }
        var watch = new FolderWatch(folder, FilesBelow.Links.INSIDE, script);

        assertThat(watch.awaitChange()).isTrue();
    }

    @Test
    void watchesASingleFile() throws Exception {
        write("a", "1");
        var script =
                new Script()
                        .then(Reason.CHANGE, () -> write("b", "1"))
                        .then(Reason.CHANGE, () -> Files.delete(folder.resolve("a")))
                        .then(Reason.TIME, () -> {});
        var watch = new FolderWatch(folder.resolve("a"), FilesBelow.Links.INSIDE, script);

        assertThat(watch.awaitChange()).isTrue();
        assertThat(script.steps).isEmpty();
    }

    @Test
    void getsEventsOfDirectoriesThatWereMadeLater() throws Exception {
        try (var events = new FolderEvents(folder)) {
            var watch = new FolderWatch(folder, FilesBelow.Links.INSIDE, events);
            Files.createDirectories(folder.resolve("d/e"));
            write("d/e/a", "1");
            assertThat(watch.awaitChange()).isTrue();
            write("d/e/a", "12");
            assertThat(watch.awaitChange()).isTrue();
            Files.delete(folder.resolve("d/e/a"));
            assertThat(watch.awaitChange()).isTrue();
        }
    }

    @Test
    void endsWhenItIsClosed() throws Exception {
        var events = new FolderEvents(folder);
        var watch = new FolderWatch(folder, FilesBelow.Links.INSIDE, events);
        Thread closing = Thread.ofVirtual().name("closing").start(events::close);

        assertThat(watch.awaitChange()).isFalse();
        closing.join();
        assertThat(watch.awaitChange()).isFalse();
    }
}
