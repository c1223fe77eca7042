package org.crabro.content.search.execution;

import org.crabro.config.schema.Schema;
import org.crabro.content.search.parent.Parents;
import org.crabro.document.select.SelectionTypes;
import org.crabro.ranking.onnx.ModelRuns;

/**
 * The document type that a request searches.
 *
 * @param schema the schema of the type
 * @param selectable the types that a selection of the scope may name
 * @param models the models that rank profiles run; the caller closes them after the search
 * @param parents the documents whose fields the type imports; the caller closes them
 */
record SearchedType(Schema schema, SelectionTypes selectable, ModelRuns models, Parents parents) {}
