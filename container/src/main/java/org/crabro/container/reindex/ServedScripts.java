package org.crabro.container.reindex;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.Document;

/** The indexing scripts that are active. */
public interface ServedScripts {
    /** Begins to use those that are active now; nothing where no application is. */
    Optional<Use> use();

    /** Scripts while they are used: what they need is not let go before this is closed. */
    interface Use extends AutoCloseable {
        /** Returns the types of the application, by content cluster. */
        Set<ReindexKey> types();

        /**
         * Returns whether nobody uses older scripts any more: what came in before these were active
         * may still write what the older ones make.
         */
        boolean isAlone();

        /**
         * Returns the scripts of a type.
         *
         * @param documentType one of {@link #types()}
         */
        TypeScripts scripts(String documentType);

        @Override
        void close();
    }

    /** The scripts of a type. */
    interface TypeScripts {
        /** Returns all fields that its documents may have, those that scripts write too. */
        List<String> fields();

        /**
         * Returns what is stored of a document if it is fed again as it was.
         *
         * @param stored with all of {@link #fields()}
         * @throws org.crabro.document.InvalidDocumentException if a script cannot work with a value
         */
        Document processed(Document stored);
    }
}
