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

/**
 * An earlier banner in the form. What it said about categories stays as it is now, because what they are for may have
 * changed since; links stay, too.
 */
export function restoredDraft(
  present: BannerDraft,
  then: Pick<BannerDraft, 'banner' | 'languages' | 'default_language'>,
): BannerDraft {
  const texts = then.languages.flatMap((language) => {
    const { categories: _, ...others } = then.banner.texts[language] ?? {};
    const categories = present.banner.texts[language]?.categories;
    const all = { ...others, ...(categories !== undefined && { categories }) };
    return Object.keys(all).length > 0 ? [[language, all] as const] : [];
  });
  return {
    ...present,
    banner: { ...then.banner, texts: Object.fromEntries(texts) },
    languages: then.languages,
    default_language: then.default_language,
  };
}
