package org.crabro.container.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
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

    private static final String WARNING =
            "\"level\":\"WARNING\",\"message\":\"cluster 'store': document type 'note': field 'year'"
                    + " of type int was removed; about 7 documents have it; the next merges delete"
                    + " its values, and until then the former package shows those that are left\"";

    private static final String REFUSAL =
            "schema-removal: a document type is removed, and its documents are not reached: document"
                    + " type 'note' is gone: its documents stay stored, but are not reached until it"
                    + " is deployed again; to allow it, add <allow until=\\\"1970-01-02\\\">"
                    + "schema-removal</allow> to validation-overrides.xml";

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
    void aRemovedFieldNeedsNoOverrideAndHasAWarning() throws Exception {
        HttpTester.Response asked = connection.post(DEPLOY + "?dryRun=true", zip(TEXT));
        connection.post(ROOT + "default/session", zip(TEXT));
        HttpTester.Response prepared = connection.put(ROOT + "default/session/3/prepared");
        HttpTester.Response deployed = connection.post(DEPLOY, zip(TEXT));

        for (HttpTester.Response each : List.of(asked, prepared, deployed)) {
            assertThat(each.getStatus()).as(each.getContent()).isEqualTo(200);
            assertThat(each.getContent()).contains(WARNING);
        }
        assertThat(connection.activation.models).hasSize(2);
    }

    @Test
    void warnsOfARemovedFieldIfItsDocumentsAreNotCounted() throws Exception {
        connection.activation.stored.clear();

        HttpTester.Response deployed = connection.post(DEPLOY, zip(TEXT));

        assertThat(deployed.getStatus()).isEqualTo(200);
        assertThat(deployed.getContent())
                .contains("field 'year' of type int was removed; documents may have it; ");
    }

    @Test
    void removesATypeWithoutAnOverrideIfNoDocumentIsStored() throws Exception {
        HttpTester.Response refused = connection.post(DEPLOY, zipOfPages());
        HttpTester.Response ignored =
                connection.post(DEPLOY + "?ignoreValidationErrors=true&dryRun=true", zipOfPages());
        connection.activation.stored.clear();
        HttpTester.Response empty = connection.post(DEPLOY, zipOfPages());

        assertThat(refused.getStatus()).isEqualTo(400);
        assertThat(refused.getContent())
                .isEqualTo(
                        "{\"error-code\":\"INVALID_APPLICATION_PACKAGE\",\"message\":\"Invalid"
                                + " application: "
                                + REFUSAL
                                + "\"}");
        assertThat(ignored.getStatus()).isEqualTo(200);
        assertThat(ignored.getContent())
                .contains("not refused, because of ignoreValidationErrors: " + REFUSAL);
        assertThat(empty.getStatus()).as(empty.getContent()).isEqualTo(200);
    }

    @Test
    void activatesNoSessionThatTakesFromDocumentsStoredSince() throws Exception {
        connection.activation.stored.clear();
        connection.post(ROOT + "default/session", zipOfPages());
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

    private static byte[] zipOfPages() throws Exception {
        Map<String, String> pages = Packages.files(TEXT);
        pages.put("schemas/page.sd", "schema page { document page {} }");
        pages.remove("schemas/note.sd");
        pages.put("services.xml", Packages.SERVICES.replace("\"note\"", "\"page\""));
        return Packages.zip(pages);
    }

    private static byte[] zip(String... fields) throws Exception {
        return Packages.zip(Packages.files(fields));
    }
}
