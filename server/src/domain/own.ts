/**
 * What a map holds under a name that somebody else chose. A plain look-up finds what every object inherits,
 * such as `constructor`.
 */
export const own = <Value>(
  map: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined);
