package org.crabro.samples;

import java.io.IOException;
import java.util.Map;

/** A small package without a model: notes of people. */
final class NotesApplication {
    static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0">
                <search/>
                <document-api/>
              </container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents>
                  <document type="note" mode="streaming"/>
                </documents>
                <nodes>
                  <node hostalias="node1" distribution-key="0"/>
                </nodes>
              </content>
            </services>
            """;

    static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: summary | index }
                field version type int { indexing: summary | attribute }
                field size type long { indexing: summary | attribute }
                field weight type float { indexing: summary | attribute }
                field score type double { indexing: summary | attribute }
                field done type bool { indexing: summary | attribute }
                field tags type array<string> { indexing: summary | attribute }
                field place type tensor<float>(x[2]) { indexing: summary | attribute }
              }
              fieldset default { fields: text }
              rank-profile near inherits default {
                inputs {
                  query(here) tensor<float>(x[2])
                }
                first-phase {
                  expression: closeness(field, place)
                }
              }
            }
            """;

    private NotesApplication() {}

    static byte[] zip() throws IOException {
        return Http.zip(Map.of("services.xml", SERVICES, "schemas/note.sd", SCHEMA));
    }
}
