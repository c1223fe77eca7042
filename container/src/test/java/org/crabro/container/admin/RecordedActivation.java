package org.crabro.container.admin;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.crabro.config.deploy.ApplicationModel;
import org.crabro.config.deploy.ModelChanges;

/** Serves nothing, but records the requested activations. */
final class RecordedActivation implements ModelActivation {
    final List<ApplicationModel> models = new ArrayList<>();
    final List<Occasion> occasions = new ArrayList<>();
    int deactivations;
    Supplier<Reply> reply = Reply.Activated::new;

    /** The generation that the server has; empty for the active one. */
    OptionalLong served = OptionalLong.empty();

    /** Types of which documents are stored. */
    final Set<String> stored = new HashSet<>();

    /** How many documents of a stored type have each field. */
    long documents = 7;

    @Override
    public Reply activate(ApplicationModel model, Occasion occasion) {
        Reply given = reply.get();
        if (given instanceof Reply.Activated) {
            models.add(model);
            occasions.add(occasion);
        }
        return given;
    }

    @Override
    public void deactivate() {
        deactivations++;
    }

    @Override
    public boolean hasDocuments(ModelChanges.Stored type) {
        return stored.contains(type.documentType());
    }

    @Override
    public OptionalLong documentsWith(ModelChanges.Stored type, String path) {
        return stored.contains(type.documentType())
                ? OptionalLong.of(documents)
                : OptionalLong.empty();
    }

    @Override
    public long servedGeneration(long active) {
        return served.orElse(active);
    }

    @Override
    public List<RunningService> services() {
        return models.stream()
                .skip(Math.max(0, models.size() - 1))
                .map(model ->
                        new RunningService(
                                "container",
                                "default",
                                "127.0.0.1",
                                8080,
                                served.orElse(model.generation())))
                .toList();
    }
}
