package org.crabro.perf.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Other programs, which the scripts of {@code perf/peers} install and measure. A script prints
 * lines of tab-separated words: {@code measured}, task, rate, unit, p50 and p99 in ms, processor ms
 * for each operation, anonymous bytes, disk bytes for each document; or {@code missing}, task,
 * reason. A dash is an unknown figure.
 */
public final class PeerPrograms {
    private static final String SCRIPT = "scoreboard.py";
    private static final int INSTALL_MINUTES = 15;
    private static final int MEASURE_MINUTES = 4;
    private static final String UNKNOWN = "-";
    private static final String SEPARATOR = "\t";

    /** The names in tables, by the names of the script, for each form of data. */
    private static final Map<String, Map<String, String>> PROGRAMS =
            Map.of(
                    "vectors",
                    Map.of(
                            "sqlite", "SQLite, sqlite-vec",
                            "duckdb", "DuckDB",
                            "lancedb", "LanceDB",
                            "chdb", "chDB",
                            "postgres", "PostgreSQL, pgvector",
                            "opensearch", "OpenSearch",
                            "weaviate", "Weaviate"),
                    "mails",
                    Map.of("sqlite", "SQLite, FTS5", "tantivy", "tantivy"),
                    "events",
                    Map.of("duckdb", "DuckDB", "tantivy", "tantivy", "chdb", "chDB"));

    private final Path scripts;
    private final Path python;
    private final Optional<String> problem;

    private PeerPrograms(Path scripts, Path python, Optional<String> problem) {
        this.scripts = scripts;
        this.python = python;
        this.problem = problem;
    }

    /** Returns no programs; all are listed as missing. */
    public static PeerPrograms none(String reason) {
        return new PeerPrograms(Path.of(""), Path.of(""), Optional.of(reason));
    }

    /**
     * Installs the programs, unless they are installed.
     *
     * @param scripts the directory {@code perf/peers}
     * @param target receives the programs
     */
    public static PeerPrograms install(Path scripts, Path target)
            throws IOException, InterruptedException {
        Path python = target.resolve("bin/python");
        Path log = Files.createTempFile("crabro-peers", ".log");
        try {
            Process install =
                    new ProcessBuilder(scripts.resolve("install").toString(), target.toString())
                            .redirectErrorStream(true)
                            .redirectOutput(log.toFile())
                            .start();
            if (!install.waitFor(INSTALL_MINUTES, TimeUnit.MINUTES)) {
                install.destroyForcibly();
                return none("perf/peers/install took more than 15 minutes");
            }
            return install.exitValue() == 0
                    ? new PeerPrograms(scripts, python, Optional.empty())
                    : none("perf/peers/install failed: " + lastLine(log));
        } catch (IOException e) {
            return none("perf/peers/install: " + e.getMessage());
        } finally {
            Files.delete(log);
        }
    }

    private static String lastLine(Path log) throws IOException {
        List<String> lines = Files.readAllLines(log);
        return lines.isEmpty() ? "no output" : lines.getLast().strip();
    }

    void measure(String form, Path data, RunSize size, ScoreSheet results)
            throws IOException, InterruptedException {
        for (Map.Entry<String, String> program :
                new TreeMap<>(PROGRAMS.getOrDefault(form, Map.of())).entrySet()) {
            if (problem.isPresent()) {
                results.miss(program.getValue(), form, problem.get());
            } else {
                measure(form, program.getKey(), program.getValue(), data, size, results);
            }
        }
    }

    private void measure(
            String form, String program, String name, Path data, RunSize size, ScoreSheet results)
            throws IOException, InterruptedException {
        Path work = Files.createDirectory(data.resolve("peer-" + program));
        Process process =
                new ProcessBuilder(
                                python.toString(),
                                scripts.resolve(SCRIPT).toString(),
                                program,
                                form,
                                data.toString(),
                                work.toString(),
                                Integer.toString(RunSize.CLIENTS),
                                Double.toString(size.seconds()))
                        .redirectError(work.resolve("errors").toFile())
                        .start();
        Thread.ofVirtual()
                .name("peer-end")
                .start(() -> {
                    try {
                        if (!process.waitFor(MEASURE_MINUTES, TimeUnit.MINUTES)) {
                            process.destroyForcibly();
                        }
                    } catch (InterruptedException _) {
                        Thread.currentThread().interrupt();
                    }
                });
        try (BufferedReader lines = process.inputReader()) {
            lines.lines().forEach(line -> add(name, line, results));
        }
        if (process.waitFor() != 0) {
            results.miss(name, form, "the script failed: " + lastLine(work.resolve("errors")));
        }
    }

    /** Adds the figures of a line that a script printed. Other lines are ignored. */
    static void add(String program, String line, ScoreSheet results) {
        List<String> words = List.of(line.split(SEPARATOR, -1));
        if (words.getFirst().equals("missing") && words.size() == 3) {
            results.miss(program, words.get(1), words.get(2));
        } else if (words.getFirst().equals("measured") && words.size() == 9) {
            Optional<Double> p50 = number(words.get(4));
            results.add(
                    new Measured(
                            words.get(1),
                            program,
                            new Measured.Rate(Double.parseDouble(words.get(2)), words.get(3)),
                            p50.flatMap(median ->
                                    number(words.get(5))
                                            .map(tail -> new Measured.Latency(median, tail))),
                            new Measured.Cost(
                                    number(words.get(6)),
                                    number(words.get(7)),
                                    Optional.empty(),
                                    number(words.get(8))),
                            Optional.empty()));
        }
    }

    private static Optional<Double> number(String word) {
        return word.equals(UNKNOWN) ? Optional.empty() : Optional.of(Double.parseDouble(word));
    }
}
