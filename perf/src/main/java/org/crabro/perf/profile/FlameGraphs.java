package org.crabro.perf.profile;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordedStackTrace;
import jdk.jfr.consumer.RecordingFile;

/** Makes a flame graph of each recording in a directory. */
public final class FlameGraphs {
    private static final String SAMPLE = "jdk.ExecutionSample";
    private static final String SUFFIX = ".jfr";
    private static final int MAX_NODES = 1_000_000;
    private static final int HOTTEST = 15;

    private FlameGraphs() {}

    /**
     * Writes an SVG beside each recording and prints its hottest frames.
     *
     * @param arguments the directory
     */
    public static void main(String[] arguments) throws IOException {
        write(Path.of(arguments[0]), System.out);
    }

    /** Returns the number of graphs. Recordings without samples are skipped. */
    static int write(Path folder, PrintStream out) throws IOException {
        List<Path> recordings;
        try (Stream<Path> files = Files.list(folder)) {
            recordings = files.filter(file -> file.toString().endsWith(SUFFIX)).sorted().toList();
        }
        int graphs = 0;
        for (Path recording : recordings) {
            StackTree tree = read(recording);
            if (tree.root().samples() == 0) {
                continue;
            }
            String name = recording.getFileName().toString().replace(SUFFIX, "");
            Path svg = recording.resolveSibling(name + ".svg");
            String title = "process %s, %d samples".formatted(name, tree.root().samples());
            Files.writeString(svg, FlameSvg.of(title, tree));
            out.printf("%n%s: %s%n", svg, title);
            tree.hottest(HOTTEST).forEach(out::println);
            graphs++;
        }
        if (graphs == 0) {
            out.println("no recording in %s has samples".formatted(folder));
        }
        return graphs;
    }

    private static StackTree read(Path recording) throws IOException {
        var tree = new StackTree(MAX_NODES);
        try (var file = new RecordingFile(recording)) {
            while (file.hasMoreEvents()) {
                RecordedEvent event = file.readEvent();
                RecordedStackTrace stack = event.getStackTrace();
                if (event.getEventType().getName().equals(SAMPLE) && stack != null) {
                    tree.add(frames(stack));
                }
            }
        }
        return tree;
    }

    /** Returns the frames, the outermost one first. */
    private static List<String> frames(RecordedStackTrace stack) {
        var frames = new ArrayList<String>();
        for (RecordedFrame frame : stack.getFrames().reversed()) {
            frames.add(
                    "%s.%s"
                            .formatted(
                                    frame.getMethod().getType().getName(),
                                    frame.getMethod().getName()));
        }
        return frames;
    }
}
