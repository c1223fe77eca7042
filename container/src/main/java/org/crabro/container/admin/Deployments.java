package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.deploy.ModelChanges;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys packages, one at a time: unpacks, compiles, compares with the active application,
 * activates, and then says on disk which one is active. Either in one go, or step by step in a
 * session, whose files can be changed until it is activated.
 *
 * <p>Whatever goes wrong on the way, the application that was active stays active. Sessions that
 * nobody activates are deleted after some time, by whoever comes next, and when the process starts.
 * Safe for use by many threads.
 */
final class Deployments {
    /** What is told where an application is asked for, and there is none. */
    static final String NOTHING_DEPLOYED =
            "no application is deployed: post a package to "
                    + AdminPath.ROOT
                    + "tenant/default/prepareandactivate";

    private static final Logger LOG = LoggerFactory.getLogger(Deployments.class);

    private final PackageStore store;
    private final PackageLimits limits;
    private final ModelActivation activation;
    private final Duration wait;
    private final InstantSource clock;
    private final Sessions sessions;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<Optional<ApplicationModel>> active =
            new AtomicReference<>(Optional.empty());

    /**
     * @param waiting how many sessions may wait to be activated
     * @param wait how long a deployment waits for another one to end
     * @param clock says which overrides are still good, and which sessions are over
     */
    Deployments(
            PackageStore store,
            PackageLimits limits,
            SessionLimits waiting,
            ModelActivation activation,
            Duration wait,
            InstantSource clock) {
        this.store = store;
        this.limits = limits;
        this.sessions = new Sessions(waiting);
        this.activation = activation;
        this.wait = wait;
        this.clock = clock;
    }

    /** Returns the active application, if any. */
    Optional<ApplicationModel> active() {
        return active.get();
    }

    /** Returns what serves the active application. */
    List<RunningService> services() {
        return activation.services();
    }

    /**
     * Returns a new file to receive a package in; who asked for it deletes it.
     *
     * @throws IOException if it cannot be made
     */
    Path newUpload() throws IOException {
        return store.newUpload();
    }

    /**
     * Returns a new directory to receive the parts of a form in; who asked for it has it deleted.
     *
     * @throws IOException if it cannot be made
     */
    Path newUploadDirectory() throws IOException {
        return store.newUploadDirectory();
    }

    /** Deletes what was received. */
    void deleteUpload(Path upload) throws IOException {
        store.deleteUpload(upload);
    }

    /**
     * Activates what was active when the process ended. A package that is no application any more
     * is told in the log, and nothing is active then.
     *
     * @throws IOException if the files of the package cannot be read
     */
    void restore() throws IOException {
        store.deleteUploads();
        if (store.active().isEmpty()) {
            return;
        }
        long generation = store.active().getAsLong();
        Path files = store.files(generation);
        if (!Files.isDirectory(files)) {
            LOG.error("{}: the package of generation {} is gone", files, generation);
            return;
        }
        try {
            ApplicationModel model =
                    ApplicationCompiler.compile(DirectoryFiles.of(files), generation).model();
            switch (activation.activate(model, ModelActivation.Occasion.START)) {
                case ModelActivation.Reply.Activated() -> active.set(Optional.of(model));
                case ModelActivation.Reply.Refused(var problem) ->
                        LOG.error(
                                "{}: generation {} cannot be served: {}",
                                files,
                                generation,
                                problem);
            }
        } catch (InvalidApplicationException e) {
            LOG.error(
                    "{}: the package of generation {} is no valid application any more: {}",
                    files,
                    generation,
                    e.getMessage());
        }
    }

    /**
     * Deploys a package.
     *
     * @param activates whether to activate it, or to check it only
     * @throws IOException if files cannot be written
     */
    DeployReply deploy(Path archive, PackageArchive.Format format, boolean activates)
            throws IOException, InterruptedException {
        return alone(() -> {
            long generation = store.newGeneration();
            try {
                Path files = Files.createDirectory(store.files(generation));
                PackageArchive.unpack(archive, format, files, limits);
                return switch (check(generation)) {
                    case CheckedPackage.Outcome.Failed(var problem) ->
                            new DeployReply.Invalid(problem);
                    case CheckedPackage.Outcome.Passed(var checked) ->
                            deploy(checked, generation, activates);
                };
            } catch (InvalidPackageException e) {
                return new DeployReply.Invalid("Invalid application: " + e.getMessage());
            } finally {
                if (activeNumber() != generation) {
                    store.discard(generation);
                }
            }
        });
    }

