package org.crabro.docs.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.crabro.docs.SourceTree;
import org.junit.jupiter.api.Test;

class PeersPlotTest {
    @Test
    void thePlotHasTheFiguresOfThePage() throws IOException {
        Path file = Path.of(System.getProperty("crabro.root", "..")).resolve(PeersPlot.PATH);
        String plot = PeersPlot.of(SourceTree.ofRepository());
        if (Boolean.getBoolean("crabro.write")) {
            Files.writeString(file, plot);
        } else {
            assertThat(Files.readString(file))
                    .as("run this test with -Dcrabro.write=true to write the plot")
                    .isEqualTo(plot);
        }
    }

    @Test
    void drawsBarsAsLongAsTheFiguresOfATask() {
        String plot =
                PeersPlot.of(
                        SourceTree.of(
                                Map.of(
                                        "docs/performance.md",
                                        """
                                        | other | table | 1 |
                                        ## Compared with other programs
                                        | task | program | figure |
                                        |---|---|---|
                                        | words, a second | Crabro | 1,500 |
                                        | | Lucene & co | 3,000 |
                                        | feeding, MB/s | Crabro | 0.5 |
                                        ## Next
                                        | more | Other | 9 |
                                        """)));

        assertThat(plot.lines().filter(line -> line.startsWith("<rect x=")))
                .containsExactly(
                        "<rect x=\"210\" y=\"32\" width=\"210\" height=\"14\" fill=\"#1f5fa8\"/>",
                        "<rect x=\"210\" y=\"54\" width=\"420\" height=\"14\" fill=\"#a9b4c2\"/>",
                        "<rect x=\"210\" y=\"112\" width=\"420\" height=\"14\" fill=\"#1f5fa8\"/>");
        assertThat(plot)
                .contains(">words, a second<", ">Lucene &amp; co<", ">3,000<", ">feeding, MB/s<")
                .doesNotContain("Other");
    }
}
