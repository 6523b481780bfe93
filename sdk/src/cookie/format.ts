/** What the cookie of a decision holds. */
export interface CookieFields {
  site: string;
  session_id: string;
  decision: string;
  method: string;
  policy_version: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Where the decision before it has a later time, by a clock that was wrong: its place among them, in place of the time. */
  order?: number;
  /** Optional categories only. */
  categories: Record<string, boolean>;
}

export const VERSION = '1';
const UUID = /^[0-9a-f-]{36}$/;

/** What says which of two decisions came later. */
interface Placed extends Pick<CookieFields, 'at' | 'order' | 'categories'> {
  decision: string;
  vendors?: Record<string, unknown> | undefined;
  tc?: string;
}

const DAY = 86_400_000;

/** Where a decision stands among all: at its time, or after the one that it replaced. */
export const orderOf = ({ at, order = at }: Pick<Placed, 'at' | 'order'>): number => order;

/**
 * Whether a decision allows only what another one does too, and not all of it. Not where they differ in what is not
 * compared here, such as a string of IAB Europe's framework, unless it allows nothing.
 */
export function allowsLess(one: Placed, other: Placed): boolean {
  // Whoever did not refuse everything has allowed one thing, which has no name.
  const [few, many] = [one, other].map(
    ({ decision, categories, vendors }) =>
      new Set(
        decision === 'reject_all'
          ? []
          : ['', ...Object.entries({ ...categories, ...vendors }).flatMap(([key, is]) => (is ? key : []))],
      ),
  ) as [Set<string>, Set<string>];
  return (
    few.size < many.size &&
    ((one.tc === other.tc && !one.vendors === !other.vendors) || few.size < (one.tc ? 1 : 2)) &&
    [...few].every((key) => many.has(key))
  );
}

/**
 * Whether a decision came after another one: by their places. Where their times say otherwise, because a clock was wrong or
 * a page knew only one of them, one that allows less than the other counts as the later one.
 * @param now in milliseconds; times of more than a day after it say nothing
 */
export function isAfter(one: Placed, other: Placed, now: number): boolean {
  const isPlacedAfter = orderOf(one) > orderOf(other);
  if (isPlacedAfter === one.at > other.at || Math.max(one.at, other.at) > now + DAY) return isPlacedAfter;
  return allowsLess(one, other) || (isPlacedAfter && !allowsLess(other, one));
}

/** The value of the cookie: percent-encoded names and values, as a query has them. */
export const cookieValue = ({ categories, ...fields }: Omit<CookieFields, 'order'>): string => {
  const keys = (is: boolean): string =>
    Object.keys(categories)
      .filter((key) => categories[key] === is)
      .join(' ');
  return `${new URLSearchParams({ v: VERSION, ...fields, at: `${fields.at}`, allowed: keys(true), refused: keys(false) })}`;
};

/**
 * The latest decision of a site that cookies tell of: there are two of one name when one is of the host and one
 * of its domain. Undefined when there is none, or what is there was not made by a banner.
 *
 * @param cookies the header `Cookie`, or `document.cookie`
 */
export function newest(
  cookies: string,
  name: string,
  site: string,
  now = Date.now(),
): CookieFields | undefined {
  let found: CookieFields | undefined;
  let placed: Placed | undefined;
  for (const pair of cookies.split('; ')) {
    if (!pair.startsWith(`${name}=`)) continue;
    const query = new URLSearchParams(pair.slice(name.length + 1));
    const text = (key: string): string => query.get(key) ?? '';
    // Makes a number of the text. No date has a larger one, and after an infinite place there would be none.
    const at = (text('at') as unknown as number) % 8e15;
    if (text('v') !== VERSION || text('site') !== site || !UUID.test(text('session_id'))) continue;
    if (!(at > 0)) continue;
    const categories: Record<string, boolean> = { __proto__: null } as never;
    // What stands in both is refused.
    for (const list of ['allowed', 'refused'])
      for (const key of text(list).split(' ')) if (key) categories[key] = list === 'allowed';
    const next = {
      ...{ site, session_id: text('session_id'), decision: text('decision'), method: text('method') },
      ...{
        policy_version: text('policy_version'),
        at,
        order: (text('order') as unknown as number) % 8e15 || at,
        categories,
      },
    };
    const ids = query.get('allowed_vendors')?.split(' ');
    const mark = {
      ...next,
      vendors: ids && Object.fromEntries(ids.map((id) => [id, id])),
      tc: text('tc'),
    };
    if (!placed || isAfter(mark, placed, now)) [found, placed] = [next, mark];
  }
  return found;
}
