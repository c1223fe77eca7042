package org.crabro.perf.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class FailoverCommandTest {
    @Test
    void startsServersWithTheOptionsOfTheLauncher() throws IOException {
        String launcher =
                Files.readString(Path.of(System.getProperty("crabro.root"), "bin/crabro"));

        assertThat(launcher).contains(FailoverCommand.LAUNCHER);
    }
}
