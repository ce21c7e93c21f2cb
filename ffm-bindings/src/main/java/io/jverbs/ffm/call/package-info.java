/**
 * How native functions are called: types, linking, errno. Not exported. An error of a function is an errno here,
 * however the function reports it; see the conventions of {@code io.jverbs.ffm}.
 */
package io.jverbs.ffm.call;
