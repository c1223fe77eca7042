package org.crabro.server;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The servers of this machine. */
final class RunningServers {
    private static final String DATA = "--data";

    /**
     * A server that runs.
     *
     * @param data its directory
     */
    record Server(ProcessHandle process, Path data) {}

    private RunningServers() {}

    /**
     * Returns the server with an address. Those are left out whose directories this user cannot
     * read. The file of a directory counts only for the process that was started with it.
     */
    static Optional<Server> at(URI address) {
        return ProcessHandle.allProcesses()
                .filter(RunningServer::isServer)
                .flatMap(process -> data(process).map(data -> new Server(process, data)).stream())
                .filter(server -> answersAt(server, address))
                .findFirst();
    }

    private static boolean answersAt(Server server, URI address) {
        try {
            return RunningServer.read(server.data())
                    .filter(running -> running.answersAt(address))
                    .flatMap(RunningServer::process)
                    .filter(server.process()::equals)
                    .isPresent();
        } catch (IOException _) {
            // Another user's directory, or a damaged file: no server that can be stopped.
            return false;
        }
    }

    /** Returns the directory that a server was started with; empty if it cannot be known. */
    private static Optional<Path> data(ProcessHandle process) {
        Path given = data(RunningServer.arguments(process));
        if (given.isAbsolute()) {
            return Optional.of(given);
        }
        try {
            Path directory =
                    Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"));
            return Optional.of(directory.resolve(given));
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** Returns the directory that the arguments of a server name. */
    static Path data(List<String> arguments) {
        for (int i = arguments.size() - 1; i >= 0; i--) {
            String argument = arguments.get(i);
            if (argument.startsWith(DATA + "=")) {
                return Path.of(argument.substring(DATA.length() + 1));
            }
            if (argument.equals(DATA) && i + 1 < arguments.size()) {
                return Path.of(arguments.get(i + 1));
            }
        }
        return Path.of("crabro-data");
    }
}
