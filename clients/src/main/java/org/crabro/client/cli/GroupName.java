package org.crabro.client.cli;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.crabro.client.http.ServerAccess;
import org.crabro.client.visit.ClientVisit;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The parameters that identify a group of a server. */
final class GroupName {
    @Parameters(
            index = "0",
            paramLabel = "NAMESPACE",
            description = "The namespace of the documents' ids.")
    private String namespace = "";

    @Parameters(index = "1", paramLabel = "TYPE", description = "The document type.")
    private String documentType = "";

    @Parameters(index = "2", paramLabel = "GROUP", description = "The group, as after g= in ids.")
    private String group = "";

    @Option(names = "--number", description = "GROUP is a number, as after n= in ids.")
    private boolean isNumber;

    @Mixin private DocumentsTarget target = new DocumentsTarget();

    /** Returns the address of the group with a query. */
    URI address(String query) throws IOException {
        return target.server()
                .address()
                .resolve(
                        "/document/v1/%s/%s/%s/%s/?%s"
                                .formatted(
                                        encoded(namespace),
                                        encoded(documentType),
                                        isNumber ? "number" : "group",
                                        encoded(group),
                                        query));
    }

    /** Returns a visit of the group. */
    ClientVisit visit() {
        return isNumber
                ? ClientVisit.ofNumber(namespace, documentType, Long.parseUnsignedLong(group))
                : ClientVisit.ofGroup(namespace, documentType, group);
    }

    /** Returns the server of the group. */
    ServerAccess server() throws IOException {
        return target.server();
    }

    /** Opens a client whose requests carry the token, if there is one. */
    ServerCalls calls() throws IOException {
        return target.calls();
    }

    @Override
    public String toString() {
        return (isNumber ? "number " : "group ") + group;
    }

    static String encoded(String part) {
        return URLEncoder.encode(part, StandardCharsets.UTF_8);
    }
}
