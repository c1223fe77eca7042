package org.crabro.server.settings;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;
import org.crabro.server.ServerSettings;

/** Settings files. */
public final class SettingTargets {
    private SettingTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        SettingsTree<ServerSettings> tree = ServerSettings.onAnyPorts(Path.of("data")).tree();
        return List.of(
                FuzzTarget.ofBytes(
                                "settings-files",
                                bytes -> read(bytes, tree),
                                InvalidSettingsException.class,
                                IOException.class)
                        .slow());
    }

    /** Checks that parsed settings are printed as values that parse to the same. */
    private static void read(byte[] bytes, SettingsTree<ServerSettings> tree) throws IOException {
        try (var directory = FuzzedDirectory.create()) {
            Path file = directory.write("settings", bytes);
            ServerSettings settings = tree.with(SettingsFile.read(file));
            List<Assignment> printed =
                    settings.tree().settings().stream()
                            .map(each -> new Assignment(each.name(), each.text(), "printed"))
                            .toList();
            if (!tree.with(printed).equals(settings)) {
                throw new AssertionError("the settings read back as others: " + printed);
            }
        }
    }
}
