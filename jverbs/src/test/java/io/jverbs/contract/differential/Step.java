package io.jverbs.contract.differential;

import java.util.List;

/**
 * A part of a sequence that leaves both queue pairs connected, so that any others may be left out.
 *
 * @param index place in the sequence as generated; part of every wr_id
 * @param label what it is about: {@code traffic}, a {@link Fault}, ...
 */
record Step(int index, String label, List<Action> actions) {}
