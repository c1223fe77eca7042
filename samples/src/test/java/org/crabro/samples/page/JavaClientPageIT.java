package org.crabro.samples.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.TestSettings;
import org.crabro.server.CrabroServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the Java of the page on the Java client as one program, and compares what it prints. */
class JavaClientPageIT {
    private static final Pattern JAVA = Pattern.compile("```java\n(.*?)```\n", Pattern.DOTALL);
    private static final Pattern OUTPUT = Pattern.compile("```\n\n```\n(.*?)```\n", Pattern.DOTALL);
    private static final String PROGRAM =
            """
            import static java.nio.charset.StandardCharsets.UTF_8;
            import java.io.*;
            import java.net.*;
            import java.time.*;
            import java.util.*;
            import java.util.concurrent.atomic.*;
            import org.crabro.client.feed.*;
            import org.crabro.client.http.*;
            import org.crabro.client.query.*;
            import org.crabro.client.visit.*;

            public class Page {
                public static void main(String[] arguments) throws Exception {
            BODY
                }
            }
            """;

    @TempDir private Path directory;

    @Test
    void printsWhatThePageSays() throws Exception {
        String page = PageCommands.page("java-client.md");
        try (var server = CrabroServer.start(TestSettings.onAnyPorts(directory.resolve("d")))) {
            var commands = PageCommands.of(server, directory);
            PageCommands.Step deployment =
                    PageCommands.steps(PageCommands.page("getting-started.md")).getFirst();
            deployment.require(commands.type(deployment.command()));

            assertThat(run(server, blocks(JAVA, page))).isEqualTo(blocks(OUTPUT, page));
        }
    }

    private static String blocks(Pattern pattern, String page) {
        return pattern.matcher(page)
                .results()
                .map(each -> each.group(1))
                .collect(Collectors.joining());
    }

    private String run(CrabroServer server, String code) throws Exception {
        Path file = directory.resolve("Page.java");
        Files.writeString(
                file,
                PROGRAM.replace(
                        "BODY",
                        code.replace("http://127.0.0.1:8080", server.container().toString())));
        Process process =
                new ProcessBuilder(
                                List.of(
                                        Path.of(System.getProperty("java.home"), "bin", "java")
                                                .toString(),
                                        "--class-path",
                                        System.getProperty("java.class.path"),
                                        file.toString()))
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }
}
