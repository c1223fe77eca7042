package org.crabro.container;

import java.util.Optional;
import java.util.Set;
import org.crabro.container.reindex.ReindexKey;
import org.crabro.container.reindex.ServedScripts;

/**
 * The indexing scripts of the active generation, which is acquired and released as for a request.
 */
record ActiveScripts(ActiveGeneration active) implements ServedScripts {
    @Override
    public Optional<Use> use() {
        return active.acquire().map(generation -> new OfGeneration(active, generation));
    }

    private record OfGeneration(ActiveGeneration active, Generation generation) implements Use {
        @Override
        public Set<ReindexKey> types() {
            return generation.scripts().types();
        }

        @Override
        public boolean isAlone() {
            return active.isAlone();
        }

        @Override
        public TypeScripts scripts(String documentType) {
            TypeScripts byType = generation.scripts().scripts().get(documentType);
            if (byType == null) {
                throw new IllegalArgumentException("no type " + documentType);
            }
            return byType;
        }

        @Override
        public void close() {
            generation.release();
        }
    }
}
