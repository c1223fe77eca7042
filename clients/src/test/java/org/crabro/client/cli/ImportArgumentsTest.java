package org.crabro.client.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ImportArgumentsTest {
    private final ImportArguments arguments =
            new ImportArguments(
                    List.of("my notes", "--type", "a", "--replace", "-g", "it's", "--token", "s3"));

    @Test
    void writesCommandsWithAnotherOption() {
        assertThat(arguments.with("--type", "b"))
                .isEqualTo(
                        "crabro import 'my notes' --replace -g 'it'\\''s' --token \"$CRABRO_TOKEN\""
                                + " --type b");
        assertThat(arguments.with("--no-deploy")).endsWith(" --no-deploy").contains("--type a");
        assertThat(arguments.withoutFlag("--replace")).doesNotContain("--replace").contains("-g");
    }

    @Test
    void showsNoToken() {
        var equals = new ImportArguments(List.of("a", "--token=s3", "--type=x"));

        assertThat(equals.with("--type", "y"))
                .isEqualTo("crabro import a --token=\"$CRABRO_TOKEN\" --type y");
    }
}
