package org.crabro.samples.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.crabro.samples.fixture.PageCommands;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys the schemas of the page on parents, and runs its commands. */
class ParentsPageIT {
    private static final Pattern SCHEMA =
            Pattern.compile("```\n(schema (\\w+) \\{\n.*?)```\n", Pattern.DOTALL);

    private static final Pattern TYPES = Pattern.compile("  <document type=.*\n");

    @TempDir Path data;

    @Test
    void answersAsThePageSays() throws Exception {
        String page = PageCommands.page("parents.md");
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
        try (var served = ServedPackage.of(data, files)) {
            assertThat(served.commands(data).run(page)).isEqualTo(4);
        }
    }
}
