package org.crabro.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys the schemas of the page on parents, and runs its commands. */
class ParentsPageIT {
    private static final Path PAGE =
            Path.of(System.getProperty("crabro.root")).resolve("docs/parents.md");

    private static final Pattern SCHEMA =
            Pattern.compile("```\n(schema (\\w+) \\{\n.*?)```\n", Pattern.DOTALL);

    private static final Pattern TYPES = Pattern.compile("  <document type=.*\n");

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = Files.readString(PAGE);
        var files = new TreeMap<String, String>();
        SCHEMA.matcher(page)
                .results()
                .forEach(
                        schema -> files.put("schemas/" + schema.group(2) + ".sd", schema.group(1)));
        var types = new StringBuilder();
        TYPES.matcher(page).results().forEach(type -> types.append(type.group()));
        files.put(
                "services.xml",
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/><document-api/></container>
                  <content id="music" version="1.0">
                    <redundancy>1</redundancy>
                    <documents>
                    %s
                    </documents>
                  </content>
                </services>
                """
                        .formatted(types));
        int steps = 0;
        try (var served = ServedPackage.of(data, files)) {
            var commands =
                    new PageCommands(
                            URI.create("http://" + served.container("/").getAuthority()), data);
            Matcher step = PageCommands.STEP.matcher(page);
            while (step.find()) {
                steps++;
                assertThat(Http.JSON.readTree(commands.type(step.group(1))))
                        .as(step.group(1))
                        .isEqualTo(Http.JSON.readTree(step.group(2)));
            }
        }
        assertThat(steps).isEqualTo(4);
    }
}
