/** What the native device and its connection manager share: structs, results, locks, and waits for events. */
package io.jverbs.ibverbs.shared;
