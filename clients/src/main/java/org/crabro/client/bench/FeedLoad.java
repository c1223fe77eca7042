package org.crabro.client.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ExecutionException;
import org.crabro.client.feed.FeedClient;
import org.crabro.client.feed.FeedOperation;
import org.crabro.client.feed.FeedSettings;
import org.crabro.client.feed.OperationOutcome;
import org.crabro.client.http.ServerAccess;
import org.crabro.document.InvalidDocumentException;

/**
 * Operations of a file of lines, each in a request of its own. An answer is successful if the
 * operation was carried out, or its condition did not hold. Operations that the server is too busy
 * for are sent again, as part of the same request.
 */
public final class FeedLoad implements LoadSource {
    private static final int CONDITION_NOT_MET = 412;

    private final FeedClient client;
    private final Path file;
    private final OptionalLong uses;

    // Guarded by this.
    private BufferedReader lines;
    private long round;
    private boolean isRoundEmpty = true;
    private boolean isClosed;

    /**
     * Opens the file, and connections to the server.
     *
     * @param file a line for each operation
     * @param uses how often the file is fed; empty for no limit
     * @throws IOException if the file cannot be read, or the server does not answer
     */
    public FeedLoad(ServerAccess server, Path file, int clients, OptionalLong uses)
            throws IOException, InterruptedException {
        this.file = file;
        this.uses = uses;
        this.lines = Files.newBufferedReader(file, StandardCharsets.UTF_8);
        this.client = FeedClient.connect(server, FeedSettings.DEFAULT.withWindow(clients));
    }

    @Override
    public String items() {
        return "operations";
    }

    @Override
    public Optional<LoadAnswer> send(int number) throws InterruptedException {
        try {
            Optional<String> line = next();
            return line.isEmpty() ? Optional.empty() : Optional.of(sent(line.get()));
        } catch (IOException e) {
            return Optional.of(LoadAnswer.failed(e));
        }
    }

    private LoadAnswer sent(String line) throws InterruptedException {
        try {
            OperationOutcome outcome = client.send(FeedOperation.parse(line)).get();
            boolean isDone = outcome.isDone();
            return new LoadAnswer(
                    outcome.status(),
                    isDone || outcome.status() == CONDITION_NOT_MET,
                    isDone ? 1 : 0,
                    outcome.body().length(),
                    isDone ? "" : "status " + outcome.status());
        } catch (InvalidDocumentException e) {
            return LoadAnswer.failed(e);
        } catch (ExecutionException e) {
            return LoadAnswer.failed(e.getCause() instanceof Exception cause ? cause : e);
        }
    }

    /** Returns the next line; empty at the end of the last round. */
    private synchronized Optional<String> next() throws IOException {
        while (!isClosed) {
            String line = lines.readLine();
            if (line == null) {
                lines.close();
                round++;
                if (isRoundEmpty || (uses.isPresent() && round >= uses.getAsLong())) {
                    isClosed = true;
                } else {
                    lines = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                    isRoundEmpty = true;
                }
            } else if (!line.isBlank()) {
                isRoundEmpty = false;
                return Optional.of(line);
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        client.close();
        synchronized (this) {
            isClosed = true;
            try {
                lines.close();
            } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        }
    }
}
