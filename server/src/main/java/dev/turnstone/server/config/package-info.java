/**
 * Settings, from where they are written to the records that the rest of the server is given. A section is a record
 * whose components carry {@link dev.turnstone.server.config.Setting}; its names, its checks, its page in the manual and
 * its {@code config show} all follow from that. Any thread; nothing here is remembered.
 */
@NullMarked
package dev.turnstone.server.config;

import org.jspecify.annotations.NullMarked;
