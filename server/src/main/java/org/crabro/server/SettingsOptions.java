package org.crabro.server;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.server.settings.Assignment;
import org.crabro.server.settings.InvalidSettingsException;
import org.crabro.server.settings.SettingsFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that set settings of the server. */
final class SettingsOptions {
    @Option(
            names = "--settings",
            paramLabel = "FILE",
            description = "A file of settings, 'name = value' in each line.")
    private @Nullable Path file;

    @Option(
            names = "--set",
            paramLabel = "NAME=VALUE",
            description = "A setting; overrides the file. Repeatable. 'crabro settings' lists all.")
    private List<String> given = new ArrayList<>();

    /**
     * Returns {@code settings} with the values of these options.
     *
     * @param last overrides the values of these options
     * @throws InvalidSettingsException if a name or a value is wrong
     * @throws IOException if the file cannot be read
     */
    ServerSettings applyTo(ServerSettings settings, Optional<Assignment> last) throws IOException {
        var assignments = new ArrayList<Assignment>();
        if (file != null) {
            assignments.addAll(SettingsFile.read(file));
        }
        for (String text : given) {
            assignments.add(SettingsFile.ofOption("--set", text));
        }
        last.ifPresent(assignments::add);
        return settings.tree().with(assignments);
    }
}
