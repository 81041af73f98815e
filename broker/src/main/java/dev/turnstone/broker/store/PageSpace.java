package dev.turnstone.broker.store;

/**
 * What a page's file takes on the disk, and how much of that somebody still holds, as far as is known: who counts has
 * to look at all holders, so it is done again only when they have become a quarter fewer.
 *
 * @param bytes the file's
 * @param slots how many messages it has
 * @param liveSlots how many of them anybody holds
 * @param holds how many times they were held when that was counted
 */
record PageSpace(int bytes, int slots, int liveSlots, int holds) {
    static final PageSpace NONE = new PageSpace(0, 1, 1, 0);

    /** All of a new page is held. */
    static PageSpace full(int bytes, int slots, int holds) {
        return new PageSpace(bytes, slots, slots, holds);
    }

    boolean wantsLook(int holdsNow) {
        return 4L * holdsNow <= 3L * holds;
    }

    PageSpace lookedAt(int holdsNow) {
        return new PageSpace(bytes, slots, liveSlots, holdsNow);
    }

    PageSpace counted(int live) {
        return new PageSpace(bytes, slots, live, holds);
    }

    long liveBytes() {
        return (long) bytes * liveSlots / slots;
    }

    /** True if at most half of it is held. */
    boolean sparse() {
        return 2 * liveSlots <= slots;
    }
}
