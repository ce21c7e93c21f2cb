package io.jverbs.contract.differential.sequence;

import java.util.List;

/**
 * A part of a sequence. It leaves both queue pairs connected, so that any other step may be removed.
 *
 * @param index position in the sequence as generated; part of every wr_id
 * @param label name: {@code TRAFFIC}, a {@link Fault}, ...
 */
public record Step(int index, String label, List<Action> actions) {}
