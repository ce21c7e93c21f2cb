/** Contract tests of memory regions and memory windows (part B of the catalogue). */
package io.jverbs.contract.memory;
