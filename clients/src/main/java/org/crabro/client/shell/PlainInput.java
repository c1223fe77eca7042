package org.crabro.client.shell;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.Optional;

/** Lines of a file or a pipe. */
final class PlainInput implements ShellInput {
    private final BufferedReader lines;

    PlainInput(Reader reader) {
        this.lines = new BufferedReader(reader);
    }

    @Override
    public Optional<String> next(String before) throws IOException {
        return Optional.ofNullable(lines.readLine());
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
