/** Security end to end: what a STOMP client and a JMS client see of logins, permissions and their end. */
@org.jspecify.annotations.NullMarked
package dev.turnstone.itests.security;
