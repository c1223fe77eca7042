package org.crabro.container.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URLEncoder;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.crabro.config.application.ApplicationName;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.io.Content;
import org.jspecify.annotations.Nullable;

/** Reads the files of packages one by one, and changes those of sessions. */
final class ContentEndpoint {
    private final Deployments deployments;
    private final DeployReplies replies;
    private final long maxFileBytes;

    /**
     * @param maxFileBytes larger files are rejected
     */
    ContentEndpoint(Deployments deployments, DeployReplies replies, long maxFileBytes) {
        this.deployments = deployments;
        this.replies = replies;
        this.maxFileBytes = maxFileBytes;
    }

    void handle(AdminExchange exchange, ApplicationName name, AdminPath.Content path)
            throws IOException, InterruptedException {
        if (path.session().isEmpty()) {
            if (exchange.allows(HttpMethod.GET)) {
                get(
                        exchange,
                        path,
                        deployments.files().activeContent(),
                        exchange.application(name) + "/content/",
                        Deployments.NOTHING_DEPLOYED);
            }
            return;
        }
        long session = path.session().getAsLong();
        if (exchange.is(HttpMethod.PUT)) {
            put(exchange, name.tenant(), path, session);
        } else if (exchange.is(HttpMethod.DELETE)) {
            delete(exchange, name.tenant(), path, session);
        } else if (exchange.allows(HttpMethod.GET, HttpMethod.PUT, HttpMethod.DELETE)) {
            get(
                    exchange,
                    path,
                    deployments.files().content(session),
                    exchange.session(name.tenant(), session) + "/content/",
                    "there is no session %d".formatted(session));
        }
    }

    private static void get(
            AdminExchange exchange,
            AdminPath.Content path,
            Optional<PackageContent> content,
            String url,
            String nothing)
            throws IOException {
        if (content.isEmpty()) {
            exchange.fail(AdminError.NOT_FOUND, nothing);
            return;
        }
        @Nullable String asked = exchange.parameters().getValue("return");
        boolean isStatus = "status".equals(asked);
        if (asked != null && !isStatus && !asked.equals("content")) {
            exchange.fail(
                    AdminError.BAD_REQUEST,
                    "return: expected content or status, but found '" + asked + "'");
            return;
        }
        try {
            if (isStatus) {
                status(exchange, path, content.get(), url);
            } else {
                content(exchange, path, content.get(), url);
            }
        } catch (NoSuchFileException e) {
            // The session ended, or the file was deleted, after it was found.
            missing(exchange, path);
        }
    }

    private static void content(
            AdminExchange exchange, AdminPath.Content path, PackageContent content, String url)
            throws IOException {
        Optional<PackageContent.Entry> entry = content.find(path.path());
        if (entry.isEmpty() || isFileWithSlash(entry.get(), path)) {
            missing(exchange, path);
            return;
        }
        if (!entry.get().isDirectory()) {
            file(exchange, content.open(path.path()));
            return;
        }
        Optional<List<PackageContent.Entry>> entries =
                content.list(path.path(), exchange.isTrue("recursive"));
        if (entries.isEmpty()) {
            tooMany(exchange);
            return;
        }
        exchange.send(json -> {
            json.writeStartArray();
            entries.get().forEach(each -> json.writeString(url(url, each)));
            json.writeEndArray();
        });
    }

    private static void status(
            AdminExchange exchange, AdminPath.Content path, PackageContent content, String url)
            throws IOException {
        Optional<PackageContent.Status> status = content.status(path.path());
        if (status.isEmpty() || isFileWithSlash(status.get().entry(), path)) {
            missing(exchange, path);
            return;
        }
        if (!status.get().entry().isDirectory()) {
            exchange.send(
                    json -> SessionJson.status(json, status.get(), url(url, status.get().entry())));
            return;
        }
        Optional<List<PackageContent.Entry>> entries =
                content.list(path.path(), exchange.isTrue("recursive"));
        if (entries.isEmpty()) {
            tooMany(exchange);
            return;
        }
        var all = new ArrayList<PackageContent.Status>();
        for (PackageContent.Entry entry : entries.get()) {
            content.status(entry.path()).ifPresent(all::add);
        }
        exchange.send(json -> {
            json.writeStartArray();
            all.forEach(each -> SessionJson.status(json, each, url(url, each.entry())));
            json.writeEndArray();
        });
    }

