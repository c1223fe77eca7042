package org.crabro.container.dispatch;

import java.util.Optional;
import org.crabro.document.DocumentId;
import org.crabro.document.LocationKey;
import org.crabro.document.select.SelectedPlaces;
import org.crabro.document.select.SelectedPlaces.Place;
import org.crabro.protocol.search.Scope;
import org.crabro.protocol.wire.Principal;

/**
 * Decides whether a principal may access the documents that a request names. The content node
 * decides this for the documents that those refer to.
 */
final class GroupAccess {
    private GroupAccess() {}

    /** Returns why {@code principal} may not search {@code scope}; empty if it may. */
    static Optional<String> refusal(Principal principal, Scope scope) {
        return switch (scope) {
            case Scope.Group(var name) -> principal.refusal(new LocationKey.Group(name));
            case Scope.Numbered(var value) -> principal.refusal(new LocationKey.Numbered(value));
            case Scope.Several(var parts) ->
                    parts.stream().flatMap(part -> refusal(principal, part).stream()).findFirst();
            case Scope.Selected selected -> refusal(principal, selected.within());
            case Scope.Everything() ->
                    principal.hasEveryGroup()
                            ? Optional.empty()
                            : Optional.of(principal.refusalOf("all groups at once"));
        };
    }

    /**
     * Returns why {@code principal} may not access all documents of {@code places}; empty if it
     * may.
     */
    static Optional<String> refusal(Principal principal, SelectedPlaces places) {
        if (places.isEverywhere()) {
            return refusal(principal, new Scope.Everything());
        }
        for (Place place : places.places()) {
            Optional<String> refusal =
                    switch (place) {
                        case Place.Of(LocationKey key) -> principal.refusal(key);
                        case Place.One(DocumentId id) -> principal.refusal(id.key());
                        // It may contain documents of any group.
                        case Place.InBucket _ -> refusal(principal, new Scope.Everything());
                    };
            if (refusal.isPresent()) {
                return refusal;
            }
        }
        return Optional.empty();
    }
}
