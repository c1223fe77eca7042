package org.crabro.container;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.crabro.config.application.DirectoryFiles;
import org.crabro.config.deploy.ApplicationCompiler;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.container.http.NotFoundHandler;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

/** What {@code /crabro/v1/schemas} shows of an application. */
class SchemasHandlerTest {
    private static final JsonMapper JSON = new JsonMapper();
    private static final String SERVICES =
            """
            <services version="1.0">
              <container id="default" version="1.0"><search/><document-api/></container>
              <content id="notes" version="1.0">
                <min-redundancy>1</min-redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;
    private static final String SCHEMA =
            """
            schema note {
              document note {
                field text type string { indexing: index | summary }
                field time type long { indexing: attribute | summary }
                field raw type raw { indexing: summary }
                field place type tensor<float>(x[2]) { indexing: attribute | summary }
              }
              fieldset default { fields: text }
              rank-profile near {
                inputs {
                  query(here) tensor<float>(x[2])
                  query(weight) double
                }
                first-phase { expression: closeness(field, place) * query(weight) }
              }
            }
            """;

    private final Server server = new Server();
    private final LocalConnector connector = new LocalConnector(server);

    @TempDir private Path directory;

    @BeforeEach
    void start() throws Exception {
        Files.writeString(directory.resolve("services.xml"), SERVICES);
        Files.createDirectory(directory.resolve("schemas"));
        Files.writeString(directory.resolve("schemas/note.sd"), SCHEMA);
        ApplicationModel model =
                ApplicationCompiler.compile(DirectoryFiles.of(directory), 1).model();
        server.addConnector(connector);
        server.setHandler(new Handler.Sequence(new SchemasHandler(model), new NotFoundHandler()));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    private String send(String method, String path) throws Exception {
        return connector.getResponse(
                "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                        .formatted(method, path));
    }

    @Test
    void showsTheNamesThatAQueryCanContain() throws Exception {
        String answer = send("GET", "/crabro/v1/schemas");

        assertThat(answer).startsWith("HTTP/1.1 200");
        assertThat(JSON.readTree(answer.substring(answer.indexOf("\r\n\r\n"))))
                .isEqualTo(
                        JSON.readTree(
                                """
                                {"clusters": [{"name": "notes", "types": ["note"]}],
                                 "types": [{
                                   "name": "note",
                                   "mode": "streaming",
                                   "fields": [
                                     {"name": "text", "type": "string", "searchable": true, "attribute": false},
                                     {"name": "time", "type": "long", "searchable": true, "attribute": true},
                                     {"name": "raw", "type": "raw", "searchable": false, "attribute": false},
                                     {"name": "place", "type": "tensor<float>(x[2])", "searchable": true, "attribute": true}],
                                   "fieldsets": ["default"],
                                   "rankProfiles": [
                                     {"name": "default", "inputs": {}},
                                     {"name": "near", "inputs": {
                                       "query(here)": "tensor<float>(x[2])",
                                       "query(weight)": "tensor()"}},
                                     {"name": "unranked", "inputs": {}}]}]}
                                """));
    }

    @Test
    void answersHeadWithoutBody() throws Exception {
        assertThat(send("HEAD", "/crabro/v1/schemas"))
                .startsWith("HTTP/1.1 200")
                .endsWith("\r\n\r\n");
    }

    @Test
    void refusesOtherMethods() throws Exception {
        assertThat(send("POST", "/crabro/v1/schemas"))
                .startsWith("HTTP/1.1 405")
                .contains("Allow: GET, HEAD")
                .contains("expected GET or HEAD but found POST");
    }

    @Test
    void passesOtherPathsOn() throws Exception {
        assertThat(send("GET", "/crabro/v1/schemas/note")).startsWith("HTTP/1.1 404");
    }
}
