package org.crabro.client.shell;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.jline.reader.Candidate;
import org.jline.reader.Completer;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** Lines that a user edits on a terminal, with a history and completion. */
final class TerminalInput implements ShellInput {
    private static final String PROMPT = "yql> ";
    private static final String MORE = "...> ";

    /** The most lines of the history. */
    private static final int HISTORY_MAX = 10_000;

    private final Terminal terminal;
    private final LineReader reader;
    private String before = "";

    /**
     * Opens the terminal.
     *
     * @param history the file of the history, which only its owner can read; empty for none
     * @throws IOException if the file cannot be created
     */
    TerminalInput(YqlCompletion completion, Optional<Path> history) throws IOException {
        this.terminal = TerminalBuilder.builder().system(true).build();
        LineReaderBuilder builder =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .appName("crabro")
                        .parser((line, cursor, _) ->
                                new Line(line, cursor, entered(completion, line, cursor).word()))
                        .completer(completer(completion))
                        // A query may contain an exclamation mark.
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .variable(LineReader.HISTORY_SIZE, HISTORY_MAX)
                        .variable(LineReader.HISTORY_FILE_SIZE, HISTORY_MAX);
        if (history.isPresent()) {
            builder.variable(LineReader.HISTORY_FILE, created(history.get()));
        }
        this.reader = builder.build();
    }

    /** Queries may contain private words, so others must not read the file. */
    private static Path created(Path history) throws IOException {
        Path absolute = history.toAbsolutePath();
        if (!Files.exists(absolute)) {
            Path directory = absolute.getParent();
            if (directory != null) {
                Files.createDirectories(directory);
            }
            if (absolute.getFileSystem().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        absolute,
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")));
            }
        }
        return absolute;
    }

    private Completer completer(YqlCompletion completion) {
        return (_, line, candidates) -> {
            for (String each : entered(completion, line.line(), line.cursor()).candidates()) {
                // A function is followed by its arguments, not by a space.
                boolean isComplete =
                        !each.endsWith("(") && !each.endsWith("=") && !each.endsWith(".");
                candidates.add(new Candidate(each, each, null, null, null, null, isComplete));
            }
        };
    }

    private YqlCompletion.Completions entered(YqlCompletion completion, String line, int cursor) {
        return completion.at(before + line.substring(0, cursor));
    }

    @Override
    public Optional<String> next(String unfinished) {
        before = unfinished;
        try {
            return Optional.of(reader.readLine(unfinished.isEmpty() ? PROMPT : MORE));
        } catch (UserInterruptException e) {
            throw new InterruptedLineException();
        } catch (EndOfFileException e) {
            return Optional.empty();
        }
    }

    @Override
    public void close() throws IOException {
        terminal.close();
    }

    /** A line with one word: the one that is completed. */
    private record Line(String line, int cursor, String word) implements ParsedLine {
        @Override
        public int wordCursor() {
            return word.length();
        }

        @Override
        public int wordIndex() {
            return 0;
        }

        @Override
        public List<String> words() {
            return List.of(word);
        }
    }
}
