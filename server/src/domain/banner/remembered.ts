/** Bundles of a site whose versions every process keeps in memory. */
export const REMEMBERED = 50;
