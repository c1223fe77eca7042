package org.crabro.ranking.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class MachineCodeUseTest {
    /** Sums of whole numbers that floats hold exactly are the same in each order. */
    @Test
    void comparesTheSameVectorsWithoutMachineCode() throws IOException, InterruptedException {
        assumeTrue(MachineCode.HERE.isPresent(), "this processor lacks the instructions");

        List<String> auto = printed(MachineCodeUse.AUTO);
        List<String> off = printed(MachineCodeUse.OFF);

        assertThat(auto.getFirst()).isEqualTo("true");
        assertThat(auto.getLast()).isEqualTo("1");
        assertThat(off.getFirst()).isEqualTo("false");
        assertThat(off.getLast()).as("executable memory").isEqualTo("0");
        assertThat(off.subList(1, off.size() - 1))
                .hasSize(64)
                .isEqualTo(auto.subList(1, auto.size() - 1));
    }

    @Test
    void refusesAnotherRuleOnceKernelsAreChosen() {
        assertThat(Distances.isVectorized()).isTrue();

        assertThatThrownBy(MachineCodeUse.OFF::apply)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("kernels were chosen before machine code was set to OFF");
        MachineCodeUse.AUTO.apply();
    }

    private static List<String> printed(MachineCodeUse use)
            throws IOException, InterruptedException {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:TieredStopAtLevel=1",
                                "--add-modules=jdk.incubator.vector",
                                "--enable-native-access=ALL-UNNAMED",
                                "-cp",
                                System.getProperty("java.class.path"),
                                WithMachineCodeUse.class.getName(),
                                use.name())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        String printed =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(printed).isZero();
        return printed.lines().toList();
    }
}
