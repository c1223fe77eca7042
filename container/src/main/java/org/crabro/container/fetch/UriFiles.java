package org.crabro.container.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.application.RemoteFileException;
import org.crabro.config.application.RemoteFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches files over HTTP and HTTPS, and keeps them in a directory. A URI is fetched once: later
 * deployments and restarts use the kept file. The name of a kept file contains the checksums of its
 * URI and of its content. A file with another content is deleted and fetched again.
 *
 * <p>Thread-safe; one file is fetched at a time.
 */
public final class UriFiles implements RemoteFiles {
    private static final Logger LOG = LoggerFactory.getLogger(UriFiles.class);

    private static final String INCOMPLETE = ".incomplete";

    /** The directory of models beside the kept files; an operator fills it. */
    private static final String MODELS = "models";

    private static final Pattern MODEL_NAME =
            Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9._-]*\\.(onnx|json|txt)");

    /**
     * A part of the message with which the client of the platform reports a body over the limit.
     */
    private static final String TOO_LARGE = "body exceeds capacity";

    private final Path directory;
    private final Path models;
    private final FetchSettings settings;
    private final InstantSource clock;

    /**
     * @param directory of the kept files; created with the first file
     * @param clock determines which files were used last
     */
    public UriFiles(Path directory, FetchSettings settings, InstantSource clock) {
        this.directory = directory;
        this.models = directory.resolveSibling(MODELS);
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public synchronized Path fetch(URI uri) throws RemoteFileException {
        if (MODEL.equals(uri.getScheme())) {
            return model(String.valueOf(uri.getSchemeSpecificPart()));
        }
        if (!settings.isAllowed()) {
            throw new RemoteFileException(
                    "this server fetches no files; its operator allows it with the setting config.fetch.isAllowed");
        }
        String scheme = Optional.ofNullable(uri.getScheme()).orElse("").toLowerCase(Locale.ROOT);
        if (!(scheme.equals("http") || scheme.equals("https")) || uri.getHost() == null) {
            throw new RemoteFileException("expected http:// or https:// and a host");
        }
        try {
            Files.createDirectories(directory);
            String name = sha256(uri.toString().getBytes(StandardCharsets.UTF_8));
            Optional<Path> kept = kept(name);
            Path file = kept.isPresent() ? kept.get() : fetched(uri, name);
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            return file;
        } catch (IOException e) {
            throw new RemoteFileException("it could not be fetched: " + e.getMessage());
        }
    }

    /**
     * Returns the file of a model: from the directory of models, or else from the class path, whose
     * file is copied to the kept files.
     */
    private Path model(String name) throws RemoteFileException {
        if (!MODEL_NAME.matcher(name).matches()) {
            throw new RemoteFileException("expected the name of a model's file");
        }
        Path file = models.resolve(name);
        if (Files.isRegularFile(file)) {
            return file;
        }
        try (InputStream bytes = UriFiles.class.getResourceAsStream("/" + name)) {
            if (bytes == null) {
                throw new RemoteFileException(
                        "this server has no file %s; its operator puts it into the directory %s, or adds a jar with it to the class path"
                                .formatted(name, models));
            }
            Files.createDirectories(directory);
            String kept = sha256((MODEL + ":" + name).getBytes(StandardCharsets.UTF_8));
            Optional<Path> before = kept(kept);
            return before.isPresent() ? before.get() : copied(bytes, kept);
        } catch (IOException e) {
            throw new RemoteFileException("it could not be copied: " + e.getMessage());
        }
    }

    private Path copied(InputStream bytes, String name) throws IOException {
        Path incomplete = directory.resolve(name + INCOMPLETE);
        try {
            Files.copy(bytes, incomplete, StandardCopyOption.REPLACE_EXISTING);
            return Files.move(
                    incomplete,
                    directory.resolve(name + "-" + sha256(incomplete)),
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(incomplete);
        }
    }

    /** Returns the kept file of a URI, if its content has its checksum. */
    private Optional<Path> kept(String name) throws IOException {
        for (Path file : files()) {
            if (file.getFileName().toString().startsWith(name + "-")) {
                if (file.getFileName().toString().equals(name + "-" + sha256(file))) {
                    return Optional.of(file);
                }
                LOG.warn("{} is damaged, and is fetched again", file);
                Files.delete(file);
            }
        }
        return Optional.empty();
    }

    private Path fetched(URI uri, String name) throws IOException, RemoteFileException {
        Path incomplete = directory.resolve(name + INCOMPLETE);
        try {
            download(uri, incomplete);
            makeRoom(Files.size(incomplete));
            try (var channel = FileChannel.open(incomplete, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            return Files.move(
                    incomplete,
                    directory.resolve(name + "-" + sha256(incomplete)),
                    StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(incomplete);
        }
    }

    private void download(URI uri, Path into) throws IOException, RemoteFileException {
        HttpClient client =
                HttpClient.newBuilder()
                        .connectTimeout(settings.timeout())
                        .followRedirects(HttpClient.Redirect.NORMAL)
                        .build();
        try {
            CompletableFuture<HttpResponse<Path>> request =
                    client.sendAsync(
                            HttpRequest.newBuilder(uri).build(),
                            BodyHandlers.limiting(BodyHandlers.ofFile(into), settings.fileBytes()));
            int status =
                    request.get(settings.timeout().toMillis(), TimeUnit.MILLISECONDS).statusCode();
            if (status != 200) {
                throw new RemoteFileException("the answer has status " + status);
            }
        } catch (TimeoutException _) {
            throw new RemoteFileException(
                    "it did not arrive within %s (config.fetch.timeout)"
                            .formatted(settings.timeout()));
        } catch (ExecutionException e) {
            if (String.valueOf(e.getCause()).contains(TOO_LARGE)) {
                throw new RemoteFileException(
                        "it is larger than %,d bytes (config.fetch.fileBytes)"
                                .formatted(settings.fileBytes()));
            }
            throw new IOException(String.valueOf(e.getCause()), e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RemoteFileException("the deployment was interrupted");
        } finally {
            client.shutdownNow();
        }
    }

    /** Deletes the least recently used files until there is room for {@code bytes}. */
    private void makeRoom(long bytes) throws IOException {
        var oldFirst = new ArrayList<>(files());
        oldFirst.sort(Comparator.comparing(UriFiles::lastUsed));
        long total = bytes;
        for (Path file : oldFirst) {
            total += Files.size(file);
        }
        for (Path file : oldFirst) {
            if (total <= settings.keptBytes()) {
                return;
            }
            total -= Files.size(file);
            Files.delete(file);
        }
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> !file.toString().endsWith(INCOMPLETE)).toList();
        }
    }

    private static FileTime lastUsed(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException _) {
            return FileTime.fromMillis(0);
        }
    }

    private static String sha256(byte[] bytes) {
        return HexFormat.of().formatHex(digest().digest(bytes));
    }

    private static String sha256(Path file) throws IOException {
        MessageDigest digest = digest();
        try (InputStream bytes = Files.newInputStream(file)) {
            var buffer = new byte[1 << 16];
            for (int read = bytes.read(buffer); read >= 0; read = bytes.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }
}
