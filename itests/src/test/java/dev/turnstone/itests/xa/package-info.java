/** XA through the API: states, codes, recovery. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.xa;
