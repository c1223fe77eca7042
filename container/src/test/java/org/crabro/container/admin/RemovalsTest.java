package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.crabro.config.application.PackageLimits;
import org.eclipse.jetty.http.HttpTester;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys packages that lack fields or types of stored documents. The date is 1 January 1970. */
class RemovalsTest {
    private static final String ROOT = "/application/v2/tenant/";
    private static final String DEPLOY = ROOT + "default/prepareandactivate";
    private static final String TEXT = "field text type string { indexing: index | summary }";
    private static final String YEAR = "field year type int { indexing: attribute }";

    private static final String REFUSAL =
            "field-removal: a field is removed, and its values in documents are lost: cluster"
                    + " 'store': document type 'note': field 'year' of type int was removed: its values are not shown unless it is declared again with that type, and each is lost when its document is written again; to allow it, add <allow until=\\\"1970-01-02\\\">"
                    + "field-removal</allow> to validation-overrides.xml";

    @TempDir Path directory;
    private AdminConnection connection;

    @BeforeEach
    void start() throws Exception {
        connection =
                AdminConnection.open(
                        directory, PackageLimits.DEFAULT, SessionLimits.DEFAULT, 1_000_000);
        assertThat(connection.post(DEPLOY, zip(TEXT, YEAR)).getStatus()).isEqualTo(200);
        connection.activation.stored.add("note");
    }

    @AfterEach
    void stop() throws Exception {
        connection.close();
    }

    @Test
    void refusesToTakeAFieldFromDocuments() throws Exception {
        HttpTester.Response refused = connection.post(DEPLOY, zip(TEXT));
        HttpTester.Response asked = connection.post(DEPLOY + "?dryRun=true", zip(TEXT));
        HttpTester.Response ignored =
                connection.post(DEPLOY + "?ignoreValidationErrors=true", zip(TEXT));

        for (HttpTester.Response each : new HttpTester.Response[] {refused, asked}) {
            assertThat(each.getStatus()).isEqualTo(400);
            assertThat(each.getContent())
                    .isEqualTo(
                            "{\"error-code\":\"INVALID_APPLICATION_PACKAGE\",\"message\":\"Invalid"
                                    + " application: "
                                    + REFUSAL
                                    + "\"}");
        }
        assertThat(ignored.getStatus()).isEqualTo(200);
        assertThat(ignored.getContent())
                .contains("not refused, because of ignoreValidationErrors: " + REFUSAL);
        assertThat(connection.activation.models).hasSize(2);
    }

    @Test
    void takesAFieldWhereThePackageAllowsIt() throws Exception {
        Map<String, String> files = Packages.files(TEXT);
        files.put(
                "validation-overrides.xml",
                "<validation-overrides><allow until='1970-01-01'>field-removal</allow></validation-overrides>");

        HttpTester.Response allowed = connection.post(DEPLOY, Packages.zip(files));

        assertThat(allowed.getStatus()).isEqualTo(200);
        assertThat(allowed.getContent())
                .contains(
                        "\"level\":\"WARNING\",\"message\":\"field-removal, as"
                                + " validation-overrides.xml allows: cluster 'store': document type"
                                + " 'note': field 'year' of type int was removed: ");
    }

    @Test
    void asksNobodyWhereNoDocumentIsStored() throws Exception {
        connection.activation.stored.clear();

        HttpTester.Response field = connection.post(DEPLOY, zip(TEXT));
        Map<String, String> pages = Packages.files(TEXT);
        pages.put("schemas/page.sd", "schema page { document page {} }");
        pages.remove("schemas/note.sd");
        pages.put("services.xml", Packages.SERVICES.replace("\"note\"", "\"page\""));
        HttpTester.Response type = connection.post(DEPLOY, Packages.zip(pages));

        assertThat(field.getStatus()).isEqualTo(200);
        assertThat(field.getContent()).doesNotContain("field-removal");
        assertThat(type.getStatus()).as(type.getContent()).isEqualTo(200);
    }

    @Test
    void activatesNoSessionThatTakesFromDocumentsStoredSince() throws Exception {
        connection.activation.stored.clear();
        connection.post(ROOT + "default/session", zip(TEXT));
        HttpTester.Response prepared = connection.put(ROOT + "default/session/2/prepared");
        connection.activation.stored.add("note");
        HttpTester.Response late = connection.put(ROOT + "default/session/2/active");
        HttpTester.Response again = connection.put(ROOT + "default/session/2/prepared");
        connection.activation.stored.clear();
        connection.put(ROOT + "default/session/2/prepared");
        HttpTester.Response empty = connection.put(ROOT + "default/session/2/active");

        assertThat(prepared.getStatus()).isEqualTo(200);
        assertThat(late.getStatus()).isEqualTo(409);
        assertThat(late.getContent())
                .isEqualTo(
                        "{\"error-code\":\"ACTIVATION_CONFLICT\",\"message\":\"session 2 cannot be"
                                + " activated: documents of type 'note' were stored since it was"
                                + " prepared; prepare it again\"}");
        assertThat(again.getStatus()).isEqualTo(400);
        assertThat(again.getContent()).contains(REFUSAL);
        assertThat(empty.getStatus()).isEqualTo(200);
    }

    private static byte[] zip(String... fields) throws Exception {
        return Packages.zip(Packages.files(fields));
    }
}
