package org.crabro.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.crabro.client.cli.FeedCommand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class CrabroTest {
    @TempDir private Path directory;

    @Test
    void readsTheOptionsOfTheCommandThatRunsAndOfNoOther() {
        assertThat(Crabro.needed("feed")).containsExactly(FeedCommand.class);
        assertThat(Crabro.needed("--version")).isEmpty();
    }

    @Test
    void readsAllOptionsForHelpAndForUnknownCommands() {
        int all = Crabro.commandLine().getSubcommands().size();

        assertThat(Crabro.needed("--help")).hasSize(all);
        assertThat(Crabro.needed("fed")).hasSize(all);
        assertThat(Crabro.needed("")).hasSize(all);
    }

    @Test
    void printsTheSameHelpWithoutReadingOptions() {
        assertThat(Crabro.namesAlone().getUsageMessage())
                .isEqualTo(Crabro.commandLine().getUsageMessage());
    }

    @Test
    void hasExamplesForEveryCommand() {
        requireExamples(Crabro.commandLine());
    }

    private static void requireExamples(CommandLine parent) {
        for (CommandLine command : parent.getSubcommands().values()) {
            String help = command.getUsageMessage();
            assertThat(help).contains("Examples:");
            assertThat(help.substring(help.indexOf("Examples:")))
                    .contains(command.getCommandSpec().qualifiedName());
            requireExamples(command);
        }
    }

    /**
     * Each command takes the common options, or the table says why it lacks one. The columns are
     * the command, then each option: {@code yes} or the reason.
     */
    @Test
    void hasTheCommonOptionsWhereTheyMakeSense() throws Exception {
        List<String> lines;
        try (var in = CrabroTest.class.getResourceAsStream("/commands.tsv")) {
            lines = new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        List<String> options = List.of(lines.getFirst().split("\t", -1));
        Map<String, CommandSpec> commands = new TreeMap<>();
        addCommands(Crabro.commandLine(), commands);

        assertThat(lines.stream().skip(1).map(line -> line.substring(0, line.indexOf('\t'))))
                .containsExactlyElementsOf(commands.keySet());
        List<String> wrong = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            List<String> cells = List.of(line.split("\t", -1));
            assertThat(cells).as(line).hasSameSizeAs(options).doesNotContain("");
            Set<String> taken =
                    Objects.requireNonNull(commands.get(cells.getFirst())).optionsMap().keySet();
            for (int i = 1; i < cells.size(); i++) {
                if (taken.contains(options.get(i)) != cells.get(i).equals("yes")) {
                    wrong.add(cells.getFirst() + " " + options.get(i) + ": " + cells.get(i));
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    /** Adds the commands that do something, by their names. */
    private static void addCommands(CommandLine parent, Map<String, CommandSpec> into) {
        parent.getSubcommands()
                .values()
                .forEach(command -> {
                    if (command.getSubcommands().isEmpty()) {
                        into.put(
                                command.getCommandSpec()
                                        .qualifiedName()
                                        .substring("crabro ".length()),
                                command.getCommandSpec());
                    } else {
                        addCommands(command, into);
                    }
                });
    }

    private static String output(String... arguments) {
        var out = new StringWriter();
        int status = Crabro.commandLine().setOut(new PrintWriter(out)).execute(arguments);
        assertThat(status).as(out.toString()).isZero();
        return out.toString();
    }

    @Test
    void printsSettingsInEachForm() {
        assertThat(output("settings")).contains("# warmUp = ");
        assertThat(output("settings", "--format=csv", "--set=warmUp=3s"))
                .startsWith("name,value,default,meaning\n")
                .contains("\nwarmUp,3s,");
        assertThat(output("settings", "--json").lines())
                .allMatch(line -> line.startsWith("{\"name\":\"") && line.endsWith("}"));
    }

    private static String error(String... arguments) {
        var err = new StringWriter();
        int status = Crabro.commandLine().setErr(new PrintWriter(err)).execute(arguments);
        assertThat(status).isEqualTo(2);
        return err.toString();
    }

    @Test
    void saysInALineWhatIsWrongAndWhatIsNear() {
        assertThat(error("query", "tea", "--gruop=ann"))
                .isEqualTo(
                        "unknown option '--gruop'; did you mean '--group'? See 'crabro query --help'.\n");
        assertThat(error("fed", "notes.jsonl"))
                .isEqualTo(
                        "there is no command 'fed'; did you mean 'feed'? See 'crabro --help'.\n");
        assertThat(error("document"))
                .isEqualTo(
                        "expected a command: get, put, update or remove. See 'crabro document --help'.\n");
        assertThat(error("import")).hasLineCount(1).contains("PATH", "'crabro import --help'");
        assertThat(error("query", "tea", "--format=xml")).hasLineCount(1).contains("--format");
        for (List<String> command :
                List.of(
                        List.of("query", "tea"),
                        List.of("bench", "query", "-q", "queries.txt"),
                        List.of("deploy"),
                        List.of("feed", "notes.jsonl"),
                        List.of("group", "list"),
                        List.of("inspect", "data"),
                        List.of("settings"),
                        List.of("validate", "package"),
                        List.of("cluster", "status"))) {
            List<String> arguments = new ArrayList<>(command);
            arguments.addAll(List.of("--json", "--table"));
            assertThat(error(arguments.toArray(String[]::new)))
                    .hasLineCount(1)
                    .contains("exclude each other");
        }
        assertThat(error("man", "quary")).hasLineCount(1).contains("query");
        assertThat(error("backup", "a", "b", "--" + "x".repeat(10_000))).hasLineCount(1);
    }

    @Test
    void namesTheDirectoryThatIsMissing() {
        var err = new StringWriter();
        CommandLine commandLine = Crabro.commandLine().setErr(new PrintWriter(err));

        assertThat(commandLine.execute("inspect", "/nowhere/data")).isEqualTo(1);
        assertThat(commandLine.execute("stop", "--data=/nowhere/data")).isEqualTo(1);
        assertThat(err.toString().lines())
                .containsExactly(
                        "there is no file or directory /nowhere/data",
                        "there is no file or directory /nowhere/data");
    }

    @Test
    void saysInTenLinesWhatToDoNext() {
        var out = new StringWriter();

        NextSteps.print(new PrintWriter(out));

        assertThat(out.toString().lines()).hasSize(10);
        for (String command : List.of("import", "query", "open", "status", "stop", "demo")) {
            assertThat(out.toString()).contains("crabro " + command + " ");
            assertThat(Crabro.commandLine().getSubcommands()).containsKey(command);
        }
    }

    @Test
    void hasAManualPageForEveryCommand() throws Exception {
        assertThat(Crabro.commandLine().execute("man", "--all=" + directory)).isZero();

        assertThat(directory.resolve("crabro.1")).content().contains(".SH COMMANDS");
        assertThat(directory.resolve("crabro-document-put.1"))
                .content()
                .startsWith(".TH \"CRABRO-DOCUMENT-PUT\" 1")
                .contains(".SH NAME\n.PP\ncrabro-document-put \\- ")
                .contains(".SH EXAMPLES");
        assertThat(directory.resolve("crabro-query.1"))
                .content()
                .contains("\\fB\\-g\\fR, \\fB\\-\\-group\\fR \\fINAME\\fR")
                .contains("printed: table, json, jsonl, csv.")
                .doesNotContain("${");
        try (var pages = Files.list(directory)) {
            assertThat(pages).hasSizeGreaterThan(Crabro.commandLine().getSubcommands().size());
        }
    }

    @Test
    void completesCommandsAndOptionsInFish() {
        var script = new StringWriter();
        CommandLine commandLine = Crabro.commandLine().setOut(new PrintWriter(script));

        assertThat(commandLine.execute("completion", "fish")).isZero();
        assertThat(script.toString().lines())
                .allMatch(line -> line.startsWith("complete -c crabro "))
                .anyMatch(line ->
                        line.startsWith(
                                "complete -c crabro -n '__fish_use_subcommand' -a query -d 'Searches"))
                .anyMatch(line ->
                        line.startsWith(
                                "complete -c crabro -n '__fish_seen_subcommand_from query' -l format -x -a"
                                        + " 'table json jsonl csv'"))
                .anyMatch(line ->
                        line.contains(
                                "'__fish_seen_subcommand_from document; and __fish_seen_subcommand_from put'"));
    }

    @Test
    void namesNoParameterOfTheServerWhereAnOptionSetsIt() {
        requireOptions(Crabro.commandLine());
    }

    private static void requireOptions(CommandLine parent) {
        assertThat(parent.getUsageMessage()).doesNotContain("streaming.groupname");
        parent.getSubcommands().values().forEach(CrabroTest::requireOptions);
    }

    @Test
    void completesCommandsAndOptionsInBash() throws Exception {
        var script = new StringWriter();
        CommandLine commandLine = Crabro.commandLine().setOut(new PrintWriter(script));
        assertThat(commandLine.execute("completion", "bash")).isZero();

        var process =
                new ProcessBuilder(
                                "bash",
                                "-c",
                                script
                                        + "\nCOMP_WORDS=(crabro document g); COMP_CWORD=2;"
                                        + " _complete_crabro; echo ${COMPREPLY[@]}")
                        .redirectErrorStream(true)
                        .start();

        assertThat(
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                                .strip())
                .isEqualTo("get");
    }
}
