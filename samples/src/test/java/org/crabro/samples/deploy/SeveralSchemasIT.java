package org.crabro.samples.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.net.URLEncoder;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.crabro.samples.fixture.ServedPackage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Queries of several schemas in one cluster, as published applications send them. */
class SeveralSchemasIT {
    @TempDir Path data;

    private static String services(String mode, String one, String other) {
        return """
        <services version="1.0">
          <container id="default" version="1.0"><search/><document-api/></container>
          <content id="shop" version="1.0">
            <redundancy>1</redundancy>
            <documents>
              <document type="%2$s" mode="%1$s"/>
              <document type="%3$s" mode="%1$s"/>
            </documents>
          </content>
        </services>
        """
                .formatted(mode, one, other);
    }

    private ServedPackage serve(String mode) throws Exception {
        return ServedPackage.of(
                data,
                Map.of(
                        "services.xml",
                        services(mode, "product", "order"),
                        "schemas/product.sd",
                        """
                        schema product {
                          document product {
                            field title type string { indexing: index | summary }
                          }
                          rank-profile frequencies {
                            inputs { query(limit) int }
                            first-phase { expression: query(limit) }
                            match-features: queryTermDocumentFrequency(title)
                          }
                        }
                        """,
                        "schemas/order.sd",
                        """
                        schema order {
                          document order {
                            field number type int { indexing: attribute | summary }
                          }
                        }
                        """));
    }

    private static JsonNode search(ServedPackage served, String yql, String more) throws Exception {
        ServedPackage.Answer answer =
                served.get(
                        "/search/?timeout=60s&streaming.groupname=g&yql="
                                + URLEncoder.encode(yql, UTF_8)
                                + more);
        assertThat(answer.status()).as(answer.toString()).isEqualTo(200);
        return answer.json().get("root");
    }

    /** In mode streaming, a warning names the schema that lacks the field. */
    @ParameterizedTest
    @CsvSource({"index, 0", "streaming, 1"})
    void aSchemaThatLacksTheFieldMatchesNothing(String mode, int warnings) throws Exception {
        try (ServedPackage served = serve(mode)) {
            served.write("/document/v1/ns/product/group/g/1", "\"title\":\"blue boat\"");
            served.write("/document/v1/ns/order/group/g/1", "\"number\":7");

            JsonNode root =
                    search(served, "select * from sources * where title contains \"boat\"", "");

            assertThat(root.at("/fields/totalCount").asInt()).isEqualTo(1);
            assertThat(root.path("errors")).hasSize(warnings);
        }
    }

    @ParameterizedTest
    @CsvSource({"index", "streaming"})
    void aConditionOnTheTypeNamesOneSchemaWithoutItsHeirsAndIsNeverScored(String mode)
            throws Exception {
        Map<String, String> files =
                Map.of(
                        "services.xml",
                        services(mode, "book", "atlas"),
                        "schemas/book.sd",
                        """
                        schema book {
                          document book {
                            field title type string { indexing: index | summary }
                          }
                          fieldset default { fields: title }
                        }
                        """,
                        "schemas/atlas.sd",
                        "schema atlas inherits book { document atlas inherits book { } }");
        try (ServedPackage served = ServedPackage.of(data, files)) {
            for (String type : List.of("book", "atlas")) {
                for (String title : List.of("blue whale", "red tree")) {
                    served.write(
                            "/document/v1/ns/%s/group/g/%s".formatted(type, title.substring(0, 3)),
                            "\"title\":\"" + title + "\"");
                }
            }
            String words = "select * from sources * where userQuery()";

            JsonNode plain = search(served, words, "&restrict=book&query=whale");
            JsonNode both = search(served, words, "&query=sddocname:book%20whale");
            JsonNode alone = search(served, words, "&query=sddocname:book");

            assertThat(both.at("/fields/totalCount").asInt()).isEqualTo(1);
            assertThat(both.at("/children/0/fields/sddocname").asString()).isEqualTo("book");
            assertThat(both.at("/children/0/relevance"))
                    .isEqualTo(plain.at("/children/0/relevance"));
            assertThat(alone.at("/fields/totalCount").asInt()).isEqualTo(2);
            assertThat(alone.at("/children/0/relevance").asDouble()).isZero();
            assertThat(
                            search(served, words, "&query=sddocname:Book%20whale")
                                    .at("/fields/totalCount")
                                    .asInt())
                    .isZero();
        }
    }

    @Test
    void frequenciesOfTermsAreCountedInModeIndex() throws Exception {
        try (ServedPackage served = serve("index")) {
            for (String title : List.of("blue boat", "red boat", "blue whale")) {
                served.write(
                        "/document/v1/ns/product/group/g/" + title.replace(' ', '-'),
                        "\"title\":\"" + title + "\"");
            }

            JsonNode hit =
                    search(
                                    served,
                                    "select * from product where title contains \"boat\" and title contains ({documentFrequency:{frequency:5,count:9}}\"red\")",
                                    "&ranking=frequencies&input.query(limit)=3")
                            .path("children")
                            .get(0);

            assertThat(hit.get("relevance").asDouble()).isEqualTo(3);
            assertThat(hit.at("/fields/matchfeatures").toString())
                    .contains("\"cells\":{\"0\":2.0,\"1\":5.0}");
        }
    }
}
