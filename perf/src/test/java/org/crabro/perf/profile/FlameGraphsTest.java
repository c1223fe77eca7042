package org.crabro.perf.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import jdk.jfr.Recording;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xml.sax.InputSource;

class FlameGraphsTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @TempDir private Path folder;

    @Test
    void mergesStacksFromTheOutermostFrameOn() {
        var tree = new StackTree(100);
        tree.add(List.of("main", "scan", "decode"));
        tree.add(List.of("main", "scan", "decode"));
        tree.add(List.of("main", "scan"));
        tree.add(List.of("main", "render"));

        assertThat(tree.root().samples()).isEqualTo(4);
        assertThat(tree.root().callees())
                .singleElement()
                .satisfies(main -> {
                    assertThat(main.samples()).isEqualTo(4);
                    assertThat(main.ownSamples()).isZero();
                    assertThat(main.callees())
                            .extracting(StackTree.Node::frame)
                            .containsExactly("render", "scan");
                });
        assertThat(tree.hottest(2)).containsExactly(" 50.0 %  decode", " 25.0 %  render");
    }

    @Test
    void countsFramesBeyondTheLimitForTheirCaller() {
        var tree = new StackTree(2);
        tree.add(List.of("main", "a"));
        tree.add(List.of("other", "b"));

        assertThat(tree.hottest(5)).containsExactly(" 50.0 %  all", " 50.0 %  main");
    }

    @Test
    void drawsWellFormedSvg() throws Exception {
        var tree = new StackTree(100);
        tree.add(List.of("org.crabro.Scan.<init>", "a&b"));

        String svg = FlameSvg.of("process <1>", tree);

        assertThat(
                        DocumentBuilderFactory.newInstance()
                                .newDocumentBuilder()
                                .parse(new InputSource(new StringReader(svg)))
                                .getElementsByTagName("rect")
                                .getLength())
                .isEqualTo(4);
        assertThat(svg)
                .contains("<title>org.crabro.Scan.&lt;init&gt;, 100.0 %, 1 samples</title>")
                .contains("#f0a860");
    }

    @Test
    void skipsRecordingsWithoutSamples() throws IOException {
        try (var recording = new Recording()) {
            recording.start();
            recording.stop();
            recording.dump(folder.resolve("1.jfr"));
        }

        assertThat(FlameGraphs.write(folder, out())).isZero();
        assertThat(printed.toString(StandardCharsets.UTF_8)).startsWith("no recording in ");
    }

    @Test
    void rejectsAFileThatIsNoRecording() throws IOException {
        Files.writeString(folder.resolve("1.jfr"), "no recording");

        assertThatThrownBy(() -> FlameGraphs.write(folder, out())).isInstanceOf(IOException.class);
    }

    private PrintStream out() {
        return new PrintStream(printed, true, StandardCharsets.UTF_8);
    }
}
