package org.crabro.config.application;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The files of a package, and the files that it names by URI. The path of a fetched file is its
 * URI. For one thread.
 */
public final class FetchedFiles implements ApplicationFiles {
    private final ApplicationFiles files;
    private final RemoteFiles remote;
    private final Map<String, Path> fetched = new HashMap<>();

    public FetchedFiles(ApplicationFiles files, RemoteFiles remote) {
        this.files = files;
        this.remote = remote;
    }

    /**
     * Adds the file at a URI, if it was not added before.
     *
     * @throws RemoteFileException if it is no URI, or is not fetched
     */
    public void fetch(String uri) throws RemoteFileException {
        if (fetched.containsKey(uri)) {
            return;
        }
        try {
            fetched.put(uri, remote.fetch(new URI(uri)));
        } catch (URISyntaxException e) {
            throw new RemoteFileException("it is no URI: " + e.getReason());
        }
    }

    @Override
    public Path fetched(String uri) throws RemoteFileException {
        fetch(uri);
        return Objects.requireNonNull(fetched.get(uri));
    }

    @Override
    public SortedSet<String> paths() {
        if (fetched.isEmpty()) {
            return files.paths();
        }
        var all = new TreeSet<>(files.paths());
        all.addAll(fetched.keySet());
        return all;
    }

    @Override
    public boolean hasDirectory(String path) {
        return files.hasDirectory(path);
    }

    @Override
    public Optional<String> text(String path) {
        return files.text(path);
    }

    @Override
    public Optional<Path> location(String path) {
        Path remoteFile = fetched.get(path);
        return remoteFile == null ? files.location(path) : Optional.of(remoteFile);
    }
}
