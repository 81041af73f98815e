/**
 * The plug-in SPIs, found with {@link java.util.ServiceLoader}: a new protocol is a new module and touches no other.
 */
@org.jspecify.annotations.NullMarked
package dev.turnstone.spi;
