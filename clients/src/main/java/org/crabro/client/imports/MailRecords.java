package org.crabro.client.imports;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.crabro.client.file.TextHash;
import org.jspecify.annotations.Nullable;

/**
 * The mails of mailboxes, and of files with one mail, with sender, recipients, subject, date,
 * message id, text and names of attachments. Of a mail with plain text and HTML, the plain text is
 * the text.
 */
final class MailRecords implements RecordReader {
    private static final Set<String> ENDINGS = Set.of("mbox", "mbx", "eml");
    private static final List<String> MAILDIR = List.of("cur", "new", "tmp");
    private static final int LONGEST_MAIL = 64 << 20;

    /** Message ids are at most this long to be names. */
    private static final int LONGEST_NAME = 200;

    /** Message ids of that many mails are compared. Later mails are named by their places. */
    private static final int NAMES_MAX = 20_000_000;

    private final Iterator<Path> files;
    private final boolean isOneFile;
    private final Optional<Path> directory;
    private final Set<Long> names = new HashSet<>();
    private String name = "";
    private final ImportLosses losses;
    private Path file = Path.of("");
    private @Nullable InputStream in;
    private @Nullable MboxSplitter mails;

    /** The number of the last mail in its file. */
    private long number;

    private MailRecords(Optional<Path> directory, List<Path> files, ImportLosses losses) {
        this.directory = directory;
        this.files = files.iterator();
        this.isOneFile = files.size() == 1;
        this.losses = losses;
    }

    /**
     * Opens a file.
     *
     * @param losses gets what of a mail cannot be kept
     */
    static MailRecords open(Path file, ImportLosses losses) {
        return new MailRecords(Optional.empty(), List.of(file), losses);
    }

    /**
     * Opens files, one after another.
     *
     * @param directory in which the files are
     * @param losses gets what of a mail cannot be kept
     */
    static MailRecords open(Path directory, List<Path> files, ImportLosses losses) {
        return new MailRecords(Optional.of(directory), files, losses);
    }

    /** Returns whether the name of a file is one of mails. */
    static boolean isMail(Path file) {
        return ENDINGS.contains(ending(file));
    }

    /** Returns whether a file is a mail of a Maildir: in {@code cur} or {@code new}. */
    static boolean isInMaildir(Path file) {
        Path folder = file.getParent();
        if (folder == null || folder.getFileName() == null || folder.getParent() == null) {
            return false;
        }
        String name = folder.getFileName().toString();
        return (name.equals("cur") || name.equals("new"))
                && MAILDIR.stream()
                        .allMatch(each -> Files.isDirectory(folder.resolveSibling(each)));
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
                Map<String, Object> record = record(mail.get());
                name = name(record);
                return Optional.of(record);
            }
            close();
        }
    }

    /** The message id, if no mail before it has the same; otherwise the place. */
    private String name(Map<String, Object> record) {
        if (record.get("message_id") instanceof String id
                && id.length() <= LONGEST_NAME
                && names.size() < NAMES_MAX
                && names.add(TextHash.of(id))) {
            return id;
        }
        String path =
                directory
                        .map(each -> each.relativize(file).toString().replace('\\', '/'))
                        .orElse("");
        // Programs of Maildirs append flags to names, after a colon.
        int flags = isInMaildir(file) ? path.lastIndexOf(":2,") : -1;
        return path.isEmpty()
                ? Long.toString(number)
                : (flags < 0 ? path : path.substring(0, flags)) + "#" + number;
    }

    @Override
    public Optional<String> name() {
        return Optional.of(name);
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
                ending(file).equals("eml") || isInMaildir(file)
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
