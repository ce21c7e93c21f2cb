package io.jverbs.soft.management.communication;

import io.jverbs.Gid;

/**
 * The two ends of the path that messages take.
 *
 * @param local the own GID
 * @param remote the peer's GID
 */
public record CmPath(Gid local, Gid remote) {}
