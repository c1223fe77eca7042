package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** How the directory of a backup is named. */
class BackupCommandTest {
    private final StringWriter err = new StringWriter();

    private int run(String... arguments) {
        return new CommandLine(new BackupCommand())
                .setErr(new PrintWriter(err))
                .setExecutionExceptionHandler(new CommandErrors())
                .execute(arguments);
    }

    @Test
    void readsTheDirectoryWithAndWithoutItsOption() {
        String config = "--config=http://127.0.0.1:1";

        assertThat(run("copy", config)).isEqualTo(ExitStatus.UNREACHABLE);
        assertThat(run("--target=copy", config)).isEqualTo(ExitStatus.UNREACHABLE);
    }

    @Test
    void saysTheCommandWhereTheDirectoryIsMissing() {
        assertThat(run()).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).startsWith("expected one directory: crabro backup DIR");
        assertThat(run("a", "--target=b")).isEqualTo(ExitStatus.USAGE);
        assertThat(run("--target=http://127.0.0.1:8080")).isEqualTo(ExitStatus.USAGE);
        assertThat(err.toString()).contains("is an address: expected a directory");
    }
}
