package org.crabro.content.file;

import org.crabro.content.journal.Damage;

/**
 * Bytes of a run or of a manifest are not what was written, or of a version that this program does
 * not read. The message names the file, the offset, what was expected and what was found.
 */
public final class CorruptRunException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient Damage damage;

    /** Whether the bytes are as they were written, and this program does not know their meaning. */
    private final boolean ofWholeFile;

    public CorruptRunException(String file, long offset, String expected, String found) {
        this(new Damage(file, offset, expected, found));
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
                                damage.found(),
                                advice));
        this.damage = damage;
        this.ofWholeFile = ofWholeFile;
    }

    /** Returns the exception for a manifest that neither of its files has, with what to do. */
    public static CorruptRunException ofManifest(Damage damage) {
        return new CorruptRunException(
                damage,
                ". Neither file of the manifest says which runs there are. No run was deleted. Put"
                        + " back one of the files as it was, or all of the data from a backup."
                        + " Otherwise 'crabro rebuild-manifest' makes a manifest from the runs",
                false);
    }

    /**
     * Returns the exception for a run whose checksums are right, and which this program cannot read
     * all the same: of another version, or of a type that is not stored.
     */
    public static CorruptRunException ofWholeFile(Damage damage) {
        return new CorruptRunException(damage, "", true);
    }

    /** Returns whether the file is not damaged: then no run is set aside, and the start fails. */
    public boolean isOfWholeFile() {
        return ofWholeFile;
    }

    /** Returns the path of the file, in the data directory. */
    public String file() {
        return damage.file();
    }

    /** Returns the bytes from the file's start to what is wrong. */
    public long offset() {
        return damage.offset();
    }

    /** Returns what is wrong, part by part. */
    public Damage damage() {
        return damage;
    }
}
