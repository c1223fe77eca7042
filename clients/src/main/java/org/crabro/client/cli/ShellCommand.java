package org.crabro.client.cli;

import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.crabro.client.shell.Shell;
import org.crabro.client.shell.ShellSession;
import org.crabro.client.terminal.TerminalOutput;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A prompt for queries. */
@Command(
        name = "shell",
        mixinStandardHelpOptions = true,
        description = {
            "A prompt for YQL with history and completion. Reads statements from standard input if it"
                    + " is no terminal.",
            "The exit status is 1 if a statement of standard input failed."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  crabro shell --group anna",
            "  crabro shell ranking=words --all-groups",
            "  echo 'select * from note where true;' | crabro shell -g anna",
            "",
            "A query ends with a semicolon. \\help lists the commands of the prompt."
        })
public final class ShellCommand implements Callable<Integer> {
    @Spec private CommandSpec spec = CommandSpec.create();

    @Parameters(
            paramLabel = "NAME=VALUE",
            description = "Parameters of all queries, such as ranking=words.")
    private List<String> parameters = List.of();

    @Option(
            names = {"-g", "--group"},
            paramLabel = "NAME",
            description =
                    "Search the documents of this group. Not needed if there is only one group.")
    private @Nullable String group;

    @Option(names = "--all-groups", description = "Search the documents of all groups.")
    private boolean isOfAllGroups;

    @Option(
            names = "--history",
            paramLabel = "FILE",
            description = "The file of earlier statements (~/.local/state/crabro/history).")
    private @Nullable Path history;

    @Option(names = "--no-history", description = "Keep no statements.")
    private boolean hasNoHistory;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    @Override
    public Integer call() throws IOException, InterruptedException {
        var session =
                new ShellSession(
                        new Shell.Output(
                                spec.commandLine().getOut(),
                                spec.commandLine().getErr(),
                                TerminalOutput.columns(),
                                TerminalOutput.isOut(),
                                spec.commandLine().getColorScheme().ansi().enabled()));
        if (TerminalOutput.isIn() && TerminalOutput.isOut()) {
            session.runOnTerminal(target.server(), parameters(), history());
            return ExitStatus.DONE;
        }
        boolean isDone =
                session.run(
                        target.server(),
                        parameters(),
                        new InputStreamReader(System.in, StandardCharsets.UTF_8));
        return isDone ? ExitStatus.DONE : ExitStatus.FAILED;
    }

    private Map<String, String> parameters() {
        var all = new LinkedHashMap<String, String>();
        if (group != null && isOfAllGroups) {
            throw new ParameterException(
                    spec.commandLine(), "--group and --all-groups exclude each other");
        }
        if (group != null) {
            all.put("streaming.groupname", group);
        }
        if (isOfAllGroups) {
            all.put("streaming.selection", "true");
        }
        for (String each : parameters) {
            int equal = each.indexOf('=');
            if (equal < 1) {
                throw new ParameterException(
                        spec.commandLine(), "expected NAME=VALUE, found '" + each + "'");
            }
            all.put(each.substring(0, equal), each.substring(equal + 1));
        }
        return all;
    }

    private Optional<Path> history() {
        if (hasNoHistory) {
            return Optional.empty();
        }
        String state = System.getenv("XDG_STATE_HOME");
        Path directory =
                state == null || state.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".local", "state")
                        : Path.of(state);
        return Optional.of(
                history == null ? directory.resolve("crabro").resolve("history") : history);
    }
}
