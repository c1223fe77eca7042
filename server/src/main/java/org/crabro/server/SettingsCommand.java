package org.crabro.server;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.cli.OutputOptions;
import org.crabro.client.terminal.OutputFormat;
import org.crabro.client.terminal.RecordOutput;
import org.crabro.server.settings.Setting;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Prints every setting of the server as a settings file. */
@Command(
        name = "settings",
        mixinStandardHelpOptions = true,
        description = {
            "Prints every setting with its meaning, its default and its value.",
            "The output is a settings file: lines with defaults are comments. The exit status is 2"
                    + " if a setting is wrong."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro settings",
            "  crabro settings | grep search",
            "  crabro settings --format csv"
        })
final class SettingsCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Mixin private OutputOptions output = new OutputOptions();

    @Mixin private SettingsOptions options = new SettingsOptions();

    @Override
    public Integer call() throws IOException {
        OutputFormat format = output.orElse(OutputFormat.TABLE);
        ServerSettings defaults = ServerSettings.onAnyPorts(Path.of("crabro-data"));
        List<Setting> before = defaults.tree().settings();
        List<Setting> after = options.applyTo(defaults, Optional.empty()).tree().settings();
        SettingMeanings meanings = SettingMeanings.read();
        if (format != OutputFormat.TABLE) {
            List<JsonNode> rows = new ArrayList<>();
            for (int i = 0; i < after.size(); i++) {
                Setting setting = after.get(i);
                rows.add(
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("name", setting.name())
                                .put("value", setting.text())
                                .put("default", before.get(i).text())
                                .put("meaning", meanings.of(setting.name())));
            }
            RecordOutput.print(rows, format, spec);
            return 0;
        }
        PrintWriter out = spec.commandLine().getOut();
        for (int i = 0; i < after.size(); i++) {
            Setting setting = after.get(i);
            String standard = before.get(i).text();
            out.printf("# %s Default: %s.%n", meanings.of(setting.name()), standard);
            out.printf(
                    "%s%s = %s%n%n",
                    setting.text().equals(standard) ? "# " : "", setting.name(), setting.text());
        }
        out.flush();
        return 0;
    }
}
