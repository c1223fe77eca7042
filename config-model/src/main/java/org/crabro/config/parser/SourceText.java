package org.crabro.config.parser;

/** The text of a file with its name, to tell places in it. Compared by identity. */
public final class SourceText {
    private final String file;
    private final String text;

    /**
     * @param file the name to show in messages
     */
    public SourceText(String file, String text) {
        this.file = file;
        this.text = text;
    }

    /** Returns the name to show in messages. */
    public String file() {
        return file;
    }

    /** Returns the whole text. */
    public String text() {
        return text;
    }

    /**
     * Returns the place of the character at {@code offset}.
     *
     * @param offset in characters, from 0 to the length of the text
     */
    public SourcePosition at(int offset) {
        if (offset < 0 || offset > text.length()) {
            throw new IllegalArgumentException("offset " + offset + " of " + text.length());
        }
        return new SourcePosition(this, offset);
    }
}
