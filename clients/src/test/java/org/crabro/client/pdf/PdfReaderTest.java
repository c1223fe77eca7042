package org.crabro.client.pdf;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.zip.DeflaterOutputStream;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDPage;
import org.apache.pdfbox.pdmodel.PDPageContentStream;
import org.apache.pdfbox.pdmodel.encryption.AccessPermission;
import org.apache.pdfbox.pdmodel.encryption.StandardProtectionPolicy;
import org.apache.pdfbox.pdmodel.font.PDType1Font;
import org.apache.pdfbox.pdmodel.font.Standard14Fonts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PdfReaderTest {
    @TempDir Path directory;

    /** With time enough, and little memory, which is faster to exceed. */
    private final PdfReader reader = new PdfReader(Duration.ofMinutes(10), 64);

    @AfterEach
    void close() {
        reader.close();
    }

    private static PDDocument document(String... pages) throws IOException {
        var document = new PDDocument();
        for (String text : pages) {
            var page = new PDPage();
            document.addPage(page);
            try (var content = new PDPageContentStream(document, page)) {
                content.beginText();
                content.setFont(new PDType1Font(Standard14Fonts.FontName.HELVETICA), 12);
                content.newLineAtOffset(72, 700);
                content.showText(text);
                content.endText();
            }
        }
        return document;
    }

    private Path good() throws IOException {
        Path file = directory.resolve("good.pdf");
        try (PDDocument document = document("Three days on the water", "Käsekuchen and coffee")) {
            document.getDocumentInformation().setTitle("Boat");
            document.getDocumentInformation().setAuthor("Anna Berg");
            var time = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
            time.setTimeInMillis(Instant.parse("2024-05-01T10:00:00Z").toEpochMilli());
            document.getDocumentInformation().setCreationDate(time);
            document.save(file.toFile());
        }
        return file;
    }

    @Test
    void readsTextsTitlesAuthorsAndTimes() throws Exception {
        PdfText text = reader.read(good());

        assertThat(text.text())
                .isEqualToNormalizingNewlines("Three days on the water\nKäsekuchen and coffee\n");
        assertThat(text.title()).hasValue("Boat");
        assertThat(text.author()).hasValue("Anna Berg");
        assertThat(text.created()).hasValue(Instant.parse("2024-05-01T10:00:00Z"));
        assertThat(text.isCut()).isFalse();
    }

    @Test
    void readsPagesWithoutTextAndWithoutInformation() throws Exception {
        Path file = directory.resolve("empty.pdf");
        try (var document = new PDDocument()) {
            document.addPage(new PDPage());
            document.save(file.toFile());
        }

        PdfText text = reader.read(file);

        assertThat(text.text()).isBlank();
        assertThat(text.title()).isEmpty();
        assertThat(text.created()).isEmpty();
    }

    @Test
    void rejectsAFileThatNeedsAPassword() throws Exception {
        Path file = directory.resolve("secret.pdf");
        try (PDDocument document = document("secret")) {
            document.protect(new StandardProtectionPolicy("owner", "user", new AccessPermission()));
            document.save(file.toFile());
        }

        assertThatThrownBy(() -> reader.read(file)).hasMessage("it needs a password");
        assertThat(reader.read(good()).title()).hasValue("Boat");
    }

    /** Files that are made to harm. */
    enum Harm {
        /** One page, whose content is 95 megabytes of text commands in one. */
        UNPACKED,
        /** An object that is nested deeply. */
        DEEP,
        /** A tree of pages that contains itself. */
        CYCLE,
        /** No PDF. */
        OTHER,
        /** Random bytes after the signature. */
        RANDOM;

        byte[] bytes() throws IOException {
            return switch (this) {
                case UNPACKED -> page(unpacked());
                case DEEP ->
                        pdf(
                                List.of(
                                        "<< /Type /Catalog /Pages 2 0 R >>",
                                        "<< /Type /Pages /Kids [] /Count 0 /A "
                                                + "[".repeat(1_000_000)
                                                + "]".repeat(1_000_000)
                                                + " >>"));
                case CYCLE ->
                        pdf(
                                List.of(
                                        "<< /Type /Catalog /Pages 2 0 R >>",
                                        "<< /Type /Pages /Kids [2 0 R 2 0 R] /Count 1000000000"
                                                + " >>"));
                case OTHER -> "no pdf".getBytes(ISO_8859_1);
                case RANDOM -> random();
            };
        }

        private static byte[] random() {
            var bytes = new byte[1 << 20];
            new Random(7).nextBytes(bytes);
            byte[] head = "%PDF-1.7\n".getBytes(ISO_8859_1);
            System.arraycopy(head, 0, bytes, 0, head.length);
            return bytes;
        }

        private static byte[] unpacked() throws IOException {
            var packed = new ByteArrayOutputStream();
            try (var deflater = new DeflaterOutputStream(packed)) {
                byte[] commands = "BT (aaaaaaaa) Tj ET\n".repeat(50_000).getBytes(ISO_8859_1);
                for (int i = 0; i < 100; i++) {
                    deflater.write(commands);
                }
            }
            return packed.toByteArray();
        }

        private static byte[] page(byte[] content) throws IOException {
            return pdf(
                    List.of(
                            "<< /Type /Catalog /Pages 2 0 R >>",
                            "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                            "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /MediaBox [0 0 9 9] >>",
                            "<< /Length %d /Filter /FlateDecode >>\nstream\n%s\nendstream"
                                    .formatted(content.length, new String(content, ISO_8859_1))));
        }

        private static byte[] pdf(List<String> objects) throws IOException {
            var bytes = new ByteArrayOutputStream();
            bytes.write("%PDF-1.4\n".getBytes(ISO_8859_1));
            var offsets = new ArrayList<Integer>();
            for (int i = 0; i < objects.size(); i++) {
                offsets.add(bytes.size());
                String object = (i + 1) + " 0 obj\n" + objects.get(i) + "\nendobj\n";
                bytes.write(object.getBytes(ISO_8859_1));
            }
            int table = bytes.size();
            int count = objects.size() + 1;
            var end = new StringBuilder("xref\n0 " + count + "\n0000000000 65535 f \n");
            offsets.forEach(offset -> end.append("%010d 00000 n \n".formatted(offset)));
            end.append("trailer << /Size " + count + " /Root 1 0 R >>\n");
            end.append("startxref\n" + table + "\n%%EOF\n");
            bytes.write(end.toString().getBytes(ISO_8859_1));
            return bytes.toByteArray();
        }
    }

    /** The next file is read whatever this one does to the process. */
    @ParameterizedTest
    @EnumSource
    void survivesFilesThatAreMadeToHarm(Harm harm) throws Exception {
        Path file = Files.write(directory.resolve("harm.pdf"), harm.bytes());

        try {
            assertThat(reader.read(file).text().length()).isLessThanOrEqualTo(PdfReader.CHARS_MAX);
            assertThat(harm).isIn(Harm.CYCLE, Harm.DEEP);
        } catch (PdfException e) {
            assertThat(e).hasMessageStartingWith(harm == Harm.UNPACKED ? "it takes more" : "it");
        }
        assertThat(reader.read(good()).title()).hasValue("Boat");
    }

    /** The same page several times. */
    private static byte[] pages(int count, String content) throws IOException {
        var objects = new ArrayList<String>();
        objects.add("<< /Type /Catalog /Pages 2 0 R >>");
        objects.add(
                "<< /Type /Pages /Count %d /Kids [%s] >>"
                        .formatted(
                                count,
                                IntStream.range(0, count)
                                        .mapToObj(i -> (i + 5) + " 0 R")
                                        .collect(Collectors.joining(" "))));
        objects.add("<< /Length %d >>\nstream\n%s\nendstream".formatted(content.length(), content));
        objects.add("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>");
        for (int i = 0; i < count; i++) {
            objects.add(
                    "<< /Type /Page /Parent 2 0 R /Contents 3 0 R /MediaBox [0 0 9 9]"
                            + " /Resources << /Font << /F 4 0 R >> >> >>");
        }
        return Harm.pdf(objects);
    }

    @Test
    void cutsTheLongestTexts() throws Exception {
        String line = "BT /F 1 Tf (" + "a".repeat(1_000) + ") Tj ET";
        Path file = Files.write(directory.resolve("long.pdf"), pages(4_500, line));
        try (var large = new PdfReader()) {
            PdfText text = large.read(file);

            assertThat(text.text()).hasSize(PdfReader.CHARS_MAX).startsWith("aaa");
            assertThat(text.isCut()).isTrue();
        }
    }

    @Test
    void readsNoMorePagesThanPermitted() throws Exception {
        String line = "BT /F 1 Tf (a) Tj ET";
        byte[] bytes = pages(PdfReader.PAGES_MAX + 1, line);
        Path file = Files.write(directory.resolve("pages.pdf"), bytes);

        PdfText text = reader.read(file);

        assertThat(text.text().chars().filter(c -> c == 'a').count())
                .isEqualTo(PdfReader.PAGES_MAX);
        assertThat(text.isCut()).isTrue();
    }

    @Test
    void rejectsTooLargeFilesAndDirectories() throws Exception {
        Path large = directory.resolve("large.pdf");
        try (var file = new RandomAccessFile(large.toFile(), "rw")) {
            file.setLength((512L << 20) + 1);
        }
        Path folder = Files.createDirectory(directory.resolve("folder.pdf"));

        assertThatThrownBy(() -> reader.read(large))
                .hasMessage("it has more than 536,870,912 bytes");
        assertThatThrownBy(() -> reader.read(folder)).isInstanceOf(PdfException.class);
        assertThat(reader.read(good()).title()).hasValue("Boat");
    }

    /** A name cannot be read as two questions. */
    @Test
    void readsFilesWithAnyName() throws Exception {
        Path file = Files.copy(good(), directory.resolve("a\n\"b\\ü.pdf"));

        assertThat(reader.read(file).title()).hasValue("Boat");
        assertThat(reader.read(good()).title()).hasValue("Boat");
    }

    /** Nobody but its parent talks to the process, and it ends with its input. */
    @ParameterizedTest
    @CsvSource({"'',0", "no JSON,1", "{},1"})
    void endsWithItsInputAndAtLinesThatAreNoPaths(String input, int status) throws Exception {
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                PdfProcess.class.getName())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        try (var writer = process.outputWriter()) {
            writer.write(input.isEmpty() ? "" : input + "\n");
        }

        assertThat(process.getInputStream().readAllBytes()).isEmpty();
        assertThat(process.waitFor()).isEqualTo(status);
    }

    @Test
    void endsAtItsTime() throws Exception {
        Path file = good();
        try (var hasty = new PdfReader(Duration.ofNanos(1), 64)) {
            assertThatThrownBy(() -> hasty.read(file))
                    .isInstanceOf(PdfException.class)
                    .hasMessage("it takes longer than 0 seconds to read");
        }
    }

    @Test
    void readsNoFileThatIsMissing() {
        assertThatThrownBy(() -> reader.read(directory.resolve("none.pdf")))
                .isInstanceOf(IOException.class);
    }
}
