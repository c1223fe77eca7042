package org.crabro.client.pdf;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Reads PDF files in a process with little memory, which lives until it is closed or a file ends
 * it. For one thread.
 */
public final class PdfReader implements AutoCloseable {
    /** Longer texts are cut. */
    public static final int CHARS_MAX = 4 << 20;

    /** Further pages are not read. */
    public static final int PAGES_MAX = 10_000;

    /** Larger files are not read. */
    private static final long FILE_BYTES_MAX = 512L << 20;

    /** The heap of the process. */
    private static final int HEAP_MIB = 256;

    /** The status of a process whose heap was too small. */
    private static final int OUT_OF_MEMORY = 3;

    /** The bytes of an answer: a character has up to six as JSON. */
    private static final int ANSWER_BYTES_MAX = 6 * CHARS_MAX + (1 << 20);

    private static final JsonMapper JSON = new JsonMapper();

    private final Duration limit;
    private final int heapMib;
    private @Nullable Process process;

    /** Gives each file a minute. */
    public PdfReader() {
        this(Duration.ofMinutes(1), HEAP_MIB);
    }

    /**
     * @param limit the time for one file
     * @param heapMib the heap of the process
     */
    PdfReader(Duration limit, int heapMib) {
        this.limit = limit;
        this.heapMib = heapMib;
    }

    /**
     * Returns the text of a file.
     *
     * @throws PdfException if it is no PDF, needs a password, or takes too much time or memory
     * @throws IOException if the file is missing, or no process starts
     */
    public PdfText read(Path file) throws PdfException, IOException {
        if (Files.size(file) > FILE_BYTES_MAX) {
            throw new PdfException("it has more than %,d bytes".formatted(FILE_BYTES_MAX));
        }
        JsonNode answer = answer(running(), file);
        JsonNode problem = answer.path("problem");
        if (problem.isString()) {
            throw new PdfException(problem.asString());
        }
        return new PdfText(
                text(answer, "title"),
                text(answer, "author"),
                text(answer, "created").map(Instant::parse),
                answer.path("text").asString(""),
                answer.path("cut").asBoolean(false));
    }

    private static Optional<String> text(JsonNode answer, String name) {
        return Optional.of(answer.path(name).asString("")).filter(text -> !text.isBlank());
    }

    private Process running() throws IOException {
        Process present = process;
        if (present != null && present.isAlive()) {
            return present;
        }
        Process started =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx" + heapMib + "m",
                                "-XX:+ExitOnOutOfMemoryError",
                                // It says so on its standard output otherwise.
                                "-XX:+DisplayVMOutputToStderr",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.awt.headless=true",
                                "-cp",
                                System.getProperty("java.class.path"),
                                PdfProcess.class.getName())
                        .redirectError(Redirect.DISCARD)
                        .start();
        process = started;
        return started;
    }

    private JsonNode answer(Process reader, Path file) throws PdfException, IOException {
        var isLate = new AtomicBoolean();
        Thread watch = Thread.ofVirtual().name("pdf-watch").start(() -> watch(reader, isLate));
        try {
            String question = JSON.writeValueAsString(file.toAbsolutePath().toString()) + "\n";
            reader.getOutputStream().write(question.getBytes(StandardCharsets.UTF_8));
            reader.getOutputStream().flush();
            return JSON.readTree(line(reader.getInputStream()));
        } catch (IOException | JacksonException e) {
            reader.destroyForcibly();
            throw new PdfException(reason(reader, isLate.get()));
        } finally {
            watch.interrupt();
        }
    }

    /** Ends a process that does not answer in time. */
    private void watch(Process reader, AtomicBoolean isLate) {
        try {
            if (!reader.waitFor(limit)) {
                isLate.set(true);
                reader.destroyForcibly();
            }
        } catch (InterruptedException _) {
            // It has answered.
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the next line; the process writes nothing after it.
     *
     * @throws IOException if the process ends before it, or the line is too long
     */
    private static byte[] line(InputStream answers) throws IOException {
        var line = new ByteArrayOutputStream();
        var piece = new byte[1 << 16];
        while (line.size() <= ANSWER_BYTES_MAX) {
            int count = answers.read(piece);
            if (count < 0) {
                throw new IOException("the process has ended");
            }
            line.write(piece, 0, count);
            if (piece[count - 1] == '\n') {
                return line.toByteArray();
            }
        }
        throw new IOException("the answer is too long");
    }

    private String reason(Process reader, boolean isLate) throws IOException {
        if (isLate) {
            return "it takes longer than " + limit.toSeconds() + " seconds to read";
        }
        try {
            int status = reader.waitFor();
            return status == OUT_OF_MEMORY
                    ? "it takes more than %d MiB of memory to read".formatted(heapMib)
                    : "its reader ended with status " + status;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a PDF file is read", e);
        }
    }

    /** Ends the process. */
    @Override
    public void close() {
        Process present = process;
        if (present != null) {
            present.destroyForcibly();
        }
    }
}
