/** Contract tests of reliable connections (part F of the catalogue). */
package io.jverbs.contract.reliable;
