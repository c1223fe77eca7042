package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The mails of mailboxes, and of files with one mail, with sender, recipients, subject, date,
 * message id, text and names of attachments. Of a mail with plain text and HTML, the plain text is
 * the text.
 */
final class MailRecords implements RecordReader {
    private static final Set<String> ENDINGS = Set.of("mbox", "mbx", "eml");
    private static final int LONGEST_MAIL = 64 << 20;

    private final Iterator<Path> files;
    private final boolean isOneFile;
    private final ImportLosses losses;
    private Path file = Path.of("");
    private @Nullable InputStream in;
    private @Nullable MboxSplitter mails;

    /** The number of the last mail in its file. */
    private long number;

    private MailRecords(List<Path> files, ImportLosses losses) {
        this.files = files.iterator();
        this.isOneFile = files.size() == 1;
        this.losses = losses;
    }

    /**
     * Opens files, one after another.
     *
     * @param losses gets what of a mail cannot be kept
     */
    static MailRecords open(List<Path> files, ImportLosses losses) {
        return new MailRecords(files, losses);
    }

    /** Returns whether the name of a file is one of mails. */
    static boolean isMail(Path file) {
        return ENDINGS.contains(ending(file));
    }

    private static String ending(Path file) {
        String name = String.valueOf(file.getFileName()).toLowerCase(Locale.ROOT);
        return name.substring(name.lastIndexOf('.') + 1);
    }

    @Override
    public String place() {
        String mail = String.format(Locale.ROOT, "mail %,d", number);
        return isOneFile ? mail : file + ", " + mail;
    }

    @Override
    public Optional<Map<String, Object>> next() throws IOException {
        while (true) {
            if (mails == null && !openNext()) {
                return Optional.empty();
            }
            Optional<byte[]> mail = nextOfFile();
            if (mail.isPresent()) {
                number++;
                return Optional.of(record(mail.get()));
            }
            close();
        }
    }

    private boolean openNext() throws IOException {
        if (!files.hasNext()) {
            return false;
        }
        file = files.next();
        number = 0;
        InputStream opened = Files.newInputStream(file);
        in = opened;
        mails =
                ending(file).equals("eml")
                        ? MboxSplitter.single(opened, LONGEST_MAIL)
                        : new MboxSplitter(opened, LONGEST_MAIL);
        return true;
    }

    private Optional<byte[]> nextOfFile() throws IOException {
        try {
            return mails == null ? Optional.empty() : mails.next();
        } catch (IOException e) {
            throw new IOException(file + " is no mailbox: " + e.getMessage(), e);
        }
    }

    private Map<String, Object> record(byte[] mail) throws IOException {
        if (mails != null && mails.isCut()) {
            losses.add("text", "mails cut after %,d bytes".formatted(LONGEST_MAIL), place());
        }
        try {
            return MailReader.record(mail, (column, change) -> losses.add(column, change, place()));
        } catch (IOException e) {
            throw new IOException("%s, mail %d: %s".formatted(file, number, e.getMessage()), e);
        }
    }

    @Override
    public void close() throws IOException {
        mails = null;
        if (in != null) {
            in.close();
            in = null;
        }
    }
}
