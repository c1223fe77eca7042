/**
 * Chooses the number of threads of each model run, so that all models of a process share its cores.
 *
 * <p>Start reading at {@link org.crabro.ranking.onnx.threads.CorePolicy}, which decides without
 * clock and threads of its own. {@link org.crabro.ranking.onnx.threads.CoreGate} is the policy for
 * threads: it blocks runs that have to wait. {@link org.crabro.ranking.onnx.threads.ThreadLevels}
 * are the numbers of threads that one model can run with.
 *
 * <p>The package does not depend on ONNX Runtime.
 */
@NullMarked
package org.crabro.ranking.onnx.threads;

import org.jspecify.annotations.NullMarked;
