/** How much may be in flight: the window of a connection, and the window that the connections of a path share. */
package io.jverbs.soft.congestion;
