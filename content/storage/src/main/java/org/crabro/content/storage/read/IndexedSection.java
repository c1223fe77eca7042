package org.crabro.content.storage.read;

import java.util.List;
import java.util.Optional;
import org.crabro.content.storage.graph.IncludedRows;
import org.crabro.content.storage.graph.SectionGraphs;
import org.crabro.content.storage.index.LiveRows;
import org.crabro.content.storage.index.SectionIndex;
import org.crabro.content.storage.index.SectionRows;
import org.crabro.document.DocumentType;

/** The rows of a type in a run that a search of all documents sees, with an index or graphs. */
public interface IndexedSection {
    /** Returns the index; empty if only graphs were made so far, or are wanted. */
    Optional<SectionIndex> index();

    SectionGraphs graphs();

    /** Returns all rows, dead ones too, block by block. */
    SectionRows rows();

    /** Returns the number of all rows. */
    int rowCount();

    /** Returns the type that the rows were written with. */
    DocumentType type();

    /** Returns the live rows; empty if blocks have to be read to know them. */
    Optional<LiveRows> live();

    /** Returns which rows a search of graphs may find. */
    IncludedRows included();

    /** Adds the slices of the blocks that a search reads. */
    void addSlices(RowFinder.Answer read, List<BlockSlice> into);
}
