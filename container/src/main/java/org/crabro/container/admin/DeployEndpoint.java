package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.config.application.PackageArchive.Format;
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
        DeployReply of(Path archive, Format format) throws IOException, InterruptedException;
    }

    void prepareAndActivate(AdminExchange exchange) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST) || isMisnamed(exchange)) {
            return;
        }
        receive(
                exchange,
                (archive, format) ->
                        deployments.deploy(archive, format, !exchange.isTrue("dryRun")));
    }

    void create(AdminExchange exchange) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST)) {
            return;
        }
        @Nullable String from = exchange.parameters().getValue("from");
        if (from == null) {
            receive(exchange, deployments::create);
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

    private void receive(AdminExchange exchange, Use use) throws IOException, InterruptedException {
        Optional<Format> format = PackageUpload.format(exchange.request());
        if (format.isEmpty()) {
            exchange.fail(AdminError.BAD_REQUEST, PackageUpload.unknownFormat(exchange.request()));
            return;
        }
        Optional<DeployReply> reply = Optional.empty();
        Path upload = deployments.newUpload();
        try {
            if (PackageUpload.receive(exchange.request(), upload, maxPackageBytes)) {
                reply = Optional.of(use.of(upload, format.get()));
            }
        } finally {
            Files.deleteIfExists(upload);
        }
        if (reply.isPresent()) {
            replies.send(exchange, reply.get(), exchange.isTrue("verbose"));
        } else {
            exchange.fail(
                    AdminError.REQUEST_TOO_LARGE,
                    "the package is larger than the limit of %,d bytes".formatted(maxPackageBytes));
        }
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
