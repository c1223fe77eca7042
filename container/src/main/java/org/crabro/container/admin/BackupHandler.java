package org.crabro.container.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.crabro.container.admin.DataBackup.Reply;
import org.crabro.container.http.JsonReply;
import org.crabro.container.http.RequestPath;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Answers at {@code /crabro/v1/backup}: POST makes a backup, GET returns the state of the last one.
 *
 * <p>The request names the directory to write, so only programs on the same machine are allowed:
 * the connection must come from the machine, the request must name it as its host, and the body
 * must have a type that pages in browsers cannot send to other servers.
 */
final class BackupHandler extends Handler.Abstract {
    static final String PATH = "/crabro/v1/backup";

    /** The time that a request waits for the end; after it, a GET returns the state. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private static final int BODY_BYTES_MAX = 64 << 10;
    private static final Set<String> LOCAL_NAMES = Set.of("localhost", "127.0.0.1", "[::1]", "::1");
    private static final JsonFactory JSON = new JsonFactory();

    private final OperatorRuns<Path, Reply> runs;

    BackupHandler(DataBackup backup, DataBackup.PackageFiles packages) {
        this.runs =
                new OperatorRuns<>(
                        "backup",
                        directory -> backup.make(directory, packages),
                        e -> new Reply.Failed(String.valueOf(e)));
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        if (!RequestPath.of(request).text().equals(PATH)) {
            return false;
        }
        if (!isLocal(request.getConnectionMetaData().getRemoteSocketAddress())
                || !LOCAL_NAMES.contains(Request.getServerName(request))) {
            AdminError.FORBIDDEN.send(
                    response, callback, "backups are made for programs on the server's machine");
        } else if (HttpMethod.POST.is(request.getMethod())) {
            make(request, response, callback);
        } else if (HttpMethod.GET.is(request.getMethod())) {
            tell(response, callback);
        } else {
            response.getHeaders().put(HttpHeader.ALLOW, "GET, POST");
            AdminError.METHOD_NOT_ALLOWED.send(
                    response, callback, request.getMethod() + " is not allowed, only GET and POST");
        }
        return true;
    }

    static boolean isLocal(SocketAddress address) {
        return address instanceof InetSocketAddress internet
                && internet.getAddress() != null
                && internet.getAddress().isLoopbackAddress();
    }

    private void make(Request request, Response response, Callback callback)
            throws IOException, InterruptedException {
        @Nullable String given = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        if (given == null
                || !given.replaceFirst(";.*", "")
                        .strip()
                        .toLowerCase(Locale.ROOT)
                        .equals("application/json")) {
            AdminError.BAD_REQUEST.send(
                    response, callback, "expected Content-Type application/json");
            return;
        }
        byte[] body = Content.Source.asInputStream(request).readNBytes(BODY_BYTES_MAX + 1);
        if (body.length > BODY_BYTES_MAX) {
            new AdminExchange(request, response, callback)
                    .tooLarge(
                            "the body is larger than the limit of %,d bytes"
                                    .formatted(BODY_BYTES_MAX));
            return;
        }
        Optional<Path> directory = directory(new String(body, UTF_8));
        if (directory.isEmpty()) {
            AdminError.BAD_REQUEST.send(
                    response,
                    callback,
                    "expected a body such as {\"directory\":\"/backups/today\"}, with the absolute"
                            + " path of a directory that is empty or not there");
            return;
        }
        var run = runs.begin(directory.get());
        if (run.isEmpty()) {
            AdminError.BACKUP_UNDER_WAY.send(response, callback, "another backup is under way");
            return;
        }
        send(run.get(), run.get().await(WAIT), response, callback);
    }

    /** Returns the directory in a body. */
    private static Optional<Path> directory(String body) {
        try (JsonParser parser = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT
                    || parser.nextToken() != JsonToken.PROPERTY_NAME
                    || !parser.currentName().equals("directory")
                    || parser.nextToken() != JsonToken.VALUE_STRING) {
                return Optional.empty();
            }
            Path directory = Path.of(parser.getString());
            boolean isAll =
                    parser.nextToken() == JsonToken.END_OBJECT && parser.nextToken() == null;
            return Optional.of(directory).filter(path -> isAll && path.isAbsolute());
        } catch (JacksonException | InvalidPathException _) {
            return Optional.empty();
        }
    }

    private void tell(Response response, Callback callback) throws InterruptedException {
        var last = runs.last();
        if (last.isPresent()) {
            send(last.get(), last.get().await(Duration.ZERO), response, callback);
        } else {
            AdminError.NOT_FOUND.send(
                    response, callback, "no backup was requested since the server started");
        }
    }

    private static void send(
            OperatorRuns.Run<Path, Reply> run,
            Optional<Reply> reply,
            Response response,
            Callback callback) {
        String directory = run.asked().toString();
        if (reply.isEmpty()) {
            JsonReply.send(
                    response,
                    callback,
                    HttpStatus.ACCEPTED_202,
                    json -> {
                        json.writeStartObject();
                        json.writeStringProperty("state", "running");
                        json.writeStringProperty("directory", directory);
                        json.writeEndObject();
                    });
            return;
        }
        switch (reply.get()) {
            case Reply.Made made ->
                    JsonReply.send(
                            response,
                            callback,
                            HttpStatus.OK_200,
                            json -> write(json, directory, made));
            case Reply.Refused(var problem) ->
                    AdminError.BAD_REQUEST.send(response, callback, problem);
            case Reply.Failed(var problem) ->
                    AdminError.INTERNAL_SERVER_ERROR.send(
                            response,
                            callback,
                            "the backup in %s is not whole: %s".formatted(directory, problem));
        }
    }

    private static void write(JsonGenerator json, String directory, Reply.Made made) {
        json.writeStartObject();
        json.writeStringProperty("state", "done");
        json.writeStringProperty("directory", directory);
        json.writeStringProperty("begun", made.begun().toString());
        json.writeStringProperty("ended", made.ended().toString());
        json.writeNumberProperty("files", made.amount().files());
        json.writeNumberProperty("bytes", made.amount().bytes());
        json.writeNumberProperty("copiedBytes", made.amount().copiedBytes());
        if (made.amount().copyReason().isPresent()) {
            json.writeStringProperty("copyReason", made.amount().copyReason().get());
        }
        json.writeArrayPropertyStart("partitions");
        for (DataBackup.Moment moment : made.partitions()) {
            json.writeStartObject();
            json.writeNumberProperty("position", moment.position());
            json.writeNumberProperty("timestamp", moment.timestamp());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
