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
        DeployReply of(Path archive, Format format, Fields parameters)
                throws IOException, InterruptedException;
    }

    void prepareAndActivate(AdminExchange exchange) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST) || isMisnamed(exchange)) {
            return;
        }
        receive(
                exchange,
                (archive, format, parameters) ->
                        deployments.deploy(
                                archive, format, !AdminExchange.isTrue(parameters, "dryRun")));
    }

    void create(AdminExchange exchange) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST)) {
            return;
        }
        @Nullable String from = exchange.parameters().getValue("from");
        if (from == null) {
            receive(exchange, (archive, format, _) -> deployments.create(archive, format));
            return;
        }
        int start = from.indexOf(AdminPath.ROOT);
        boolean isApplication =
                start >= 0
                        && AdminPath.parse(from.substring(start)) instanceof AdminPath.Application;
        if (isApplication) {
            replies.send(exchange, deployments.createFromActive(), false);
        } else {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "from: expected the URL of an application, such as %s, but found '%s'"
                            .formatted(exchange.application(), from));
        }
    }

    void prepare(AdminExchange exchange, long session) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.PUT, HttpMethod.GET) || isMisnamed(exchange)) {
            return;
        }
        replies.send(
                exchange,
                exchange.is(HttpMethod.PUT)
                        ? deployments.prepare(session)
                        : deployments.prepared(session),
                exchange.isTrue("verbose"));
    }

    void activate(AdminExchange exchange, long session) throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.PUT)) {
            replies.send(exchange, deployments.activate(session), false);
        }
    }

    void remove(AdminExchange exchange) throws IOException, InterruptedException {
        replies.send(exchange, deployments.remove(), false);
    }

    private void receive(AdminExchange exchange, Use use) throws IOException, InterruptedException {
        @Nullable String type = exchange.request().getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (PackageUpload.mediaType(type).equals(PackageForm.MEDIA_TYPE)) {
            receiveForm(exchange, use);
            return;
        }
        Optional<Format> format = PackageUpload.format(type);
        if (format.isEmpty()) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    PackageUpload.unknownFormat(type)
                            + ", or multipart/form-data with such a part");
            return;
        }
        Runnable answer;
        Path upload = deployments.newUpload();
        try {
            answer =
                    PackageUpload.receive(exchange.request(), upload, maxPackageBytes)
                            ? used(exchange, use, upload, format.get(), exchange.parameters())
                            : () -> tooLarge(exchange);
        } finally {
            deployments.deleteUpload(upload);
        }
        answer.run();
    }

    private void receiveForm(AdminExchange exchange, Use use)
            throws IOException, InterruptedException {
        Runnable answer;
        Path directory = deployments.newUploadDirectory();
        try {
            Path file = directory.resolve("package");
            answer =
                    switch (PackageForm.receive(
                            exchange.request(), directory, file, maxPackageBytes)) {
                        case PackageForm.Received.Wrong(var problem) ->
                                () -> exchange.fail(AdminError.BAD_REQUEST, problem);
                        case PackageForm.Received.TooLarge() -> () -> tooLarge(exchange);
                        case PackageForm.Received.Whole(var format, var parameters) -> {
                            parameters.addAll(exchange.parameters());
                            Optional<String> wrongName = wrongName(parameters);
                            yield wrongName.isPresent()
                                    ? () -> exchange.fail(AdminError.BAD_REQUEST, wrongName.get())
                                    : used(exchange, use, file, format, parameters);
                        }
                    };
        } finally {
            deployments.deleteUpload(directory);
        }
        answer.run();
    }

    /** Uses a package, and returns what answers with the outcome. */
    private Runnable used(
            AdminExchange exchange, Use use, Path archive, Format format, Fields parameters)
            throws IOException, InterruptedException {
        DeployReply reply = use.of(archive, format, parameters);
        return () -> replies.send(exchange, reply, AdminExchange.isTrue(parameters, "verbose"));
    }

    private void tooLarge(AdminExchange exchange) {
        exchange.fail(
                AdminError.REQUEST_TOO_LARGE,
                "the package is larger than the limit of %,d bytes".formatted(maxPackageBytes));
    }

    /** There is one application; a name of another would be taken for it silently. */
    private static boolean isMisnamed(AdminExchange exchange) {
        Optional<String> wrongName = wrongName(exchange.parameters());
        wrongName.ifPresent(problem -> exchange.fail(AdminError.BAD_REQUEST, problem));
        return wrongName.isPresent();
    }

    private static Optional<String> wrongName(Fields parameters) {
        for (String parameter : new String[] {"applicationName", "instance"}) {
            String name = parameters.getValue(parameter);
            if (name != null && !name.equals(AdminPath.DEFAULT)) {
                return Optional.of(
                        "%s '%s': there is one application, called default, with one instance,"
                                        .formatted(parameter, name)
                                + " called default");
            }
        }
        return Optional.empty();
    }
}
