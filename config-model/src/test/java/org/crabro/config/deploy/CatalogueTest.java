package org.crabro.config.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Every row of the catalogue of errors has packages that show it, or a reason for having none. */
class CatalogueTest {
    private static final int ROWS = 68;

    @Test
    void everyRowIsShown() throws IOException {
        Map<Integer, String> rows = rows();
        var wrong = new ArrayList<String>();
        int packages = 0;
        int shown = 0;
        for (Map.Entry<Integer, String> row : rows.entrySet()) {
            int before = packages;
            for (String place : row.getValue().split("; ", -1)) {
                if (place.matches("[a-z-]+\\.txt: .*")) {
                    packages++;
                    if (!isThere(place)) {
                        wrong.add(row.getKey() + ": " + place);
                    }
                } else if (!place.matches("(elsewhere|not built|not told): .*")) {
                    wrong.add(row.getKey() + ": " + place);
                }
            }
            shown += packages > before ? 1 : 0;
        }

        assertThat(rows.keySet())
                .containsExactlyElementsOf(IntStream.rangeClosed(1, ROWS).boxed().toList());
        assertThat(wrong).isEmpty();
        System.out.printf(
                "%d rows of the catalogue: %d shown by %d packages, %d by other tests or not told%n",
                ROWS, shown, packages, ROWS - shown);
    }

    private static boolean isThere(String place) {
        int colon = place.indexOf(": ");
        String name = place.substring(colon + 2);
        return CorpusFile.read(place.substring(0, colon)).stream()
                .anyMatch(each ->
                        each.name().equals(name)
                                && !(each.problems().isEmpty() && each.notices().isEmpty()));
    }

    private static Map<Integer, String> rows() throws IOException {
        try (InputStream in =
                Objects.requireNonNull(CatalogueTest.class.getResourceAsStream("catalogue.txt"))) {
            var rows = new TreeMap<Integer, String>();
            List<String> lines =
                    new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
            for (String line : lines) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    int colon = line.indexOf(": ");
                    rows.put(Integer.parseInt(line.substring(0, colon)), line.substring(colon + 2));
                }
            }
            return rows;
        }
    }
}
