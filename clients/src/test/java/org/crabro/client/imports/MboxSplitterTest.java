package org.crabro.client.imports;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Bytes of mailboxes in, bytes of mails out. Forms of separators are rows of hard-mails.py. */
class MboxSplitterTest {
    private static final String FROM = "From ann@example.com Tue Jun  3 11:05:30 2008\n";

    private static List<String> mails(MboxSplitter splitter) throws IOException {
        List<String> mails = new ArrayList<>();
        for (Optional<byte[]> mail = splitter.next(); mail.isPresent(); mail = splitter.next()) {
            mails.add(new String(mail.get(), StandardCharsets.ISO_8859_1));
        }
        return mails;
    }

    private static InputStream in(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Lines end anywhere in the buffer. */
    @Test
    void losesNoByteOfAnyLine() throws IOException {
        long seed = new Random().nextLong();
        var random = new Random(seed);
        List<String> expected = new ArrayList<>();
        var all = new StringBuilder();
        for (int mail = 0; mail < 20; mail++) {
            var text = new StringBuilder("Subject: " + mail + "\n\n");
            for (int line = 0; line < 20; line++) {
                text.append("x".repeat(random.nextInt(random.nextBoolean() ? 100 : 30_000)));
                text.append(random.nextBoolean() ? "\n" : "\r\n");
                text.append(random.nextInt(5) == 0 ? "From the kitchen\n" : "");
            }
            expected.add(text.toString());
            all.append(FROM).append(text);
        }

        assertThat(mails(new MboxSplitter(in(all.toString()), 1 << 30)))
                .describedAs("seed %d", seed)
                .isEqualTo(expected);
    }

    @Test
    void cutsAMailAtItsLimitAndSaysSo() throws IOException {
        var splitter =
                new MboxSplitter(in(FROM + "a\n" + "b".repeat(100) + "\nc\n" + FROM + "d\n"), 50);

        assertThat(splitter.next()).hasValueSatisfying(mail -> assertThat(mail).hasSize(2));
        assertThat(splitter.isCut()).isTrue();
        assertThat(splitter.next()).hasValueSatisfying(mail -> assertThat(mail).hasSize(2));
        assertThat(splitter.isCut()).isFalse();
        assertThat(splitter.next()).isEmpty();
    }

    @Test
    void aFileWithOneMailIsNotSplit() throws IOException {
        String mail = "Subject: a\n\n>From the kitchen\n" + FROM + "b\n";

        assertThat(mails(MboxSplitter.single(in(mail), 1_000))).containsExactly(mail);
        assertThat(mails(MboxSplitter.single(in(FROM + mail), 1_000))).containsExactly(mail);
        assertThat(mails(MboxSplitter.single(in(""), 1_000))).isEmpty();
    }

    @Test
    void aFormOfTheFilesOwnSeparatesBetweenEmptyLineAndHeader() throws IOException {
        String mails =
                """
                From a
                Subject: a

                From here
                to there

                From there: back

                From b
                Subject: b

                From c
                """;

        assertThat(mails(new MboxSplitter(in(mails), 1_000)))
                .containsExactly(
                        "Subject: a\n\nFrom here\nto there\n\nFrom there: back\n\n",
                        "Subject: b\n\nFrom c\n");
    }
}
