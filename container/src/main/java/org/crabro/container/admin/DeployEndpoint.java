package org.crabro.container.admin;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;
import org.crabro.config.application.PackageArchive.Format;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.util.Fields;
import org.jspecify.annotations.Nullable;

/** Receives packages and activates them, in one step or with a session. */
final class DeployEndpoint {
    private final Deployments deployments;
    private final DeployReplies replies;
    private final long maxPackageBytes;

    /**
     * @param maxPackageBytes larger packages, as they are sent, are rejected
     */
    DeployEndpoint(Deployments deployments, DeployReplies replies, long maxPackageBytes) {
        this.deployments = deployments;
        this.replies = replies;
        this.maxPackageBytes = maxPackageBytes;
    }

    /** An operation on a received package. */
    private interface Use {
        DeployReply of(Path archive, Format format, DeployParameters parameters)
                throws IOException, InterruptedException;
    }

    /** An operation that needs no package. */
    private interface Step {
        DeployReply run(DeployParameters parameters) throws IOException, InterruptedException;
    }

    void prepareAndActivate(AdminExchange exchange, String tenant)
            throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.POST)) {
            receive(
                    exchange,
                    tenant,
                    (archive, format, parameters) ->
                            deployments.deploy(archive, format, tenant, parameters));
        }
    }

    void create(AdminExchange exchange, String tenant) throws IOException, InterruptedException {
        if (!exchange.allows(HttpMethod.POST)) {
            return;
        }
        @Nullable String from = exchange.parameters().getValue("from");
        if (from == null) {
            receive(
                    exchange,
                    tenant,
                    (archive, format, parameters) ->
                            deployments.create(archive, format, tenant, parameters.patience()));
            return;
        }
        int start = from.indexOf(AdminPath.ROOT);
        Optional<ApplicationName> source =
                start >= 0
                                && AdminPath.parse(from.substring(start))
                                        instanceof AdminAddress(var name, AdminPath.Application())
                        ? Optional.of(name)
                        : Optional.empty();
        if (source.isPresent()) {
            run(
                    exchange,
                    tenant,
                    parameters ->
                            deployments.createFrom(source.get(), tenant, parameters.patience()));
        } else {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "from: expected the URL of an application, such as %s, but found '%s'"
                            .formatted(
                                    exchange.application(ApplicationName.DEFAULT.of(tenant)),
                                    from));
        }
    }

    void prepare(AdminExchange exchange, String tenant, long session)
            throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.PUT, HttpMethod.GET)) {
            run(
                    exchange,
                    tenant,
                    parameters ->
                            exchange.is(HttpMethod.PUT)
                                    ? deployments.prepare(session, tenant, parameters)
                                    : deployments.prepared(session));
        }
    }

    void activate(AdminExchange exchange, String tenant, long session)
            throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.PUT)) {
            run(exchange, tenant, parameters -> deployments.activate(session, parameters));
        }
    }

    void remove(AdminExchange exchange, ApplicationName name)
            throws IOException, InterruptedException {
        run(exchange, name.tenant(), parameters -> deployments.remove(name, parameters.patience()));
    }

    /** Answers {@code …/restart}: rebuilds the services of clusters. */
    void restart(AdminExchange exchange, ApplicationName name)
            throws IOException, InterruptedException {
        if (exchange.allows(HttpMethod.POST)) {
            var filter = RestartFilter.of(exchange.parameters());
            run(
                    exchange,
                    name.tenant(),
                    parameters -> deployments.rebuild(name, filter, parameters.patience()));
        }
    }

    private void run(AdminExchange exchange, String tenant, Step step)
            throws IOException, InterruptedException {
        switch (DeployParameters.read(exchange.parameters())) {
            case DeployParameters.Reading.Refused(var error, var problem) ->
                    exchange.fail(error, problem);
            case DeployParameters.Reading.Read(var parameters) ->
                    replies.send(
                            exchange, tenant, step.run(parameters), parameters.flags().isVerbose());
        }
    }

    private void receive(AdminExchange exchange, String tenant, Use use)
            throws IOException, InterruptedException {
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
        // An invalid request is rejected before its package is received.
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
        // The received files are deleted before the answer is sent.
        try (Uploads.Upload upload = place.get()) {
            answer =
                    isForm
                            ? ofForm(exchange, tenant, use, upload)
                            : ofArchive(exchange, tenant, use, upload, format.orElseThrow());
        }
        answer.run();
    }

    private Runnable ofArchive(
            AdminExchange exchange, String tenant, Use use, Uploads.Upload upload, Format format)
            throws IOException, InterruptedException {
        return upload.receive(exchange.request(), upload.path(), maxPackageBytes)
                ? used(exchange, tenant, use, upload.path(), format, exchange.parameters())
                : () -> tooLarge(exchange);
    }

    private Runnable ofForm(AdminExchange exchange, String tenant, Use use, Uploads.Upload upload)
            throws IOException, InterruptedException {
        Path file = upload.path().resolve("package");
        return switch (PackageForm.receive(exchange.request(), upload, file, maxPackageBytes)) {
            case PackageForm.Received.Wrong(var problem) ->
                    () -> exchange.fail(AdminError.BAD_REQUEST, problem);
            case PackageForm.Received.TooLarge() -> () -> tooLarge(exchange);
            case PackageForm.Received.Whole(var format, var parameters) -> {
                parameters.addAll(exchange.parameters());
                yield used(exchange, tenant, use, file, format, parameters);
            }
        };
    }

    /** Uses a package, and returns a task that sends the outcome. */
    private Runnable used(
            AdminExchange exchange,
            String tenant,
            Use use,
            Path archive,
            Format format,
            Fields given)
            throws IOException, InterruptedException {
        return switch (DeployParameters.read(given)) {
            case DeployParameters.Reading.Refused(var error, var problem) ->
                    () -> exchange.fail(error, problem);
            case DeployParameters.Reading.Read(var parameters) -> {
                DeployReply reply = use.of(archive, format, parameters);
                yield () -> replies.send(exchange, tenant, reply, parameters.flags().isVerbose());
            }
        };
    }

    private void tooLarge(AdminExchange exchange) {
        exchange.tooLarge(tooLarge(maxPackageBytes));
    }

    /** Returns the error of a package that is larger than a limit. */
    static String tooLarge(long maxPackageBytes) {
        return "the package is larger than the limit of %,d bytes".formatted(maxPackageBytes);
    }
}
