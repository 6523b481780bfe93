/** Seconds since 1970. A witness has no database whose clock it could follow, and corrections of its own must reach it. */
export const nowInSeconds = (): number => Math.floor(Date.now() / 1000);
