package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.client.cli.ServerProcess;
import org.crabro.samples.fixture.Http;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.QuickServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The threads of a server have the names that the page for operators lists, also those that native
 * libraries start. A native thread begins with the name of the thread that starts it, so a thread
 * of the pool of a model could have the name of the deployment.
 */
class ThreadNamesIT {
    private static final Path SAMPLE =
            Path.of(System.getProperty("crabro.root")).resolve("samples/mailbox");
    private static final Path TASKS = Path.of("/proc/self/task");

    /** The chapter of the page, up to the next one. */
    private static final Pattern CHAPTER = Pattern.compile("(?s)\n## Threads\n(.*?)\n## ");

    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`[^|]*) \\|");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    /** Linux keeps so many bytes of a name. */
    private static final int LENGTH_MAX = 15;

    @TempDir private Path directory;
    private Path application;

    @BeforeEach
    void copyTheSample() throws IOException {
        assumeTrue(Files.isDirectory(TASKS), "the system does not list threads");
        application = directory.resolve("application");
        Path source = SAMPLE.resolve("target/application");
        try (Stream<Path> all = Files.walk(source)) {
            for (Path each : all.toList()) {
                Files.copy(each, application.resolve(source.relativize(each)));
            }
        }
        Path services = application.resolve("services.xml");
        String one = "<normalize>true</normalize>";
        String text = Files.readString(services);
        assertThat(text).contains(one);
        // A run of the model uses the calling thread and one of a pool.
        Files.writeString(
                services,
                text.replace(
                        one,
                        one
                                + "<onnx-execution-mode>sequential</onnx-execution-mode>"
                                + "<onnx-intraop-threads>2</onnx-intraop-threads>"));
    }

    @Test
    void everyThreadHasANameOfThePage() throws Exception {
        List<Pattern> listed = listed();
        Set<String> wrong = new TreeSet<>();
        assertThat(listed).hasSizeGreaterThan(40);
        try (ServerProcess server = QuickServer.start(directory.resolve("data"), List.of());
                var http = new Http()) {
            wrong.addAll(wrong(names(server), listed));

            deploy(http, server);
            Set<String> deployed = names(server);
            wrong.addAll(wrong(deployed, listed));
            assertThat(deployed).contains("deploying", "onnx-pool");

            feedAndQuery(http, server.container());
            Set<String> used = names(server);
            wrong.addAll(wrong(used, listed));
            assertThat(used).anyMatch(name -> name.matches("embedding-\\d+"));

            deploy(http, server);
            feedAndQuery(http, server.container());
            wrong.addAll(wrong(names(server), listed));
            assertThat(threads(server, "deploying")).isEqualTo(1);
        }

        assertThat(wrong).as("names that are not on the page").isEmpty();
    }

    private void deploy(Http http, ServerProcess server) throws Exception {
        Http.Answer deployed =
                http.post(
                        server.config()
                                .resolve("/application/v2/tenant/default/prepareandactivate"),
                        "application/zip",
                        Http.zip(application));
        assertThat(deployed.status()).as(deployed.toString()).isEqualTo(200);
    }

    private static void feedAndQuery(Http http, URI container) throws Exception {
        Http.Answer fed =
                http.post(
                        container.resolve("/document/v1/?answers=failed"),
                        "application/jsonl",
                        Files.readAllLines(SAMPLE.resolve("mails.jsonl")).stream()
                                .limit(8)
                                .collect(Collectors.joining("\n"))
                                .getBytes(UTF_8));
        assertThat(fed.status()).as(fed.toString()).isEqualTo(200);
        Http.Answer answer =
                http.get(
                        container.resolve(
                                "/search/?streaming.groupname=anna&timeout=60s&queryProfile=question&query=a+hotel"));
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
    }

    /** Returns the form of each name of the page. */
    private static List<Pattern> listed() throws IOException {
        MatchResult chapter =
                CHAPTER.matcher(PageCommands.page("operations.md"))
                        .results()
                        .findFirst()
                        .orElseThrow();
        return ROW.matcher(chapter.group(1))
                .results()
                .flatMap(row -> NAME.matcher(row.group(1)).results())
                .map(name -> form(name.group(1)))
                .toList();
    }

    /** Returns the form of the names that the page shows with N, PORT, HASH and {@code …}. */
    private static Pattern form(String name) {
        return Pattern.compile(
                Pattern.quote(name)
                        .replace("PORT", "\\E\\d+\\Q")
                        .replace("HASH", "\\E[0-9a-f]+\\Q")
                        .replaceAll("(?<=[-# a-z])N(?=[-\\\\])", "\\\\E\\\\d+\\\\Q")
                        .replace("…", "\\E.*\\Q"));
    }

    /** Returns the names of threads that are not on the page. */
    private static List<String> wrong(Set<String> names, List<Pattern> listed) {
        return names.stream()
                .filter(name -> listed.stream().noneMatch(each -> isOf(each.matcher(name), name)))
                .toList();
    }

    /** Returns whether a name has a form, or may have it without its end. */
    @SuppressWarnings("JdkObsolete") // a cut name is a part of an input, which hitEnd() is for
    private static boolean isOf(Matcher form, String name) {
        return form.matches() || (name.length() == LENGTH_MAX && form.hitEnd());
    }

    private static Set<String> names(ServerProcess server) throws IOException {
        return new TreeSet<>(all(server));
    }

    private static long threads(ServerProcess server, String name) throws IOException {
        return all(server).stream().filter(name::equals).count();
    }

    /** Returns the name of each thread of a process, as the system has it. */
    private static List<String> all(ServerProcess server) throws IOException {
        List<String> names = new ArrayList<>();
        try (Stream<Path> tasks =
                Files.list(Path.of("/proc", Long.toString(server.pid()), "task"))) {
            for (Path task : tasks.toList()) {
                try {
                    names.add(Files.readString(task.resolve("comm")).strip());
                } catch (IOException _) {
                    // The thread has ended, and the file or its content with it.
                }
            }
        }
        return names;
    }
}
