/** The parts of the cookie's value that name vendors, where visitors choose by vendor: their numbers. */
const NAMES = ['allowed_vendors', 'refused_vendors'] as const;
const NUMBER = /^[1-9]\d{0,9}$/;

/** What follows the cookie's value for these vendors. */
export const vendorsValue = (vendors: Record<string, boolean>): string => {
  const ids = (is: boolean): string =>
    Object.keys(vendors)
      .filter((id) => vendors[id] === is)
      .join(' ');
  return `${new URLSearchParams({ allowed_vendors: ids(true), refused_vendors: ids(false) })}`;
};

/** The choice for each vendor that a value names; undefined where it tells of none, as before visitors chose by vendor. */
export function vendorsIn(query: URLSearchParams): Record<string, boolean> | undefined {
  if (!NAMES.some((name) => query.has(name))) return;
  const vendors: Record<string, boolean> = { __proto__: null } as never;
  // What stands in both is refused.
  for (const name of NAMES)
    for (const id of (query.get(name) ?? '').split(' ')) if (NUMBER.test(id)) vendors[id] = name === NAMES[0];
  return vendors;
}
