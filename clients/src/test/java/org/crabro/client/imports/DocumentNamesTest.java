package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How documents are named. */
class DocumentNamesTest {
    @TempDir private Path directory;

    private record Named(DocumentNames names, List<String> ids) {}

    private Named read(Path path, String id) throws IOException {
        ImportSource source = ImportSource.of(path);
        GuessedSchema schema;
        try (RecordReader records = source.open()) {
            schema = SchemaGuess.of("t", records, id, _ -> {});
        }
        List<String> ids = new ArrayList<>();
        try (var documents = new DocumentPuts(source.open(), schema, "me", new ImportLosses())) {
            for (Optional<DocumentPuts.Put> next = documents.next();
                    next.isPresent();
                    next = documents.next()) {
                ids.add(next.get().id().substring("id:t:t:g=me:".length()));
            }
        }
        return new Named(schema.names(), ids);
    }

    @Test
    void namesNotesByTheirPaths() throws Exception {
        Files.createDirectories(directory.resolve("n/trips"));
        Files.writeString(directory.resolve("n/a.md"), "a");
        Files.writeString(directory.resolve("n/trips/b.txt"), "b");

        Named named = read(directory.resolve("n"), "");

        assertThat(named.ids()).containsExactly("a.md", "trips/b.txt");
        assertThat(named.names().contains("trips/b.txt")).isTrue();
        assertThat(named.names().contains("c.txt")).isFalse();
        assertThat(named.names().note()).contains("paths");
    }

    @Test
    void namesMailsByTheirIdsAndOthersByTheirPlaces() throws Exception {
        Path mails = Files.createDirectories(directory.resolve("m"));
        Files.writeString(mails.resolve("a.eml"), "Message-ID: <1@x>\n\na");
        Files.writeString(mails.resolve("b.eml"), "Message-ID: <1@x>\n\nthe same id");
        Files.writeString(mails.resolve("c.eml"), "Subject: none\n\nb");
        Files.writeString(
                mails.resolve("d.mbox"),
                """
                From a@x Tue Jun  3 11:05:30 2008
                Message-ID: <2@x>

                c

                From a@x Tue Jun  3 11:05:31 2008
                Subject: x

                d
                """);

        assertThat(read(mails, "").ids())
                .containsExactly("<1@x>", "b.eml#1", "c.eml#1", "<2@x>", "d.mbox#2");
        assertThat(read(mails.resolve("d.mbox"), "").ids()).containsExactly("<2@x>", "2");
    }

    @Test
    void namesRowsByAColumnOrTheirNumbers() throws Exception {
        Path file = Files.writeString(directory.resolve("a.csv"), "sku,n\nx1,1\nx2,1\n");

        Named chosen = read(file, "sku");
        assertThat(chosen.ids()).containsExactly("x1", "x2");
        assertThat(chosen.names().contains("x2")).isTrue();
        assertThat(chosen.names().note()).contains("'sku'");
        Named numbered = read(file, "");
        assertThat(numbered.ids()).containsExactly("1", "2");
        assertThat(numbered.names().note()).contains("--id COLUMN");
        assertThat(numbered.names().contains("2")).isTrue();
        assertThat(numbered.names().contains("3")).isFalse();
        assertThat(numbered.names().contains("02")).isFalse();
        assertThat(numbered.names().contains("99999999999999999999")).isFalse();
    }

    @Test
    void namesObjectsByAMemberInside() throws Exception {
        Path file =
                Files.writeString(
                        directory.resolve("a.jsonl"),
                        "{\"o\":{\"k.y\":\"p\"},\"a.b\":1}\n{\"o\":{\"k.y\":\"q\"},\"a.b\":2}\n");

        assertThat(read(file, "o.k\\.y").ids()).containsExactly("p", "q");
        assertThat(read(file, "a.b").ids()).containsExactly("1", "2");
    }

    @Test
    void rejectsAColumnThatCannotNameAllRows() throws Exception {
        Path file = Files.writeString(directory.resolve("a.csv"), "sku,n\nx1,1\nx2,1\n,2\n");
        Path large =
                Files.writeString(directory.resolve("b.csv"), "sku,n\n" + "x".repeat(201) + ",1\n");

        assertThatThrownBy(() -> read(file, "n"))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "--id is 'n', but line 3 has the value of an earlier record there, '1';"
                                + " choose a column whose values differ");
        assertThatThrownBy(() -> read(file, "sku"))
                .hasMessageStartingWith("--id is 'sku', but line 4 has no value there");
        assertThatThrownBy(() -> read(file, "key"))
                .hasMessage(
                        "--id is 'key', but line 2 has no value there; its members are: sku, n");
        assertThatThrownBy(() -> read(large, "sku"))
                .hasMessage("--id is 'sku', but the value in line 2 has more than 200 characters");
    }
}
