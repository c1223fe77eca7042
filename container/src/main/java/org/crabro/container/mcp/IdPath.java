package org.crabro.container.mcp;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;

/** The path of a document below {@code /document/v1}. */
final class IdPath {
    private IdPath() {}

    /** Returns the path, encoded. */
    static String of(DocumentId id) {
        String key =
                switch (id.key()) {
                    case LocationKey.Group(var name) -> "group/" + encoded(name);
                    case LocationKey.Numbered(var number) ->
                            "number/" + Long.toUnsignedString(number);
                    case LocationKey.Plain() -> "docid";
                };
        return "/document/v1/%s/%s/%s/%s"
                .formatted(
                        encoded(id.namespace()),
                        encoded(id.documentType()),
                        key,
                        encoded(id.user()));
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
