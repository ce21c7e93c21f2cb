/** Contract tests of unreliable connections and datagrams (parts G and H of the catalogue). */
package io.jverbs.contract.unreliable;
