package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.config.application.PackageArchive.Format;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** Takes packages, and brings them to where they are served: in one go, or step by step. */
final class DeployEndpoint {
    private final Deployments deployments;
    private final DeployReplies replies;
    private final long maxPackageBytes;

    /**
     * @param maxPackageBytes larger packages, as they are sent, are refused
     */
    DeployEndpoint(Deployments deployments, DeployReplies replies, long maxPackageBytes) {
        this.deployments = deployments;
        this.replies = replies;
        this.maxPackageBytes = maxPackageBytes;
    }

    /** Does something with a package that was received. */
    private interface Use {
        DeployReply of(Path archive, Format format, DeployParameters parameters)
                throws IOException, InterruptedException;
    }

    /** Does something that needs no package. */
    private interface Step {
        DeployReply run(DeployParameters parameters) throws IOException, InterruptedException;
    }

    void prepareAndActivate(AdminExchange exchange) throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.POST)) {
            receive(
                    exchange,
                    (archive, format, parameters) ->
                            deployments.deploy(
                                    archive,
                                    format,
                                    !parameters.isDryRun(),
                                    parameters.patience()));
        }
    }

    void create(AdminExchange exchange) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST)) {
            return;
        }
        @Nullable String from = exchange.parameters().getValue("from");
        if (from == null) {
            receive(
                    exchange,
                    (archive, format, parameters) ->
                            deployments.create(archive, format, parameters.patience()));
            return;
        }
        int start = from.indexOf(AdminPath.ROOT);
        boolean isApplication =
                start >= 0
                        && AdminPath.parse(from.substring(start)) instanceof AdminPath.Application;
        if (isApplication) {
            run(exchange, parameters -> deployments.createFromActive(parameters.patience()));
        } else {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "from: expected the URL of an application, such as %s, but found '%s'"
                            .formatted(exchange.application(), from));
        }
    }

    void prepare(AdminExchange exchange, long session) throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.PUT, HttpMethod.GET)) {
            run(
                    exchange,
                    parameters ->
                            exchange.is(HttpMethod.PUT)
                                    ? deployments.prepare(session, parameters.patience())
                                    : deployments.prepared(session));
        }
    }

    void activate(AdminExchange exchange, long session) throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.PUT)) {
            run(exchange, parameters -> deployments.activate(session, parameters.patience()));
        }
    }

    void remove(AdminExchange exchange) throws IOException, InterruptedException {
        run(exchange, parameters -> deployments.remove(parameters.patience()));
    }

    private void run(AdminExchange exchange, Step step) throws IOException, InterruptedException {
        switch (DeployParameters.read(exchange.parameters())) {
            case DeployParameters.Reading.Refused(var error, var problem) ->
                    exchange.fail(error, problem);
            case DeployParameters.Reading.Read(var parameters) ->
                    replies.send(exchange, step.run(parameters), parameters.isVerbose());
        }
    }

    private void receive(AdminExchange exchange, Use use) throws IOException, InterruptedException {
        @Nullable String type = exchange.request().getHeaders().get(HttpHeader.CONTENT_TYPE);
        boolean isForm = PackageUpload.mediaType(type).equals(PackageForm.MEDIA_TYPE);
        Optional<Format> format = PackageUpload.format(type);
        if (format.isEmpty() && !isForm) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    PackageUpload.unknownFormat(type)
                            + ", or multipart/form-data with such a part");
            return;
        }
        // What is wrong with the request itself is told before the package is received.
        if (DeployParameters.read(exchange.parameters())
                instanceof DeployParameters.Reading.Refused(var error, var problem)) {
            exchange.fail(error, problem);
            return;
        }
        Optional<Uploads.Upload> place =
                isForm ? deployments.uploads().directory() : deployments.uploads().file();
        if (place.isEmpty()) {
            exchange.tooMany(deployments.uploads().full());
            return;
        }
        Runnable answer;
        // What was received is gone when the answer is there.
        try (Uploads.Upload upload = place.get()) {
            answer =
                    isForm
                            ? ofForm(exchange, use, upload.path())
                            : ofArchive(exchange, use, upload.path(), format.orElseThrow());
        }
        answer.run();
    }

    private Runnable ofArchive(AdminExchange exchange, Use use, Path upload, Format format)
            throws IOException, InterruptedException {
        return PackageUpload.receive(exchange.request(), upload, maxPackageBytes)
                ? used(exchange, use, upload, format, exchange.parameters())
                : () -> tooLarge(exchange);
    }

    private Runnable ofForm(AdminExchange exchange, Use use, Path directory)
            throws IOException, InterruptedException {
        Path file = directory.resolve("package");
        return switch (PackageForm.receive(exchange.request(), directory, file, maxPackageBytes)) {
            case PackageForm.Received.Wrong(var problem) ->
                    () -> exchange.fail(AdminError.BAD_REQUEST, problem);
            case PackageForm.Received.TooLarge() -> () -> tooLarge(exchange);
            case PackageForm.Received.Whole(var format, var parameters) -> {
                parameters.addAll(exchange.parameters());
                yield used(exchange, use, file, format, parameters);
            }
        };
    }

    /** Uses a package, and returns what answers with the outcome. */
    private Runnable used(
            AdminExchange exchange, Use use, Path archive, Format format, Fields given)
            throws IOException, InterruptedException {
        return switch (DeployParameters.read(given)) {
            case DeployParameters.Reading.Refused(var error, var problem) ->
                    () -> exchange.fail(error, problem);
            case DeployParameters.Reading.Read(var parameters) -> {
                DeployReply reply = use.of(archive, format, parameters);
                yield () -> replies.send(exchange, reply, parameters.isVerbose());
            }
        };
    }

    private void tooLarge(AdminExchange exchange) {
        exchange.fail(
                AdminError.REQUEST_TOO_LARGE,
                "the package is larger than the limit of %,d bytes".formatted(maxPackageBytes));
    }
}
