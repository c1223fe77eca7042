package org.crabro.client.bench;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.crabro.client.http.ServerAccess;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/**
 * Pages of visits. Each client visits one slice of the documents, page by page, and begins again at
 * its end. An answer is successful if its status is 200.
 */
public final class VisitLoad implements LoadSource {
    private static final JsonFactory JSON = new JsonFactory();

    private final ServerAccess server;
    private final String path;
    private final OptionalLong uses;
    private final HttpClient http;
    private final List<Slice> slices = new ArrayList<>();

    /** How far a client has come; only its thread uses it. */
    private static final class Slice {
        private String continuation = "";
        private long round;
    }

    /**
     * The documents that are visited.
     *
     * @param selection empty for all
     * @param fieldSet empty for the fields of the document
     * @param pageSize the most documents of an answer
     */
    public record Documents(
            String namespace,
            String documentType,
            String selection,
            String fieldSet,
            int pageSize) {}

    /** A page of a visit. */
    private record Page(long documents, String continuation) {}

    /**
     * @param uses how often a client visits its slice; empty for no limit
     */
    public VisitLoad(ServerAccess server, Documents documents, int clients, OptionalLong uses) {
        this.server = server;
        this.uses = uses;
        this.http = server.open(HttpClient.Version.HTTP_1_1);
        this.path = path(documents, clients);
        for (int i = 0; i < clients; i++) {
            slices.add(new Slice());
        }
    }

    private static String path(Documents documents, int clients) {
        var path = new StringBuilder();
        path.append("/document/v1/")
                .append(QueryLoad.encoded(documents.namespace()))
                .append('/')
                .append(QueryLoad.encoded(documents.documentType()))
                .append("/docid?wantedDocumentCount=")
                .append(documents.pageSize())
                .append("&slices=")
                .append(clients);
        if (!documents.selection().isEmpty()) {
            path.append("&selection=").append(QueryLoad.encoded(documents.selection()));
        }
        if (!documents.fieldSet().isEmpty()) {
            path.append("&fieldSet=").append(QueryLoad.encoded(documents.fieldSet()));
        }
        return path.toString();
    }

    @Override
    public String items() {
        return "documents";
    }

    @Override
    public Optional<LoadAnswer> send(int client) throws InterruptedException {
        Slice slice = slices.get(client);
        if (uses.isPresent() && slice.round >= uses.getAsLong()) {
            return Optional.empty();
        }
        try {
            HttpResponse<byte[]> response = answered(client, slice.continuation);
            byte[] body = response.body();
            if (response.statusCode() != 200) {
                return Optional.of(
                        new LoadAnswer(
                                response.statusCode(),
                                false,
                                0,
                                body.length,
                                "status " + response.statusCode()));
            }
            Page page = page(body);
            slice.continuation = page.continuation();
            slice.round += page.continuation().isEmpty() ? 1 : 0;
            return Optional.of(new LoadAnswer(200, true, page.documents(), body.length, ""));
        } catch (IOException e) {
            return Optional.of(LoadAnswer.failed(e));
        }
    }

    private HttpResponse<byte[]> answered(int slice, String continuation)
            throws IOException, InterruptedException {
        String address =
                path
                        + "&sliceId="
                        + slice
                        + (continuation.isEmpty()
                                ? ""
                                : "&continuation=" + QueryLoad.encoded(continuation));
        HttpRequest request = server.request(URI.create(address)).build();
        return server.send(http, request, HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Reads the number of documents and the continuation, and skips the documents. */
    private static Page page(byte[] body) throws IOException {
        long documents = 0;
        String continuation = "";
        try (JsonParser json = JSON.createParser(ObjectReadContext.empty(), body)) {
            if (json.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the answer to a visit is no JSON object");
            }
            while (json.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = json.currentName();
                json.nextToken();
                if (name.equals("documentCount")) {
                    documents = json.getLongValue();
                } else if (name.equals("continuation")) {
                    continuation = json.getString();
                } else {
                    json.skipChildren();
                }
            }
        } catch (tools.jackson.core.JacksonException e) {
            throw new IOException(
                    "the answer to a visit is not JSON: " + e.getOriginalMessage(), e);
        }
        return new Page(documents, continuation);
    }

    @Override
    public void close() {
        http.close();
    }
}
