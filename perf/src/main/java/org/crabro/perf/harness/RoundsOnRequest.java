package org.crabro.perf.harness;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The protocol between {@link Against} and the processes that measure. A process writes {@value
 * #READY} when its benchmark is prepared. Each line that it reads asks for one round. It answers a
 * round with one line per figure, which starts with {@value #FIGURE}, and {@value #READY}. All
 * other lines that it writes are messages for people.
 */
public final class RoundsOnRequest {
    /** The option that makes a process measure on request. */
    static final String OPTION = "--rounds-on-request";

    private static final String READY = "# ready";
    private static final String FIGURE = "# figure\t";

    private RoundsOnRequest() {}

    /** Prepares a benchmark and measures a round for each line of {@code requests}. */
    public static void serve(
            Benchmark benchmark, Path folder, BufferedReader requests, PrintStream out)
            throws Exception {
        try (Benchmark.Prepared prepared = benchmark.prepare(folder)) {
            out.println(READY);
            while (requests.readLine() != null) {
                var figures = new Figures();
                prepared.measure(figures);
                for (Figure figure : figures.medians()) {
                    out.println(
                            FIGURE + figure.name() + '\t' + figure.unit() + '\t' + figure.value());
                }
                out.println(READY);
            }
        }
    }

    /**
     * Reads the answer to a request.
     *
     * @return the figures of the round; none after the preparation
     * @throws IOException if the process ended instead; the message has its last lines
     */
    static List<Figure> answer(BufferedReader answers) throws IOException {
        var figures = new ArrayList<Figure>();
        var said = new StringBuilder();
        for (String line = answers.readLine(); line != null; line = answers.readLine()) {
            if (line.equals(READY)) {
                return figures;
            }
            if (line.startsWith(FIGURE)) {
                String[] parts = line.substring(FIGURE.length()).split("\t", -1);
                figures.add(new Figure(parts[0], parts[1], Double.parseDouble(parts[2])));
            } else {
                said.append('\n').append(line);
            }
        }
        throw new IOException("the process that measures ended:" + said);
    }
}
