/** Black-box tests of the whole product, and the rules that every module keeps. */
@NullMarked
package dev.turnstone.itests;

import org.jspecify.annotations.NullMarked;
