package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.application.Notice;
import org.crabro.config.application.RemoteFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.container.console.ConsoleEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The active application, in memory and on disk. Changed by one thread at a time, read by many. */
final class ActivePackage {
    private static final Logger LOG = LoggerFactory.getLogger(ActivePackage.class);

    private final PackageStore store;
    private final RemoteFiles remote;
    private final ModelActivation activation;
    private final PackageHistory history;
    private final AtomicReference<Optional<ApplicationModel>> active =
            new AtomicReference<>(Optional.empty());

    ActivePackage(
            PackageStore store,
            RemoteFiles remote,
            ModelActivation activation,
            PackageHistory history) {
        this.store = store;
        this.remote = remote;
        this.activation = activation;
        this.history = history;
    }

    /** Returns the last activations and removals, the newest first. */
    List<ConsoleEvent> history() {
        return history.newestFirst();
    }

    /** Returns the active application, if any. */
    Optional<ApplicationModel> model() {
        return active.get();
    }

    /** Returns the number of the active generation, 0 for none. */
    long number() {
        return model().map(ApplicationModel::generation).orElse(0L);
    }

    /** Returns whether the active application has this name. */
    boolean is(ApplicationName name) {
        return model().filter(model -> model.name().equals(name)).isPresent();
    }

    /** Returns whether {@code number} is the active generation. */
    boolean is(long number) {
        return number != 0 && number() == number;
    }

    /** Returns whether {@code number} is the generation before the active one. */
    boolean was(long number) {
        OptionalLong previous = store.previous();
        return previous.isPresent() && previous.getAsLong() == number;
    }

    /** Returns the files of the active application. */
    Optional<PackageContent> content() {
        return model().map(model -> new PackageContent(store.files(model.generation())));
    }

    /** Returns whether a document of a type is stored in a content cluster, or may be. */
    boolean hasDocuments(ModelChanges.Stored type) {
        return activation.hasDocuments(type);
    }

    /**
     * Returns about how many documents of a type have a value in a field; empty if that is unknown.
     *
     * @param path the field, and the members of structs in it, with dots between them
     */
    OptionalLong documentsWith(ModelChanges.Stored type, String path) {
        return activation.documentsWith(type, path);
    }

    /** Returns the oldest generation that a running server of the active application serves. */
    long servedNumber() {
        return activation.servedGeneration(number());
    }

    /** Returns the services of the active application. */
    List<RunningService> services() {
        return activation.services();
    }

    /**
     * Activates the application that was active when the process ended. If its package is no longer
     * valid, logs the reason and activates none.
     *
     * @throws IOException if the files of the package cannot be read
     */
    void restore() throws IOException {
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
            ApplicationModel model = compile(files, generation, store.name()).model();
            switch (activation.activate(model, ModelActivation.Occasion.START)) {
                case ModelActivation.Reply.Activated() -> active.set(Optional.of(model));
                case ModelActivation.Reply.Refused(var problem) ->
                        LOG.error(
                                "{}: generation {} cannot be served: {}",
                                files,
                                generation,
                                problem);
                case ModelActivation.Reply.Unavailable(var problem) ->
                        throw new UnavailableException(problem);
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
     * Compiles a package that is active or may become so.
     *
     * @throws IOException if the files of the package cannot be read
     * @throws InvalidApplicationException if the package is not valid
     */
    CompiledApplication compile(Path files, long generation, ApplicationName name)
            throws IOException {
        return ApplicationCompiler.compile(DirectoryFiles.of(files), generation, name, remote);
    }

    /** Returns the parts of a model that have no effect in this process. */
    List<Notice> notices(ApplicationModel model) {
        return activation.notices(model);
    }

    /**
     * Activates {@code model}, and records it on disk.
     *
     * @param sessions whose files are kept
     * @return why it cannot be activated; empty if it was
     * @throws IOException if it is active, but could not be recorded
     */
    Optional<String> serve(ApplicationModel model, Collection<Long> sessions) throws IOException {
        return switch (activation.activate(model, ModelActivation.Occasion.DEPLOYMENT)) {
            case ModelActivation.Reply.Refused(var problem) -> Optional.of(problem);
            case ModelActivation.Reply.Unavailable(var problem) ->
                    throw new UnavailableException(problem);
            case ModelActivation.Reply.Activated() -> {
                active.set(Optional.of(model));
                nameActive(model, sessions);
                yield Optional.empty();
            }
        };
    }

    /**
     * Rebuilds the services of the active application from the same files.
     *
     * @return why that failed; the old services continue then
     * @throws UnavailableException if it cannot be done now
     */
    Optional<String> rebuild() throws UnavailableException {
        ApplicationModel model = model().orElseThrow();
        return switch (activation.activate(model, ModelActivation.Occasion.DEPLOYMENT)) {
            case ModelActivation.Reply.Refused(var problem) -> Optional.of(problem);
            case ModelActivation.Reply.Unavailable(var problem) ->
                    throw new UnavailableException(problem);
            case ModelActivation.Reply.Activated() -> Optional.empty();
        };
    }

    private void nameActive(ApplicationModel model, Collection<Long> sessions) throws IOException {
        long generation = model.generation();
        try {
            store.activate(generation, model.name(), sessions);
            history.activated(generation, model.name());
        } catch (IOException e) {
            throw new IOException(
                    "generation %d is served, but could not be named active on disk: a restart"
                                    .formatted(generation)
                            + " serves the one before",
                    e);
        }
    }

    /**
     * Deactivates the application, also for restarts.
     *
     * @throws IOException if that could not be recorded on disk; it stays active then
     */
    void remove() throws IOException {
        ApplicationModel removed = model().orElseThrow();
        store.deactivate();
        history.removed(removed.generation(), removed.name());
        activation.deactivate();
        active.set(Optional.empty());
    }
}
