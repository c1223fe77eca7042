package org.crabro.config.component;

import org.crabro.component.Component;
import org.crabro.component.DocumentProcessor;
import org.crabro.component.Handler;
import org.crabro.component.Searcher;

/** The kind of a component. */
public enum ComponentKind {
    /** Others take it. */
    COMPONENT("component", Component.class),
    SEARCHER("searcher", Searcher.class),
    DOCUMENT_PROCESSOR("document processor", DocumentProcessor.class),
    HANDLER("handler", Handler.class);

    private final String shown;
    private final Class<? extends Component> type;

    ComponentKind(String shown, Class<? extends Component> type) {
        this.shown = shown;
        this.type = type;
    }

    /** Returns its name in messages. */
    public String shown() {
        return shown;
    }

    /** Returns the interface that its class implements. */
    public Class<? extends Component> type() {
        return type;
    }
}
