package org.crabro.perf.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Fuzzes the parsers with Jazzer, one after the other, each in a process of its own. The profile
 * {@code fuzz} runs this and no other test. The findings, the log and the inputs that Jazzer keeps
 * are below {@code perf/target/fuzz}. The shortest inputs that reach new code are added to the
 * corpus file of the target. The test fails if a process finds something or does not end.
 */
class JazzerRun {
    private static final Path RESULTS =
            Path.of(System.getProperty("crabro.root", "."), "perf", "target", "fuzz");
    private static final Path CORPUS =
            Path.of(System.getProperty("crabro.root", "."), "perf/src/test/resources/fuzz");

    private static final Duration TIME =
            Duration.ofMinutes(Integer.getInteger("crabro.fuzz.minutes", 60));

    /** Names of targets, separated by commas; all where there are none. */
    private static final String ONLY = System.getProperty("crabro.fuzz.targets", "");

    /** Longer inputs take longer to mutate than they find. */
    private static final int INPUT_BYTES = 4096;

    /** An input that takes longer, or more memory, is a finding. */
    private static final int SECONDS_MAX = 10;

    private static final int MEGABYTES_MAX = 4096;

    /** The time that a process may take to start, to read its corpus and to end. */
    private static final Duration START_MAX = Duration.ofMinutes(3);

    private static final String NOTHING_FOUND = "nothing found";

    /** The size of a corpus file; further inputs are left out, long ones first. */
    private static final int CORPUS_BYTES = 30_000;

    private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{1,30}");
    private static final int WORDS_MAX = 500;

    @Test
    void fuzzes() throws Exception {
        var targets = new LinkedHashMap<FuzzTarget, Integer>();
        for (int group = 0; group < FuzzTargets.GROUPS.size(); group++) {
            for (FuzzTarget target : FuzzTargets.GROUPS.get(group).get()) {
                if (ONLY.isEmpty() || List.of(ONLY.split(",")).contains(target.name())) {
                    targets.put(target, group);
                }
            }
        }
        assertThat(targets).as("targets named %s", ONLY).isNotEmpty();
        long seconds = Math.max(1, TIME.toSeconds() / targets.size());
        var failed = new ArrayList<String>();
        for (Map.Entry<FuzzTarget, Integer> each : targets.entrySet()) {
            String end = fuzz(each.getKey(), each.getValue(), seconds);
            System.out.println(each.getKey().name() + ": " + end);
            if (!end.equals(NOTHING_FOUND)) {
                failed.add(each.getKey().name() + ": " + end);
            }
        }
        assertThat(failed).as("findings, see the logs below %s", RESULTS).isEmpty();
    }

    /** Returns how the process ended. */
    private static String fuzz(FuzzTarget target, int group, long seconds) throws Exception {
        Path directory = Files.createDirectories(RESULTS.resolve(target.name()));
        Path findings = Files.createDirectories(directory.resolve("found"));
        Path retained = Files.createDirectories(directory.resolve("kept"));
        List<byte[]> corpus = FuzzCorpus.read(target.name());
        List<byte[]> seeds = new ArrayList<>(corpus);
        seeds.addAll(target.seeds());
        write(seeds, retained);
        Path words = Files.writeString(directory.resolve("words"), words(seeds));
        List<String> options =
                List.of(
                        "--keep_going=20",
                        "--reproducer_path=" + directory,
                        "-artifact_prefix=" + findings + "/",
                        "-dict=" + words,
                        "-max_len=" + INPUT_BYTES,
                        "-max_total_time=" + seconds,
                        "-timeout=" + SECONDS_MAX,
                        "-rss_limit_mb=" + MEGABYTES_MAX,
                        "-print_final_stats=1",
                        retained.toString());
        String end =
                jazzer(
                        target,
                        group,
                        directory.resolve("log"),
                        options,
                        Duration.ofSeconds(seconds).plus(START_MAX));
        keep(target, corpus, read(retained));
        return end;
    }

    private static String jazzer(
            FuzzTarget target, int group, Path log, List<String> options, Duration limit)
            throws IOException, InterruptedException {
        var command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "--sun-misc-unsafe-memory-access=allow",
                                "-XX:+EnableDynamicAgentLoading",
                                "-Xmx1g",
                                "-ea",
                                "-D" + JazzerTarget.NAME + "=" + target.name(),
                                "-D" + JazzerTarget.GROUP + "=" + group,
                                "-Dcrabro.root=" + System.getProperty("crabro.root", "."),
                                "-cp",
                                System.getProperty(
                                        "surefire.test.class.path",
                                        System.getProperty("java.class.path")),
                                "com.code_intelligence.jazzer.Jazzer",
                                "--target_class=" + JazzerTarget.class.getName(),
                                "--instrumentation_includes=org.crabro.**",
                                "--instrumentation_excludes=org.crabro.perf.**"));
        command.addAll(options);
        Process process =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        if (!process.waitFor(limit)) {
            process.destroyForcibly().waitFor();
            return "did not end within " + limit;
        }
        int code = process.exitValue();
        return code == 0 ? NOTHING_FOUND : "exit status " + code;
    }

    /** Returns the words and signs of inputs as a dictionary, those in most of them first. */
    private static String words(Collection<byte[]> inputs) {
        var counts = new TreeMap<String, Integer>();
        for (byte[] input : inputs) {
            var matcher = WORD.matcher(new String(input, UTF_8));
            var ofInput = new TreeSet<String>();
            while (matcher.find()) {
                ofInput.add(matcher.group());
            }
            ofInput.forEach(word -> counts.merge(word, 1, Integer::sum));
        }
        // Jazzer refuses an empty dictionary.
        var dictionary = new StringBuilder("\"true\"\n");
        counts.entrySet().stream()
                .sorted((one, other) -> other.getValue() - one.getValue())
                .limit(WORDS_MAX)
                .forEach(each -> dictionary.append('"').append(each.getKey()).append("\"\n"));
        return dictionary.toString();
    }

    /** Names of files are hashes, so that an input is there once. */
    private static void write(Collection<byte[]> inputs, Path directory) throws Exception {
        for (byte[] input : inputs) {
            byte[] hash = MessageDigest.getInstance("SHA-1").digest(input);
            Files.write(directory.resolve(HexFormat.of().formatHex(hash)), input);
        }
    }

    private static List<byte[]> read(Path directory) throws IOException {
        var inputs = new ArrayList<byte[]>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                inputs.add(Files.readAllBytes(file));
            }
        }
        return inputs;
    }

    /** Writes the corpus: its former inputs, then the new ones, short inputs first. */
    private static void keep(FuzzTarget target, List<byte[]> corpus, List<byte[]> inputs)
            throws IOException {
        var lines = new LinkedHashSet<String>();
        corpus.forEach(input -> lines.add(FuzzCorpus.line(input)));
        int bytes = lines.stream().mapToInt(line -> line.length() + 1).sum();
        var more = new ArrayList<String>();
        inputs.forEach(input -> more.add(FuzzCorpus.line(input)));
        more.sort(Comparator.comparingInt(String::length));
        for (String line : more) {
            bytes += line.length() + 1;
            if (bytes > CORPUS_BYTES) {
                break;
            }
            lines.add(line);
        }
        Files.writeString(CORPUS.resolve(target.name() + ".txt"), String.join("\n", lines));
    }
}
