package org.crabro.client.feed;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/** Where a document is found on a server. */
public final class DocumentUrl {
    private DocumentUrl() {}

    /** Returns the address of {@code id} below {@code server}. */
    public static URI of(URI server, DocumentId id) {
        String location =
                switch (id.key()) {
                    case LocationKey.Plain() -> "docid";
                    case LocationKey.Numbered(long value) ->
                            "number/" + Long.toUnsignedString(value);
                    case LocationKey.Group(String name) -> "group/" + encode(name);
                };
        return server.resolve(
                "/document/v1/%s/%s/%s/%s"
                        .formatted(
                                encode(id.namespace()),
                                encode(id.documentType()),
                                location,
                                encode(id.user())));
    }

    static String encode(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }
}
