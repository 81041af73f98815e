/** What a user meets when the broker's disk is full, on a disk that is. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.disk;
