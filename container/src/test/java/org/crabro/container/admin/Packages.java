package org.crabro.container.admin;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Small packages, as clients send them. */
final class Packages {
    static final String SERVICES =
            """
            <services version="1.0">
              <container version="1.0"><search/><document-api/></container>
              <content id="store" version="1.0">
                <redundancy>1</redundancy>
                <documents><document type="note" mode="streaming"/></documents>
              </content>
            </services>
            """;

    private Packages() {}

    /** Returns the files of a package whose document type has {@code fields}. */
    static Map<String, String> files(String... fields) {
        return new TreeMap<>(
                Map.of(
                        "services.xml",
                        SERVICES,
                        "schemas/note.sd",
                        "schema note {\n  document note {\n    "
                                + String.join("\n    ", fields)
                                + "\n  }\n}\n"));
    }

    static byte[] zip(Map<String, String> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var zip = new ZipOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                zip.putNextEntry(new ZipEntry(file.getKey()));
                zip.write(file.getValue().getBytes(StandardCharsets.UTF_8));
            }
        }
        return bytes.toByteArray();
    }

    /** Writes a tar archive by hand: headers of 512 bytes with octal numbers, then the content. */
    static byte[] tarGzip(Map<String, String> files) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            for (Map.Entry<String, String> file : files.entrySet()) {
                byte[] content = file.getValue().getBytes(StandardCharsets.UTF_8);
                byte[] header = new byte[512];
                put(header, 0, file.getKey());
                put(header, 100, "0000644\0" + "0000000\0" + "0000000\0");
                put(header, 124, "%011o\0".formatted(content.length) + "00000000000\0");
                put(header, 148, "        0");
                put(header, 257, "ustar\0" + "00");
                int sum = 0;
                for (byte b : header) {
                    sum += b;
                }
                put(header, 148, "%06o\0 ".formatted(sum));
                gzip.write(header);
                gzip.write(content);
                gzip.write(new byte[(512 - content.length % 512) % 512]);
            }
            gzip.write(new byte[1024]);
        }
        return bytes.toByteArray();
    }

    private static void put(byte[] header, int offset, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, header, offset, bytes.length);
    }
}
