package org.crabro.container.document;

import java.io.ByteArrayInputStream;
import java.util.List;
import org.crabro.document.DocumentId;
import org.crabro.document.InvalidDocumentException;
import org.crabro.document.json.DocumentReader;
import org.crabro.document.json.LeftOutCells;
import org.crabro.perf.fuzz.FuzzTarget;
import org.crabro.perf.fuzz.FuzzedApplication;
import org.crabro.perf.fuzz.FuzzedRequest;
import org.eclipse.jetty.http.HttpFields;

/** Paths, field sets and bodies in CBOR of the document API. */
public final class PathTargets {
    private static final DocumentId ID = DocumentId.parse("id:ns:all:g=anna:1");

    private PathTargets() {}

    /** Returns the targets. */
    public static List<FuzzTarget> all() {
        var reader = new DocumentReader(FuzzedApplication.type());
        return List.of(
                FuzzTarget.ofText(
                        "document-paths",
                        path -> DocumentPath.parse("/document/v1" + path),
                        InvalidDocumentException.class),
                FuzzTarget.ofText(
                        "field-sets",
                        text -> FieldSet.parse(text, FuzzedApplication.schema()),
                        InvalidRequestException.class),
                FuzzTarget.ofBytes(
                        "cbor-bodies",
                        cbor -> read(reader, cbor),
                        InvalidDocumentException.class,
                        InvalidRequestException.class));
    }

    /** Returns the parameters of a URL with this query. */
    public static DocumentParameters parameters(String query) {
        return DocumentParameters.of(FuzzedRequest.of("/?" + query, HttpFields.EMPTY, new byte[0]));
    }

    private static void read(DocumentReader reader, byte[] cbor) {
        var json = new CborBody(new ByteArrayInputStream(cbor));
        reader.read(ID, json, LeftOutCells.UNCOUNTED);
    }
}
