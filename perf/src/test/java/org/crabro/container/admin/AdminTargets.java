package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedDirectory;
import org.crabro.perf.fuzz.FuzzedRequest;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;

/** Paths, parameters and forms of the config port. */
public final class AdminTargets {
    private static final String FORM = "multipart/form-data; boundary=b";
    private static final long MAX_BYTES = 2_000;

    private AdminTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        return List.of(
                FuzzTarget.ofText("admin-paths", path -> AdminPath.parse(AdminPath.ROOT + path)),
                FuzzTarget.ofBytes("package-forms", AdminTargets::form).slow(),
                FuzzTarget.ofText(
                        "deploy-parameters",
                        AdminTargets::parameters,
                        HttpException.IllegalArgumentException.class,
                        HttpException.IllegalStateException.class));
    }

    /** A form is a package, or a refusal with a message. No part remains in the directory. */
    private static void form(byte[] body) throws IOException {
        try (var directory = FuzzedDirectory.create();
                Uploads.Upload upload = upload(directory.path())) {
            var headers = HttpFields.build().put(HttpHeader.CONTENT_TYPE, FORM).asImmutable();
            Request request = FuzzedRequest.of("/", headers, body);
            Path file = directory.path().resolve("package");
            switch (PackageForm.receive(request, upload, file, MAX_BYTES)) {
                case PackageForm.Received.Whole(_, var parameters) -> {
                    if (Files.size(file) > body.length) {
                        throw new AssertionError("a package larger than the form");
                    }
                    DeployParameters.read(parameters);
                }
                case PackageForm.Received.Wrong(String problem) -> {
                    if (problem.isBlank() || problem.contains("Exception")) {
                        throw new AssertionError("no message: " + problem);
                    }
                }
                case PackageForm.Received.TooLarge() -> {
                    if (body.length <= MAX_BYTES) {
                        throw new AssertionError("too large with %d bytes".formatted(body.length));
                    }
                }
            }
        }
    }

    private static Uploads.Upload upload(Path directory) throws IOException {
        PackageStore store = PackageStore.open(Files.createDirectory(directory.resolve("store")));
        return new Uploads(store, 1, Duration.ofSeconds(10)).directory().orElseThrow();
    }

    /** The input is the query of a URL. */
    private static void parameters(String query) {
        Request request = FuzzedRequest.of("/?" + query, HttpFields.EMPTY, new byte[0]);
        DeployParameters.read(Request.extractQueryParameters(request));
    }
}
