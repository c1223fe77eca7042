package org.crabro.container.reindex;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.crabro.document.Document;

/** The indexing scripts that are active. */
public interface ServedScripts {
    /** Starts to use the active scripts; empty if there is no application. */
    Optional<Use> use();

    /** Scripts in use: their resources stay open until this is closed. */
    interface Use extends AutoCloseable {
        /** Returns the types of the application, by content cluster. */
        Set<ReindexKey> types();

        /**
         * Returns whether all users of older scripts have ended. Requests that came before these
         * scripts were active can still write the results of older ones.
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
         * Returns the document to store if a stored one is fed again.
         *
         * @param stored with all of {@link #fields()}
         * @throws org.crabro.document.InvalidDocumentException if a script rejects a value
         */
        Document processed(Document stored);
    }
}
