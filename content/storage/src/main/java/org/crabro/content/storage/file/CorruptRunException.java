package org.crabro.content.storage.file;

import org.crabro.content.storage.journal.Damage;

/**
 * Bytes of a run or of a manifest are damaged, or have a version that this program cannot read. The
 * message contains the file, the offset, the expected and the found content.
 */
public final class CorruptRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Damage damage;

    /** Whether the bytes are intact, and this program does not know their format. */
    private final boolean ofWholeFile;

    public CorruptRunException(String file, long offset, String expected, String actual) {
        this(new Damage(file, offset, expected, actual));
    }

    public CorruptRunException(Damage damage) {
        this(damage, "", false);
    }

    private CorruptRunException(Damage damage, String advice, boolean ofWholeFile) {
        super(
                "%s at %d: expected %s, found %s%s"
                        .formatted(
                                damage.file(),
                                damage.offset(),
                                damage.expected(),
                                damage.actual(),
                                advice));
        this.damage = damage;
        this.ofWholeFile = ofWholeFile;
    }

    /** Returns the exception for a manifest without a readable file, with instructions. */
    public static CorruptRunException ofManifest(Damage damage) {
        return new CorruptRunException(
                damage,
                ". Neither file of the manifest lists the runs. No run was deleted. Restore one"
                        + " of the files, or restore all data from a backup. Otherwise"
                        + " 'crabro rebuild-manifest' makes a manifest from the runs",
                false);
    }

    /**
     * Returns the exception for an intact run that this program cannot read: it has another
     * version, or a type that is not stored.
     */
    public static CorruptRunException ofWholeFile(Damage damage) {
        return new CorruptRunException(damage, "", true);
    }

    /** Returns whether the file is intact. Then the run is not set aside, and the start fails. */
    public boolean isOfWholeFile() {
        return ofWholeFile;
    }

    /** Returns the path of the file in the data directory. */
    public String file() {
        return damage.file();
    }

    /** Returns the offset in the file where the error starts. */
    public long offset() {
        return damage.offset();
    }

    /** Returns the parts of the error message. */
    public Damage damage() {
        return damage;
    }
}
