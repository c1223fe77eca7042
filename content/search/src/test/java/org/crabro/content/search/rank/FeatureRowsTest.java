package org.crabro.content.search.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crabro.ranking.type.FieldFeature;
import org.crabro.ranking.type.RankFeature;
import org.junit.jupiter.api.Test;

/**
 * Checks that each rank feature has a test of its value; {@code feature-rows.txt} lists these
 * tests.
 */
class FeatureRowsTest {
    private final Set<String> valued = valued();

    @Test
    void eachRowIsShownByValuesOrATest() throws IOException {
        Set<String> tests = tests();
        for (String line : lines("feature-rows.txt")) {
            if (!line.startsWith("#")) {
                String[] row = line.split(" \\| ", -1);
                assertThat(row).as(line).hasSize(2);
                for (String shown : row[1].split(" ", -1)) {
                    assertThat(valued.contains(shown) || tests.contains(shown))
                            .as("%s: %s", row[0], shown)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void eachFeatureHasARow() {
        String rows = String.join("\n", lines("feature-rows.txt"));
        for (String name : RankFeature.names()) {
            assertThat(rows).containsPattern("(?m)\\b" + name + "\\b");
        }
    }

    @Test
    void eachOutputOfAFieldHasAValue() {
        for (FieldFeature feature : FieldFeature.values()) {
            for (String output : feature.outputs()) {
                // Profiles use the default output without its name; of degraded outputs, matches is
                // tested.
                if (!output.equals(feature.outputs().getFirst())
                        && !output.equals("degradedMatches")) {
                    assertThat(valued)
                            .anyMatch(name ->
                                    name.startsWith(feature.text() + "(")
                                            && name.endsWith("." + output));
                }
            }
        }
    }

    private static Set<String> valued() {
        var names = new TreeSet<String>();
        lines("feature-values.txt").forEach(line -> names.add(line.split("\t", -1)[1]));
        for (String line : lines("term-features.txt")) {
            if (line.startsWith("features\t")) {
                Arrays.stream(line.split("\t", -1))
                        .skip(1)
                        .forEach(each -> names.add(each.substring(0, each.lastIndexOf('='))));
            }
        }
        return names;
    }

    private static List<String> lines(String resource) {
        try (InputStream file =
                Objects.requireNonNull(FeatureRowsTest.class.getResourceAsStream(resource))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the names of all tests of this module and its neighboring modules. */
    private static Set<String> tests() throws IOException {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("ARCHITECTURE.md"))) {
            root = Objects.requireNonNull(root.getParent());
        }
        var names = new TreeSet<String>();
        for (String module :
                List.of(
                        "ranking",
                        "config-model",
                        "content/search",
                        "content/node",
                        "container",
                        "samples")) {
            try (Stream<Path> files = Files.walk(root.resolve(module, "src", "test", "java"))) {
                names.addAll(
                        files.map(file -> String.valueOf(file.getFileName()))
                                .filter(name ->
                                        name.endsWith("Test.java") || name.endsWith("IT.java"))
                                .map(name -> name.substring(0, name.indexOf('.')))
                                .collect(Collectors.toSet()));
            }
        }
        return names;
    }
}
