package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.crabro.server.CrabroServer;

/**
 * Runs the commands of pages in a shell, in the root of the repository.
 *
 * @param replacements texts of commands, such as addresses, with those of the test
 */
record PageCommands(Map<String, String> replacements) {
    private static final Pattern STEP =
            Pattern.compile("```sh\n(.*?)```\n\n```(json)?\n(.*?)```\n", Pattern.DOTALL);

    private static final Path ROOT = Path.of(System.getProperty("crabro.root"));

    /**
     * A command of a page, and its output.
     *
     * @param isJson whether the output is compared as JSON, otherwise as text
     */
    record Step(String command, boolean isJson, String output) {
        /** Requires that the command has this output. */
        void require(String said) {
            if (isJson) {
                assertThat(Http.JSON.readTree(said))
                        .as(command)
                        .isEqualTo(Http.JSON.readTree(output));
            } else {
                assertThat(said.stripTrailing()).as(command).isEqualTo(output.stripTrailing());
            }
        }
    }

    /**
     * Returns commands for a server.
     *
     * @param temporary replaces the directory {@code /tmp}
     */
    static PageCommands of(CrabroServer server, Path temporary) {
        var replacements = new LinkedHashMap<String, String>();
        replacements.put("http://127.0.0.1:8080", server.container().toString());
        replacements.put("http://127.0.0.1:19071", server.config().toString());
        replacements.put("/tmp/", temporary + "/");
        return new PageCommands(replacements);
    }

    /** Returns these commands with another text replaced last, so that what replaces it stays. */
    PageCommands with(String written, String replacement) {
        var all = new LinkedHashMap<>(replacements);
        all.put(written, replacement);
        return new PageCommands(all);
    }

    /** Returns a page of the folder {@code docs}. */
    static String page(String name) throws IOException {
        return Files.readString(ROOT.resolve("docs").resolve(name));
    }

    /** Returns the commands of a page that have an output. */
    static List<Step> steps(String page) {
        return STEP.matcher(page)
                .results()
                .map(step -> new Step(step.group(1), step.group(2) != null, step.group(3)))
                .toList();
    }

    /** Runs the commands of a page, which must have the outputs of the page; returns how many. */
    int run(String page) throws IOException, InterruptedException {
        List<Step> steps = steps(page);
        for (Step step : steps) {
            step.require(type(step.command()));
        }
        return steps.size();
    }

    /** Runs a command, which must succeed, and returns its output. */
    String type(String command) throws IOException, InterruptedException {
        String replaced = command;
        for (Map.Entry<String, String> each : replacements.entrySet()) {
            replaced = replaced.replace(each.getKey(), each.getValue());
        }
        Process shell =
                new ProcessBuilder("bash", "-c", replaced)
                        .directory(ROOT.toFile())
                        .redirectErrorStream(true)
                        .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(command + said).isZero();
        return said;
    }
}
