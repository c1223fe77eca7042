package org.crabro.container.admin;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.crabro.container.admin.DataBackup.Reply;

/**
 * The backup that was asked for last: one at a time, which goes on when its caller does not wait
 * any more.
 */
final class BackupRuns {
    private final DataBackup backup;
    private final DataBackup.PackageFiles packages;
    private Optional<Run> last = Optional.empty();

    /** A backup, under way or not. */
    record Run(Path directory, CompletableFuture<Reply> reply) {
        /** Returns what became of it, or nothing where it goes on for longer than this. */
        Optional<Reply> await(Duration wait) throws InterruptedException {
            try {
                return Optional.of(reply.get(wait.toMillis(), TimeUnit.MILLISECONDS));
            } catch (TimeoutException _) {
                return Optional.empty();
            } catch (ExecutionException e) {
                return Optional.of(new Reply.Failed(String.valueOf(e.getCause())));
            }
        }
    }

    BackupRuns(DataBackup backup, DataBackup.PackageFiles packages) {
        this.backup = backup;
        this.packages = packages;
    }

    /** Begins a backup, unless one is under way. */
    synchronized Optional<Run> begin(Path directory) {
        if (last.isPresent() && !last.get().reply().isDone()) {
            return Optional.empty();
        }
        var run = new Run(directory, new CompletableFuture<>());
        last = Optional.of(run);
        Thread.ofPlatform().name("backup").daemon().start(() -> make(run));
        return last;
    }

    private void make(Run run) {
        try {
            run.reply().complete(backup.make(run.directory(), packages));
        } catch (RuntimeException e) {
            // The root of a thread: whoever waits is told.
            run.reply().completeExceptionally(e);
        }
    }

    /** Returns the backup that was asked for last. */
    synchronized Optional<Run> last() {
        return last;
    }
}