    private DeployReply deploy(CheckedPackage checked, long generation, boolean activates)
            throws IOException {
        if (activates) {
            Optional<String> problem = serve(checked.model());
            if (problem.isPresent()) {
                return new DeployReply.Invalid("Invalid application: " + problem.get());
            }
        }
        return new DeployReply.Deployed(
                generation, activates, checked.notices(), checked.changes());
    }

    /**
     * Makes a session of a package.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply create(Path archive, PackageArchive.Format format)
            throws IOException, InterruptedException {
        return alone(() ->
                create(files -> {
                    Files.createDirectory(files);
                    PackageArchive.unpack(archive, format, files, limits);
                }));
    }

    /**
     * Makes a session of the files of the active application.
     *
     * @throws IOException if files cannot be written
     */
    DeployReply createFromActive() throws IOException, InterruptedException {
        return alone(() -> {
            Optional<PackageContent> content = activeContent();
            return content.isEmpty()
                    ? new DeployReply.Missing(NOTHING_DEPLOYED)
                    : create(content.get()::copyTo);
        });
    }

    /** Puts the files of a package where there is nothing yet. */
    private interface Filling {
        void fill(Path files) throws IOException;
    }

    private DeployReply create(Filling filling) throws IOException {
        Instant now = clock.instant();
        Optional<String> full = sessions.full(now);
        if (full.isPresent()) {
            return new DeployReply.Full(full.get());
        }
        long number = store.newGeneration();
        boolean isKept = false;
        try {
            filling.fill(store.files(number));
            var content = new PackageContent(store.files(number));
            long bytes = content.size().bytes();
            full = sessions.full(bytes, now);
            if (full.isPresent()) {
                return new DeployReply.Full(full.get());
            }
            sessions.add(new DeploySession(number, activeNumber(), now, content, bytes));
            isKept = true;
            return new DeployReply.Created(number);
        } catch (InvalidPackageException e) {
            return new DeployReply.Invalid("Invalid application: " + e.getMessage());
        } finally {
            if (!isKept) {
                store.discard(number);
            }
        }
    }

    /**
     * Checks a session's package as it is now against what is active now; again where that was done
     * before.
     *
     * @throws IOException if files cannot be read
     */
    DeployReply prepare(long number) throws IOException, InterruptedException {
        return alone(() -> {
            Optional<DeploySession> session = sessions.find(number, clock.instant());
            if (session.isEmpty()) {
                return notWaiting(number);
            }
            session.get().unprepare();
            return switch (check(number)) {
                case CheckedPackage.Outcome.Failed(var problem) -> new DeployReply.Invalid(problem);
                case CheckedPackage.Outcome.Passed(var checked) -> {
                    session.get().prepared(checked);
                    yield new DeployReply.Prepared(number, checked.notices(), checked.changes());
                }
            };
        });
    }

    /** Tells whether a session is prepared, without its log and its changes. */
    DeployReply prepared(long number) {
        Optional<DeploySession> session = sessions.find(number, clock.instant());
        if (session.isEmpty()) {
            return notWaiting(number);
        }
        return session.get().prepared().isPresent()
                ? new DeployReply.Prepared(number, List.of(), ModelChanges.NONE)
                : new DeployReply.Wrong(notPrepared(number));
    }

    /**
     * Activates a session that is prepared.
     *
     * @throws IOException if it could not be named active on disk
     */
    DeployReply activate(long number) throws IOException, InterruptedException {
        return alone(() -> {
            Optional<DeploySession> session = sessions.find(number, clock.instant());
            if (session.isEmpty()) {
                return notWaiting(number);
            }
            long now = activeNumber();
            if (now != 0 && now != session.get().base()) {
                return new DeployReply.Conflict(
                        "session %d cannot be activated: session %d was activated since it was made"
                                .formatted(number, now));
            }
            Optional<CheckedPackage> prepared = session.get().prepared();
            if (prepared.isEmpty()) {
                return new DeployReply.Wrong(notPrepared(number));
            }
            Optional<String> problem = serve(prepared.get().model());
            return problem.isPresent()
                    ? new DeployReply.Invalid("Invalid application: " + problem.get())
                    : new DeployReply.Activated(number);
        });
    }