    private static boolean isFileWithSlash(PackageContent.Entry entry, AdminPath.Content path) {
        return path.endsInSlash() && !entry.isDirectory();
    }

    private static void missing(AdminExchange exchange, AdminPath.Content path) {
        exchange.fail(AdminError.NOT_FOUND, "the package has no '%s'".formatted(name(path)));
    }

    private static void tooMany(AdminExchange exchange) {
        exchange.fail(
                AdminError.BAD_REQUEST,
                "the directory holds more than %,d files and directories; list fewer at once"
                        .formatted(PackageContent.LIST_MAX));
    }

    private static String name(AdminPath.Content path) {
        return path.path() + (path.endsInSlash() ? "/" : "");
    }

    /** Sends the bytes of {@code opened}, and closes it. */
    private static void file(AdminExchange exchange, FileChannel opened) throws IOException {
        try (opened) {
            var headers = exchange.response().getHeaders();
            headers.put(HttpHeader.CONTENT_TYPE, "application/octet-stream");
            headers.put(HttpHeader.CONTENT_LENGTH, opened.size());
            exchange.response().setStatus(200);
            if (!exchange.isHead()) {
                try (InputStream in = Channels.newInputStream(opened);
                        OutputStream out = Content.Sink.asOutputStream(exchange.response())) {
                    in.transferTo(out);
                } catch (IOException e) {
                    exchange.callback().failed(e);
                    return;
                }
            }
        }
        exchange.callback().succeeded();
    }

    private void put(AdminExchange exchange, String tenant, AdminPath.Content path, long session)
            throws IOException, InterruptedException {
        Optional<DeployReply> refused = refused(path, session);
        if (refused.isPresent()) {
            replies.send(exchange, tenant, refused.get(), false);
            return;
        }
        if (path.endsInSlash()) {
            run(
                    exchange,
                    tenant,
                    wait -> deployments.files().putDirectory(session, path.path(), wait));
            return;
        }
        Optional<Uploads.Upload> place = deployments.uploads().file();
        if (place.isEmpty()) {
            exchange.tooMany(deployments.uploads().full());
            return;
        }
        try (Uploads.Upload upload = place.get()) {
            if (upload.receive(exchange.request(), upload.path(), maxFileBytes)) {
                run(
                        exchange,
                        tenant,
                        wait -> deployments.files().put(session, path.path(), upload.path(), wait));
            } else {
                exchange.tooLarge(
                        "the file is larger than the limit of %,d bytes".formatted(maxFileBytes));
            }
        }
    }

    /** Changes files. */
    private interface Change {
        DeployReply run(Duration wait) throws IOException, InterruptedException;
    }

    private void run(AdminExchange exchange, String tenant, Change change)
            throws IOException, InterruptedException {
        switch (DeployParameters.read(exchange.parameters())) {
            case DeployParameters.Reading.Refused(var error, var problem) ->
                    exchange.fail(error, problem);
            case DeployParameters.Reading.Read(var parameters) ->
                    replies.send(exchange, tenant, change.run(parameters.patience()), false);
        }
    }

    private void delete(AdminExchange exchange, String tenant, AdminPath.Content path, long session)
            throws IOException, InterruptedException {
        Optional<DeployReply> refused = refused(path, session);
        if (refused.isPresent()) {
            replies.send(exchange, tenant, refused.get(), false);
        } else {
            run(exchange, tenant, wait -> deployments.files().delete(session, path.path(), wait));
        }
    }

    /** Returns why a path cannot be written, before the body is received. */
    private Optional<DeployReply> refused(AdminPath.Content path, long session) {
        return path.path().isEmpty()
                ? Optional.of(
                        new DeployReply.Wrong(
                                "expected the name of a file or directory in the package"))
                : deployments.files().readOnly(session);
    }

    private static String url(String base, PackageContent.Entry entry) {
        var url = new StringBuilder(base);
        for (String part : entry.path().split("/", -1)) {
            if (url.length() > base.length()) {
                url.append('/');
            }
            url.append(URLEncoder.encode(part, StandardCharsets.UTF_8).replace("+", "%20"));
        }
        return url.append(entry.isDirectory() ? "/" : "").toString();
    }
}
