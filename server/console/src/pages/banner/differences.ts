import type { BannerDraft } from './draft';

/** A value in which two drafts differ. */
export interface Difference {
  /** Names of fields, such as `banner.colours.text`. */
  path: string;
  now: unknown;
  then: unknown;
}

/** What is different in another draft, field by field; lists are compared whole. */
export function differencesOf(now: unknown, then: unknown, path: string[] = []): Difference[] {
  if (JSON.stringify(now) === JSON.stringify(then)) return [];
  if (!isRecord(now) || !isRecord(then)) return [{ path: path.join('.'), now, then }];
  return [...new Set([...Object.keys(now), ...Object.keys(then)])].flatMap((key) =>
    differencesOf(now[key], then[key], [...path, key]),
  );
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An earlier banner in the form: texts of categories that the site has no more are left out; links stay as they are. */
export function restoredDraft(
  present: BannerDraft,
  then: Pick<BannerDraft, 'banner' | 'languages' | 'default_language'>,
  categories: readonly { key: string }[],
): BannerDraft {
  const known = new Set(categories.map(({ key }) => key));
  const texts = Object.fromEntries(
    Object.entries(then.banner.texts).map(([language, all]) => {
      const { categories: named, ...others } = all;
      const kept = Object.entries(named ?? {}).filter(([key]) => known.has(key));
      return [language, { ...others, ...(kept.length > 0 && { categories: Object.fromEntries(kept) }) }];
    }),
  );
  return {
    ...present,
    banner: { ...then.banner, texts },
    languages: then.languages,
    default_language: then.default_language,
  };
}
