/** How many requests wait for their answer in this process: long work leaves time to them, and takes all if there are none. */
export const WAITING = { count: 0 };