    /**
     * Stops to serve the active application, also after a restart. Documents stay stored, and
     * sessions.
     *
     * @throws IOException if that could not be said on disk; it is served on then
     */
    DeployReply remove() throws IOException, InterruptedException {
        return alone(() -> {
            if (active.get().isEmpty()) {
                return new DeployReply.Missing(NOTHING_DEPLOYED);
            }
            store.deactivate();
            activation.deactivate();
            active.set(Optional.empty());
            return new DeployReply.Removed();
        });
    }

    /** Returns the files of a session, also of the active one and the one before. */
    Optional<PackageContent> content(long number) {
        Optional<PackageContent> waiting =
                sessions.find(number, clock.instant()).map(DeploySession::content);
        return waiting.isPresent() || !(isActive(number) || wasActive(number))
                ? waiting
                : Optional.of(new PackageContent(store.files(number)));
    }

    /** Returns the files of the active application. */
    Optional<PackageContent> activeContent() {
        return active.get().map(model -> new PackageContent(store.files(model.generation())));
    }

    /** Returns why the files of a session cannot be written, if that is so. */
    Optional<DeployReply> readOnly(long number) {
        return sessions.find(number, clock.instant()).isPresent()
                ? Optional.empty()
                : Optional.of(notWaiting(number));
    }

    /**
     * Puts {@code file} into a session's package, in place of what was there.
     *
     * @param path normalized, not empty
     * @throws IOException if it cannot be written
     */
    DeployReply put(long number, String path, Path file) throws IOException, InterruptedException {
        return change(
                number,
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

    /** Makes a directory in a session's package, and those above it. */
    DeployReply putDirectory(long number, String path) throws IOException, InterruptedException {
        return change(
                number,
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

    /** Deletes a file or an empty directory of a session's package. */
    DeployReply delete(long number, String path) throws IOException, InterruptedException {
        return change(
                number,
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

    /** Changes files; returns why it does not, if so. */
    private interface FileChange {
        Optional<DeployReply> apply(PackageContent content) throws IOException;
    }

    private DeployReply change(long number, FileChange change)
            throws IOException, InterruptedException {
        return alone(() -> {
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

    private static String notPrepared(long number) {
        return "session %d is not prepared: put .../session/%d/prepared first"
                .formatted(number, number);
    }

    /** Says why nothing can be done with a session that does not wait to be activated. */
    private DeployReply notWaiting(long number) {
        if (isActive(number)) {
            return new DeployReply.Wrong("session %d is active already".formatted(number));
        }
        if (wasActive(number)) {
            return new DeployReply.Wrong(
                    "session %d was active, and was replaced by session %d"
                            .formatted(number, activeNumber()));
        }
        return new DeployReply.Missing(
                "there is no session %d: it was never made, or was not activated in time, or the"
                                .formatted(number)
                        + " server started since");
    }

    private boolean isActive(long number) {
        return number != 0 && activeNumber() == number;
    }

    private boolean wasActive(long number) {
        OptionalLong previous = store.previous();
        return previous.isPresent() && previous.getAsLong() == number;
    }

    /** Returns the number of the active generation, 0 for none. */
    private long activeNumber() {
        return active.get().map(ApplicationModel::generation).orElse(0L);
    }

    /** Does something while nobody else deploys. */
    private interface Deployment {
        DeployReply run() throws IOException;
    }

    private DeployReply alone(Deployment deployment) throws IOException, InterruptedException {
        if (!lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            return new DeployReply.Busy(wait);
        }
        try {
            for (DeploySession session : sessions.over(clock.instant())) {
                store.discard(session.number());
                sessions.remove(session.number());
            }
            return deployment.run();
        } finally {
            lock.unlock();
        }
    }

    private CheckedPackage.Outcome check(long number) throws IOException {
        return CheckedPackage.check(
                store.files(number),
                number,
                active.get(),
                LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC));
    }

    /** Serves {@code model}, and names it active on disk; returns why it cannot, if so. */
    private Optional<String> serve(ApplicationModel model) throws IOException {
        return switch (activation.activate(model, ModelActivation.Occasion.DEPLOYMENT)) {
            case ModelActivation.Reply.Refused(var problem) -> Optional.of(problem);
            case ModelActivation.Reply.Activated() -> {
                active.set(Optional.of(model));
                sessions.remove(model.generation());
                nameActive(model.generation());
                yield Optional.empty();
            }
        };
    }

    private void nameActive(long generation) throws IOException {
        try {
            store.activate(generation, sessions.numbers());
        } catch (IOException e) {
            throw new IOException(
                    "generation %d is served, but could not be named active on disk: a restart"
                                    .formatted(generation)
                            + " serves the one before",
                    e);
        }
    }
}
