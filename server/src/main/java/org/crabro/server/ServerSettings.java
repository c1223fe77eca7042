package org.crabro.server;

import java.nio.file.Path;
import org.crabro.container.http.HttpSettings;

/**
 * What a server is started with.
 *
 * @param data the directory for documents, packages and logs; made where it is missing
 * @param container where search and documents are answered
 * @param containerPortGiven whether the port was asked for; otherwise an application may move it
 * @param config where packages are deployed
 */
public record ServerSettings(
        Path data, HttpSettings container, boolean containerPortGiven, HttpSettings config) {
    /** Returns settings for ports that are free, on the loopback address. */
    public static ServerSettings onAnyPorts(Path data) {
        return new ServerSettings(data, HttpSettings.loopback(0), true, HttpSettings.loopback(0));
    }
}
