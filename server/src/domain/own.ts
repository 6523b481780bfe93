/**
 * The own property of an object under a name that somebody else chose. A plain look-up also finds inherited
 * ones, such as `constructor`.
 */
export const own = <Value>(
  map: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined => (map !== undefined && Object.hasOwn(map, name) ? map[name] : undefined);
