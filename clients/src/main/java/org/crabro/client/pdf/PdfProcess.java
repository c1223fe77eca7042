package org.crabro.client.pdf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Calendar;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.pdfbox.Loader;
import org.apache.pdfbox.io.IOUtils;
import org.apache.pdfbox.pdmodel.PDDocument;
import org.apache.pdfbox.pdmodel.PDDocumentInformation;
import org.apache.pdfbox.pdmodel.encryption.InvalidPasswordException;
import org.apache.pdfbox.text.PDFTextStripper;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * The main class of the process that reads PDF files. It reads lines with the paths of files, as
 * JSON texts, and answers each with a line: an object with {@code text}, or with {@code problem}.
 * Unpacked data stay in memory, so the heap bounds them.
 */
final class PdfProcess {
    private static final JsonMapper JSON = new JsonMapper();

    private PdfProcess() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        // Libraries do not write between answers.
        System.setOut(System.err);
        var paths = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = paths.readLine(); line != null; line = paths.readLine()) {
            String answer =
                    JSON.writeValueAsString(answer(Path.of(JSON.readValue(line, String.class))));
            answers.write((answer + "\n").getBytes(StandardCharsets.UTF_8));
            answers.flush();
        }
    }

    private static Map<String, Object> answer(Path file) {
        try (PDDocument document =
                Loader.loadPDF(file.toFile(), IOUtils.createMemoryOnlyStreamCache())) {
            return answer(document);
        } catch (InvalidPasswordException _) {
            return Map.of("problem", "it needs a password");
        } catch (IOException | RuntimeException e) {
            return Map.of("problem", "it is damaged, or no PDF: " + e.getMessage());
        } catch (StackOverflowError _) {
            return Map.of("problem", "its parts are nested too deeply");
        }
    }

    private static Map<String, Object> answer(PDDocument document) throws IOException {
        Map<String, Object> answer = new LinkedHashMap<>();
        PDDocumentInformation information = document.getDocumentInformation();
        put(answer, "title", information.getTitle());
        put(answer, "author", information.getAuthor());
        Calendar created = information.getCreationDate();
        put(answer, "created", created == null ? null : created.toInstant().toString());
        var stripper = new PDFTextStripper();
        stripper.setEndPage(PdfReader.PAGES_MAX);
        var text = new CutWriter();
        boolean isCut = document.getNumberOfPages() > PdfReader.PAGES_MAX;
        try {
            stripper.writeText(document, text);
        } catch (CutException _) {
            isCut = true;
        }
        answer.put("text", text.text.toString());
        answer.put("cut", isCut);
        return answer;
    }

    private static void put(Map<String, Object> answer, String name, @Nullable String value) {
        if (value != null) {
            answer.put(name, value);
        }
    }

    /** The text is as long as it may be. */
    private static final class CutException extends IOException {
        private static final long serialVersionUID = 1;
    }

    /** Keeps the beginning of a text. */
    private static final class CutWriter extends Writer {
        private final StringBuilder text = new StringBuilder();

        @Override
        public void write(char[] characters, int offset, int length) throws IOException {
            int left = PdfReader.CHARS_MAX - text.length();
            text.append(characters, offset, Math.min(left, length));
            if (left < length) {
                throw new CutException();
            }
        }

        @Override
        public void flush() {
            // The text is in memory.
        }

        @Override
        public void close() {
            // The text is in memory.
        }
    }
}
