package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.PackageLimits;

/**
 * The files of sessions, which can be changed until a session is activated, and of the active
 * package, which cannot. Safe for use by many threads.
 */
final class SessionFiles {
    private final PackageStore store;
    private final PackageLimits limits;
    private final Sessions sessions;
    private final ActivePackage active;
    private final DeployTurns turns;
    private final InstantSource clock;

    /**
     * @param limits of the files of a session
     * @param clock determines which sessions have expired
     */
    SessionFiles(
            PackageStore store,
            PackageLimits limits,
            Sessions sessions,
            ActivePackage active,
            DeployTurns turns,
            InstantSource clock) {
        this.store = store;
        this.limits = limits;
        this.sessions = sessions;
        this.active = active;
        this.turns = turns;
        this.clock = clock;
    }

    /** Returns the files of a session, also of the active one and the one before. */
    Optional<PackageContent> content(long number) {
        Optional<PackageContent> waiting =
                sessions.find(number, clock.instant()).map(DeploySession::content);
        return waiting.isPresent() || !(active.is(number) || active.was(number))
                ? waiting
                : Optional.of(new PackageContent(store.files(number)));
    }

    /** Returns the files of the active application. */
    Optional<PackageContent> activeContent() {
        return active.content();
    }

    /** Returns why the files of a session cannot be written; empty if they can. */
    Optional<DeployReply> readOnly(long number) {
        return sessions.find(number, clock.instant()).isPresent()
                ? Optional.empty()
                : Optional.of(notWaiting(number));
    }

    /** Returns the error of a session that does not wait for activation. */
    DeployReply notWaiting(long number) {
        if (active.is(number)) {
            return new DeployReply.Wrong("session %d is active already".formatted(number));
        }
        if (active.was(number)) {
            return new DeployReply.Wrong(
                    "session %d was active, and was replaced by session %d"
                            .formatted(number, active.number()));
        }
        return new DeployReply.Missing(
                "there is no session %d: it was never made, or was not activated in time, or the"
                                .formatted(number)
                        + " server started since");
    }

    /**
     * Moves {@code file} into the package of a session, and replaces an existing file.
     *
     * @param path normalized, not empty
     * @param wait the time to wait for another deployment
     * @throws IOException if it cannot be written
     */
    DeployReply put(long number, String path, Path file, Duration wait)
            throws IOException, InterruptedException {
        return change(
                number,
                wait,
                content -> {
                    if (content.find(path).filter(PackageContent.Entry::isDirectory).isPresent()) {
                        return Optional.of(new DeployReply.Wrong("'" + path + "' is a directory"));
                    }
                    Optional<DeployReply> noRoom = noRoom(content, path, Files.size(file));
                    if (noRoom.isEmpty()) {
                        content.put(path, file);
                    }
                    return noRoom;
                });
    }

    /** Creates a directory in the package of a session, and its parents. */
    DeployReply putDirectory(long number, String path, Duration wait)
            throws IOException, InterruptedException {
        return change(
                number,
                wait,
                content -> {
                    if (content.find(path).filter(entry -> !entry.isDirectory()).isPresent()) {
                        return Optional.of(new DeployReply.Wrong("'" + path + "' is a file"));
                    }
                    Optional<DeployReply> noRoom = noRoom(content, path, 0);
                    if (noRoom.isEmpty()) {
                        content.putDirectory(path);
                    }
                    return noRoom;
                });
    }

    /** Deletes a file or an empty directory in the package of a session. */
    DeployReply delete(long number, String path, Duration wait)
            throws IOException, InterruptedException {
        return change(
                number,
                wait,
                content -> {
                    Optional<PackageContent.Entry> entry = content.find(path);
                    if (entry.isEmpty()) {
                        return Optional.of(
                                new DeployReply.Missing(
                                        "session %d has no file '%s'".formatted(number, path)));
                    }
                    if (entry.get().isDirectory()
                            && !content.list(path, false).orElse(List.of(entry.get())).isEmpty()) {
                        return Optional.of(
                                new DeployReply.Wrong("the directory '" + path + "' is not empty"));
                    }
                    content.delete(path);
                    return Optional.empty();
                });
    }

    /** Changes files; returns the error if that failed. */
    private interface FileChange {
        Optional<DeployReply> apply(PackageContent content) throws IOException;
    }

    private DeployReply change(long number, Duration wait, FileChange change)
            throws IOException, InterruptedException {
        return turns.take(
                wait,
                () -> {
                    Optional<DeploySession> session = sessions.find(number, clock.instant());
                    if (session.isEmpty()) {
                        return notWaiting(number);
                    }
                    session.get().unprepare();
                    Optional<DeployReply> refused = change.apply(session.get().content());
                    session.get().bytes(session.get().content().size().bytes());
                    return refused.orElse(new DeployReply.Changed(number));
                });
    }

    private Optional<DeployReply> noRoom(PackageContent content, String path, long bytes)
            throws IOException {
        Optional<String> file = content.fileAbove(path);
        if (file.isPresent()) {
            return Optional.of(new DeployReply.Wrong("'" + file.get() + "' is a file"));
        }
        PackageContent.Size size = content.size();
        if (size.entries() + content.missing(path) > limits.files()) {
            return Optional.of(
                    new DeployReply.Full(
                            "the package would hold more than %,d files and directories"
                                    .formatted(limits.files())));
        }
        if (size.bytes() + bytes > limits.bytes()) {
            return Optional.of(
                    new DeployReply.Full(
                            "the package would take more than %,d bytes"
                                    .formatted(limits.bytes())));
        }
        return sessions.full(bytes, clock.instant()).map(DeployReply.Full::new);
    }
}
