package org.crabro.container.reindex;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Properties;
import org.crabro.container.file.DurableFiles;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;

/**
 * A register on disk, in the format of {@link Properties}. Names of the first type begin with
 * {@code 0.}, of the second with {@code 1.}, and so on. The file is replaced in one step.
 */
final class ReindexFile {
    private final Path path;

    /** The contents of the file. */
    record Contents(boolean isEnabled, Map<ReindexKey, TypeReindexing> types) {}

    ReindexFile(Path path) {
        this.path = path;
    }

    /**
     * Returns the contents; empty if the file does not exist.
     *
     * @throws IOException if it cannot be read, or its contents are damaged
     */
    Contents read() throws IOException {
        var values = new Properties();
        try (Reader reader = Files.newBufferedReader(path, StandardCharsets.ISO_8859_1)) {
            values.load(reader);
            return contents(values);
        } catch (NoSuchFileException e) {
            return new Contents(true, Map.of());
        } catch (IllegalArgumentException | InvalidDocumentException e) {
            throw new IOException(
                    "%s: %s; without the file nothing is being reindexed"
                            .formatted(path, e.getMessage()),
                    e);
        }
    }

    private static Contents contents(Properties values) {
        var types = new LinkedHashMap<ReindexKey, TypeReindexing>();
        int count = Integer.parseInt(text(values, "types"));
        for (int i = 0; i < count; i++) {
            var lines = new Lines(values, i + ".");
            types.put(
                    new ReindexKey(lines.text("cluster"), lines.text("type")),
                    new TypeReindexing(pending(lines), run(lines, i + 1L)));
        }
        return new Contents(Boolean.parseBoolean(text(values, "enabled")), types);
    }

    /** The values of one type. */
    private record Lines(Properties values, String prefix) {
        String text(String name) {
            return ReindexFile.text(values, prefix + name);
        }

        boolean has(String name) {
            return values.containsKey(prefix + name);
        }

        long number(String name) {
            return Long.parseLong(text(name));
        }

        OptionalLong optional(String name) {
            return has(name) ? OptionalLong.of(number(name)) : OptionalLong.empty();
        }

        void put(String name, Object value) {
            values.setProperty(prefix + name, value.toString());
        }
    }

    private static String text(Properties values, String name) {
        String value = values.getProperty(name);
        if (value == null) {
            throw new IllegalArgumentException("expected a value of '" + name + "'");
        }
        return value;
    }

    private static Optional<TypeReindexing.Pending> pending(Lines lines) {
        return lines.has("pending")
                ? Optional.of(
                        new TypeReindexing.Pending(
                                lines.number("pending"), lines.text("pending.cause")))
                : Optional.empty();
    }

    private static Optional<ReindexRun> run(Lines lines, long number) {
        if (!lines.has("ready")) {
            return Optional.empty();
        }
        var place =
                new ReindexPlace(
                        Math.toIntExact(lines.number("partitions")),
                        Math.toIntExact(lines.number("partition")),
                        lines.has("after")
                                ? Optional.of(DocumentId.parse(lines.text("after")))
                                : Optional.empty(),
                        Double.parseDouble(lines.text("share")),
                        new ReindexPlace.Counts(
                                lines.number("seen"),
                                lines.number("written"),
                                lines.number("refused")));
        return Optional.of(
                new ReindexRun(
                        new ReindexRun.Request(
                                number,
                                lines.number("ready"),
                                Double.parseDouble(lines.text("speed")),
                                lines.text("cause")),
                        ReindexState.valueOf(lines.text("state")),
                        lines.text("message"),
                        lines.optional("started"),
                        lines.optional("ended"),
                        place));
    }

    /** Replaces the contents, which are durable when this returns. */
    void write(Contents contents) throws IOException {
        var values = new Properties();
        values.setProperty("enabled", Boolean.toString(contents.isEnabled));
        values.setProperty("types", Integer.toString(contents.types.size()));
        int index = 0;
        for (var entry : contents.types.entrySet()) {
            var lines = new Lines(values, index + ".");
            lines.put("cluster", entry.getKey().cluster());
            lines.put("type", entry.getKey().documentType());
            entry.getValue()
                    .pending()
                    .ifPresent(pending -> {
                        lines.put("pending", pending.generation());
                        lines.put("pending.cause", pending.cause());
                    });
            entry.getValue().run().ifPresent(run -> put(lines, run));
            index++;
        }
        var bytes = new ByteArrayOutputStream();
        // As a stream of bytes: characters beyond Latin-1 are then escaped.
        values.store(bytes, null);
        replace(bytes.toString(StandardCharsets.ISO_8859_1));
    }

    private static void put(Lines lines, ReindexRun run) {
        lines.put("ready", run.request().readyMillis());
        lines.put("speed", run.request().speed());
        lines.put("cause", run.request().cause());
        lines.put("state", run.state());
        lines.put("message", run.message());
        run.startedMillis().ifPresent(millis -> lines.put("started", millis));
        run.endedMillis().ifPresent(millis -> lines.put("ended", millis));
        lines.put("partitions", run.place().partitions());
        lines.put("partition", run.place().partition());
        run.place().after().ifPresent(id -> lines.put("after", id));
        lines.put("share", run.place().share());
        lines.put("seen", run.place().counts().seen());
        lines.put("written", run.place().counts().written());
        lines.put("refused", run.place().counts().refused());
    }

    private void replace(String text) throws IOException {
        DurableFiles.replace(path, text.getBytes(StandardCharsets.ISO_8859_1));
    }
}
