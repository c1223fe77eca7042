package org.crabro.config.validation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.config.application.Findings;
import org.crabro.config.parser.SchemaParser;
import org.crabro.config.parser.SourceText;
import org.crabro.config.schema.RankProfile;
import org.crabro.config.schema.Schema;
import org.crabro.config.services.ContentCluster.Mode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which fields only filter, in every rank profile. */
class DeclaredFilterTest {
    @ParameterizedTest
    @CsvSource(
            delimiterString = "=>",
            quoteCharacter = '`',
            textBlock =
                    """
                    indexing: index; match: exact                          => true
                    indexing: index; match { exact; exact-terminator: "%" } => true
                    indexing { index | attribute }; match: exact           => true
                    indexing: index; match: exact; rank: filter            => true
                    indexing: index; match: exact; rank: literal           => true
                    indexing: index; match: exact; weight: 50              => true
                    indexing: index; match: exact; rank: normal            => false
                    indexing: index; rank: normal                          => false
                    indexing: attribute; match: exact                      => unset
                    indexing: index; match: word                           => unset
                    indexing: index; rank: literal                         => unset
                    indexing: index                                        => unset
                    """)
    void exactMatchingWithAnIndexImpliesAFilter(String settings, String filter) {
        String text =
                "schema s { document s { field a type string {\n%s\n} } rank-profile p { } }"
                        .formatted(settings.replace("; ", "\n"));
        var findings = new Findings();

        Schema schema =
                SchemaParser.parse(new SourceText("schemas/s.sd", text))
                        .schema()
                        .flatMap(parsed -> SchemaCompiler.compile(parsed, components(), findings))
                        .orElseThrow();

        assertThat(findings.problems()).isEmpty();
        assertThat(schema.rankProfiles()).containsKeys("default", "p");
        for (RankProfile profile : schema.rankProfiles().values()) {
            assertThat(profile.field("a").filter().map(String::valueOf).orElse("unset"))
                    .isEqualTo(filter);
        }
    }

    private static Components components() {
        return new Components(
                Optional.of(Set.of()),
                Set.of(Mode.INDEX),
                Map.of(),
                Map.of(),
                Set.of("s"),
                Set.of());
    }
}
