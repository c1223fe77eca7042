package org.crabro.samples.query;

import java.util.Map;

/** A package of advertisements that refer to campaigns, which refer to advertisers. */
final class Advertisements {
    static final String ADVERTISER =
            """
            schema advertiser {
              document advertiser {
                field name type string { indexing: attribute }
              }
            }
            """;

    static final String CAMPAIGN =
            """
            schema campaign {
              document campaign {
                struct person { field name type string {} field born type int {} }
                field advertiser_ref type reference<advertiser> { indexing: attribute }
                field title type string { indexing: attribute }
                field budget type int { indexing: attribute }
                field ratio type double { indexing: attribute }
                field active type bool { indexing: attribute }
                field tags type array<string> { indexing: attribute }
                field weights type weightedset<string> { indexing: attribute }
                field amounts type array<int> { indexing: attribute }
                field place type position { indexing: attribute }
                field people type array<person> {
                  indexing: summary
                  struct-field name { indexing: attribute }
                  struct-field born { indexing: attribute }
                }
                field prices type map<string, int> {
                  indexing: summary
                  struct-field key { indexing: attribute }
                  struct-field value { indexing: attribute }
                }
                field vector type tensor<float>(x[2]) {
                  indexing: attribute
                  attribute { distance-metric: euclidean }
                }
                field angle type tensor<float>(x[2]) {
                  indexing: attribute
                  attribute { distance-metric: angular }
                }
                field parts type tensor<float>(p{},x[2]) { indexing: attribute }
              }
              import field advertiser_ref.name as advertiser_name {}
            }
            """;

    static final String AD =
            """
            schema ad {
              document ad {
                field text type string { indexing: index | attribute | summary }
                field number type int { indexing: attribute | summary }
                field campaign_ref type reference<campaign> { indexing: attribute | summary }
                field other_ref type reference<campaign> { indexing: attribute }
              }
              import field campaign_ref.title as title {}
              import field campaign_ref.budget as budget {}
              import field other_ref.budget as other_budget {}
              import field campaign_ref.ratio as ratio {}
              import field campaign_ref.active as active {}
              import field campaign_ref.tags as tags {}
              import field campaign_ref.weights as weights {}
              import field campaign_ref.amounts as amounts {}
              import field campaign_ref.place as place {}
              import field campaign_ref.people as people {}
              import field campaign_ref.prices as prices {}
              import field campaign_ref.vector as vector {}
              import field campaign_ref.angle as angle {}
              import field campaign_ref.parts as parts {}
              import field campaign_ref.advertiser_name as advertiser {}
              import field campaign_ref.advertiser_ref as advertiser_id {}
              fieldset all { fields: text, title, advertiser }
              document-summary short {
                summary text {}
                summary title {}
                summary budget {}
                summary tags {}
                summary people {}
                summary prices {}
                summary advertiser {}
                summary advertiser_id {}
              }
              document-summary found {
                summary found_tags { source: tags matched-elements-only }
                summary found_people { source: people matched-elements-only }
              }
              document-summary default {
                summary budget {}
              }
              rank-profile values {
                inputs { query(q) tensor<float>(x[2]) }
                function vector_sum() { expression: sum(attribute(vector)) }
                function parts_sum() { expression: sum(attribute(parts)) }
                first-phase { expression: attribute(budget) + 10 * attribute(ratio) }
                match-features {
                  attribute(budget) attribute(ratio) attribute(active) attribute(title)
                  attribute(people.born).count attribute(amounts).count attribute(weights, red).weight
                  attributeMatch(tags).matches dotProduct(weights, w)
                  vector_sum parts_sum matches(title)
                  distance(place).km fieldMatch(text)
                }
              }
              rank-profile near inherits values {
                first-phase { expression: closeness(field, vector) }
              }
              rank-profile angles inherits values {
                first-phase { expression: closeness(field, angle) }
                match-features: closeness(field, angle)
              }
              rank-profile parts inherits values {
                first-phase { expression: closeness(field, parts) }
                match-features: closeness(field, parts)
              }
              rank-profile phases {
                first-phase { expression: 1 }
                second-phase { expression: attribute(budget) }
                global-phase { expression: attribute(other_budget) + 1000 }
              }
            }
            """;

    private Advertisements() {}

    /** Returns the files of the package. */
    static Map<String, String> files(String mode) {
        return Map.of(
                "services.xml",
                """
                <services version="1.0">
                  <container id="default" version="1.0"><search/><document-api/></container>
                  <content id="ads" version="1.0">
                    <redundancy>1</redundancy>
                    <documents>
                      <document type="ad" mode="%s"/>
                      <document type="campaign" mode="index" global="true"/>
                      <document type="advertiser" mode="index" global="true"/>
                    </documents>
                  </content>
                </services>
                """
                        .formatted(mode),
                "schemas/ad.sd",
                AD,
                "schemas/campaign.sd",
                CAMPAIGN,
                "schemas/advertiser.sd",
                ADVERTISER);
    }
}
