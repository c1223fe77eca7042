package org.crabro.container.fetch;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpResponse.BodySubscribers;
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
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.crabro.config.application.RemoteFileException;
import org.crabro.config.application.RemoteFiles;
import org.crabro.container.service.ServiceHosts;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fetches files over HTTP and HTTPS from the hosts that the operator allows, and keeps them in a
 * directory. A redirect is followed if its host is allowed too. A URI is fetched once: later
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

    /** The largest number of redirects of a file. */
    private static final int REDIRECTS_MAX = 5;

    private static final int OK = 200;

    private final Path directory;
    private final Path models;
    private final FetchSettings settings;
    private final ServiceHosts hosts;
    private final InstantSource clock;

    /**
     * @param directory of the kept files; created with the first file
     * @param hosts from which files are fetched
     * @param clock determines which files were used last
     */
    public UriFiles(
            Path directory, FetchSettings settings, ServiceHosts hosts, InstantSource clock) {
        this.directory = directory;
        this.models = directory.resolveSibling(MODELS);
        this.settings = settings;
        this.hosts = hosts;
        this.clock = clock;
    }

    @Override
    public synchronized Path fetch(URI uri) throws RemoteFileException {
        if (MODEL.equals(uri.getScheme())) {
            return model(String.valueOf(uri.getSchemeSpecificPart()));
        }
        requireAllowed(uri);
        try {
            Files.createDirectories(directory);
            String name = sha256(uri.toString().getBytes(StandardCharsets.UTF_8));
            Optional<Path> cached = cached(name);
            Path file = cached.isPresent() ? cached.get() : fetched(uri, name);
            Files.setLastModifiedTime(file, FileTime.from(clock.instant()));
            return file;
        } catch (IOException e) {
            throw new RemoteFileException("it could not be fetched: " + e.getMessage());
        }
    }

    private void requireAllowed(URI uri) throws RemoteFileException {
        Optional<String> refusal = hosts.refusal(uri);
        if (refusal.isPresent()) {
            throw new RemoteFileException(refusal.get());
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
            String key = sha256((MODEL + ":" + name).getBytes(StandardCharsets.UTF_8));
            Optional<Path> before = cached(key);
            return before.isPresent() ? before.get() : copied(bytes, key);
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
    private Optional<Path> cached(String name) throws IOException {
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
                        // The client of the platform would follow a redirect to any host.
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
        long deadline = System.nanoTime() + settings.timeout().toNanos();
        try {
            URI next = uri;
            for (int redirects = 0; redirects <= REDIRECTS_MAX; redirects++) {
                HttpResponse<Path> answer = answer(client, next, into, deadline);
                Optional<URI> target = redirect(answer);
                if (target.isEmpty()) {
                    if (answer.statusCode() != OK) {
                        throw new RemoteFileException(
                                "the answer has status " + answer.statusCode());
                    }
                    return;
                }
                next = target.get();
            }
            throw new RemoteFileException("it has more than %d redirects".formatted(REDIRECTS_MAX));
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

    /** Writes the body to a file if the status is 200. */
    private HttpResponse<Path> answer(HttpClient client, URI uri, Path into, long deadline)
            throws InterruptedException, ExecutionException, TimeoutException {
        BodyHandler<Path> file =
                BodyHandlers.limiting(BodyHandlers.ofFile(into), settings.fileBytes());
        return client.sendAsync(
                        HttpRequest.newBuilder(uri).build(),
                        answer ->
                                answer.statusCode() == OK
                                        ? file.apply(answer)
                                        : BodySubscribers.replacing(into))
                .get(Math.max(0, deadline - System.nanoTime()), TimeUnit.NANOSECONDS);
    }

    /**
     * Returns the target of a redirect; empty if the answer is none.
     *
     * @throws RemoteFileException if it is not followed
     */
    private Optional<URI> redirect(HttpResponse<?> answer) throws RemoteFileException {
        Optional<String> location = answer.headers().firstValue("Location");
        boolean isRedirect =
                switch (answer.statusCode()) {
                    case 301, 302, 303, 307, 308 -> location.isPresent();
                    default -> false;
                };
        if (!isRedirect) {
            return Optional.empty();
        }
        URI target;
        try {
            target = answer.uri().resolve(new URI(location.orElseThrow()));
        } catch (URISyntaxException e) {
            throw new RemoteFileException("it is redirected to no URI: " + e.getReason());
        }
        Optional<String> refusal = hosts.refusal(target);
        if (refusal.isPresent()) {
            throw new RemoteFileException("it is redirected: " + refusal.get());
        }
        if ("https".equalsIgnoreCase(answer.uri().getScheme())
                && "http".equalsIgnoreCase(target.getScheme())) {
            throw new RemoteFileException(
                    "it is redirected from https to http, which is not followed");
        }
        return Optional.of(target);
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
