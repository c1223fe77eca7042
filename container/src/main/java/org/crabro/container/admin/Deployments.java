package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.Notice;
import org.crabro.config.application.PackageArchive;
import org.crabro.config.application.PackageLimits;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.config.deploy.ValidationOverrides;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deploys packages, one at a time: unpacks, compiles, compares with the active application,
 * activates, and then says on disk which one is active.
 *
 * <p>Whatever goes wrong on the way, the application that was active stays active. Safe for use by
 * many threads.
 */
final class Deployments {
    private static final Logger LOG = LoggerFactory.getLogger(Deployments.class);

    private final PackageStore store;
    private final PackageLimits limits;
    private final ModelActivation activation;
    private final Duration wait;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private final AtomicReference<Optional<ApplicationModel>> active =
            new AtomicReference<>(Optional.empty());

    /**
     * @param wait how long a deployment waits for another one to end
     * @param clock says which overrides are still good
     */
    Deployments(
            PackageStore store,
            PackageLimits limits,
            ModelActivation activation,
            Duration wait,
            InstantSource clock) {
        this.store = store;
        this.limits = limits;
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
        if (!lock.tryLock(wait.toNanos(), TimeUnit.NANOSECONDS)) {
            return new DeployReply.Busy(wait);
        }
        try {
            long generation = store.newGeneration();
            try {
                return deploy(archive, format, generation, activates);
            } finally {
                boolean isActive =
                        active.get().filter(model -> model.generation() == generation).isPresent();
                if (!isActive) {
                    store.discard(generation);
                }
            }
        } finally {
            lock.unlock();
        }
    }

    private DeployReply deploy(
            Path archive, PackageArchive.Format format, long generation, boolean activates)
            throws IOException {
        CompiledApplication compiled;
        try {
            Path files = Files.createDirectory(store.files(generation));
            PackageArchive.unpack(archive, format, files, limits);
            compiled = ApplicationCompiler.compile(DirectoryFiles.of(files), generation);
        } catch (InvalidPackageException e) {
            return new DeployReply.Invalid("Invalid application: " + e.getMessage());
        } catch (InvalidApplicationException e) {
            return new DeployReply.Invalid(Objects.requireNonNull(e.getMessage()));
        }
        ModelChanges changes = changes(compiled.model());
        LocalDate today = LocalDate.ofInstant(clock.instant(), ZoneOffset.UTC);
        var refusals = new ArrayList<>(compiled.overrides().problems(today));
        refusals.addAll(changes.refusals(compiled.overrides(), today));
        if (!refusals.isEmpty()) {
            return new DeployReply.Invalid("Invalid application: " + String.join("\n", refusals));
        }
        if (activates) {
            switch (activation.activate(compiled.model(), ModelActivation.Occasion.DEPLOYMENT)) {
                case ModelActivation.Reply.Refused(var problem) -> {
                    return new DeployReply.Invalid("Invalid application: " + problem);
                }
                case ModelActivation.Reply.Activated() -> {
                    active.set(Optional.of(compiled.model()));
                    nameActive(generation);
                }
            }
        }
        var notices = new ArrayList<>(compiled.notices());
        for (ModelChanges.Danger danger : changes.dangers()) {
            notices.add(
                    new Notice(
                            Notice.Level.WARNING,
                            "%s, as %s allows: %s"
                                    .formatted(
                                            danger.id().id(),
                                            ValidationOverrides.PATH,
                                            danger.message())));
        }
        return new DeployReply.Deployed(generation, activates, notices, changes);
    }

    private void nameActive(long generation) throws IOException {
        try {
            store.activate(generation);
        } catch (IOException e) {
            throw new IOException(
                    "generation %d is served, but could not be named active on disk: a restart"
                                    .formatted(generation)
                            + " serves the one before",
                    e);
        }
    }

    private ModelChanges changes(ApplicationModel model) {
        return active.get()
                .map(before -> ModelChanges.between(before, model))
                .orElse(ModelChanges.NONE);
    }
}
