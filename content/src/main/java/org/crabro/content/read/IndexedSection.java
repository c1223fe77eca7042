package org.crabro.content.read;

import java.util.List;
import java.util.Optional;
import org.crabro.content.sidecar.FoundRows;
import org.crabro.content.sidecar.LiveRows;
import org.crabro.content.sidecar.SectionIndex;
import org.crabro.document.DocumentType;

/** The rows of a type in a run that a search of all documents sees, and their index. */
public interface IndexedSection {
    SectionIndex index();

    /** Returns the type that the rows were written with. */
    DocumentType type();

    /** Returns the live rows; empty if blocks have to be read to know them. */
    Optional<LiveRows> live();

    /** Adds the slices of the blocks that have some of the rows. */
    void addSlices(FoundRows rows, List<BlockSlice> into);
}
