package org.crabro.config.application;

import java.net.URI;
import java.nio.file.Path;

/** Fetches files that a package names by URI instead of containing them. */
public interface RemoteFiles {
    /**
     * The scheme of URIs of models that an operator provides, such as {@code
     * model:all-minilm-l6-v2.onnx}. They are not fetched over the network.
     */
    String MODEL = "model";

    /** Fetches nothing. */
    RemoteFiles NONE =
            _ -> {
                throw new RemoteFileException("files at a URI are not fetched here");
            };

    /**
     * Returns the file at a URI. It is on disk when this returns, and later calls with the same URI
     * need not fetch it again.
     *
     * @throws RemoteFileException if the file cannot be fetched, or may not be
     */
    Path fetch(URI uri) throws RemoteFileException;
}
