package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.InvalidPackageException;
import org.crabro.config.application.Notice;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.CompiledApplication;
import org.crabro.config.deploy.InvalidApplicationException;
import org.crabro.config.deploy.ModelChanges;
import org.crabro.config.deploy.ValidationOverrides;

/**
 * A valid package that may follow the active application.
 *
 * @param notices for the client
 * @param changes from the active application
 * @param emptyTypes types that must have no document at activation, because the package removes
 *     something from them without permission
 */
record CheckedPackage(
        ApplicationModel model,
        List<Notice> notices,
        ModelChanges changes,
        Set<ModelChanges.Stored> emptyTypes) {
    CheckedPackage {
        notices = List.copyOf(notices);
        emptyTypes = Set.copyOf(emptyTypes);
    }

    /** The result of a check. */
    sealed interface Outcome {
        record Passed(CheckedPackage checked) implements Outcome {}

        /**
         * The package is invalid, or may not follow the active application.
         *
         * @param problem all errors
         */
        record Failed(String problem) implements Outcome {}
    }

    /**
     * Compiles the package in {@code files}, and compares it with the active one.
     *
     * @param name of the application
     * @param ignoresRefusals whether rejected changes become warnings
     * @param today determines which validation overrides are valid
     * @throws IOException if the files cannot be read
     */
    static Outcome check(
            Path files,
            long generation,
            ApplicationName name,
            ActivePackage active,
            boolean ignoresRefusals,
            LocalDate today)
            throws IOException {
        CompiledApplication compiled;
        try {
            compiled = active.compile(files, generation, name);
        } catch (InvalidPackageException e) {
            return new Outcome.Failed("Invalid application: " + e.getMessage());
        } catch (InvalidApplicationException e) {
            return new Outcome.Failed(Objects.requireNonNull(e.getMessage()));
        }
        ModelChanges all =
                active.model()
                        .map(before -> ModelChanges.between(before, compiled.model()))
                        .orElse(ModelChanges.NONE);
        Set<ModelChanges.Stored> emptyTypes =
                all.typesToBeEmpty(compiled.overrides(), today).stream()
                        .filter(type -> !active.hasDocuments(type))
                        .collect(Collectors.toSet());
        ModelChanges changes = all.without(emptyTypes);
        var refusals = new ArrayList<>(compiled.overrides().problems(today));
        refusals.addAll(changes.refusals(compiled.overrides(), today));
        if (!refusals.isEmpty() && !ignoresRefusals) {
            return new Outcome.Failed("Invalid application: " + String.join("\n", refusals));
        }
        var notices = new ArrayList<>(compiled.notices());
        notices.addAll(active.notices(compiled.model()));
        refusals.forEach(refusal ->
                notices.add(
                        new Notice(
                                Notice.Level.WARNING,
                                "not refused, because of ignoreValidationErrors: " + refusal)));
        for (ModelChanges.Danger danger : changes.allowed(compiled.overrides(), today)) {
            notices.add(
                    new Notice(
                            Notice.Level.WARNING,
                            "%s, as %s allows: %s"
                                    .formatted(
                                            danger.id().id(),
                                            ValidationOverrides.PATH,
                                            danger.message())));
        }
        for (ModelChanges.Removal removal : changes.removals()) {
            OptionalLong documents =
                    active.documentsWith(
                            new ModelChanges.Stored(removal.cluster(), removal.documentType()),
                            removal.path());
            notices.add(new Notice(Notice.Level.WARNING, removal.warning(documents)));
        }
        return new Outcome.Passed(
                new CheckedPackage(
                        compiled.model(),
                        notices,
                        changes,
                        ignoresRefusals ? Set.of() : emptyTypes));
    }
}
