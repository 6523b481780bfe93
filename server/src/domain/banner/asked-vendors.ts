import { beginning } from '../text';
import type { Category, Vendor } from '../types';

/** What visitors are asked about a vendor: optional categories, and TCF purposes by consent. */
interface Asked {
  categories: string[];
  purposes: number[];
}

/** By the vendor's name, which is what visitors read. */
export type AskedVendors = Record<string, Asked>;

/** The vendors that need consent, and for what. A long task that yields. */
export function* askingVendors(
  vendors: readonly Pick<Vendor, 'name' | 'categories' | 'purposes'>[],
  categories: readonly Pick<Category, 'key' | 'required'>[],
): Generator<void, AskedVendors> {
  const optional = new Set(categories.filter(({ required }) => !required).map(({ key }) => key));
  const asked = new Map<string, Asked>();
  for (const vendor of vendors) {
    const wanted = vendor.categories.filter((key) => optional.has(key));
    if (wanted.length + vendor.purposes.length === 0) continue;
    // Visitors cannot tell vendors of one name apart: they are asked about all that these do.
    const { categories: known = [], purposes = [] } = asked.get(vendor.name) ?? {};
    asked.set(vendor.name, { categories: union(known, wanted), purposes: union(purposes, vendor.purposes) });
    yield;
  }
  return Object.fromEntries(asked);
}

const union = <Value>(one: readonly Value[], other: readonly Value[]): Value[] => [
  ...new Set([...one, ...other]),
];

/** What both banners ask. */
export const askedInBoth = (one: AskedVendors, other: AskedVendors): AskedVendors =>
  Object.fromEntries(
    Object.entries(one).flatMap(([name, { categories, purposes }]) => {
      const second = Object.hasOwn(other, name) ? other[name] : undefined;
      if (second === undefined) return [];
      return [
        [
          name,
          {
            categories: categories.filter((key) => second.categories.includes(key)),
            purposes: purposes.filter((id) => second.purposes.includes(id)),
          },
        ],
      ];
    }),
  );

/** The names of vendors that a visitor was not asked about, or not for all that they do now. A long task that yields. */
export function* vendorsAdding(asked: AskedVendors, now: AskedVendors): Generator<void, string[]> {
  const added: string[] = [];
  for (const [name, { categories, purposes }] of Object.entries(now)) {
    const before = Object.hasOwn(asked, name) ? asked[name] : undefined;
    if (
      before === undefined ||
      categories.some((key) => !before.categories.includes(key)) ||
      purposes.some((id) => !before.purposes.includes(id))
    )
      added.push(name);
    yield;
  }
  return added;
}

/** Why everybody must be asked again, and how. */
export const askAgain = (added: readonly string[]): string =>
  `Visitors who decided earlier were not asked about all that ${someOf(added)} would do. A consent covers what was named when it was given (GDPR Art. 4(11), EDPB Guidelines 05/2020): set a new version of the privacy policy and generate the bundle, so that everybody is asked again.`;

const NAMED = 3;

/** Names for a sentence, the first few of many. */
function someOf(names: readonly string[]): string {
  const list = names
    .slice(0, NAMED)
    .map((name) => (name.length > 50 ? `${beginning(name, 49)}…` : name))
    .join(', ');
  return names.length > NAMED ? `${list} and ${names.length - NAMED} more` : list;
}
