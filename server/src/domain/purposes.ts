import data from './purposes.data.json';

/**
 * The purposes of the IAB Europe Transparency & Consent Framework v2.3, Global Vendor List v3, in short. The
 * console reads the same file.
 */
export const PURPOSES = data.map(({ id, name, description }) => ({ id, name, description }));

/** Which of the usual categories a purpose belongs to; none for storage alone. */
export const CATEGORY_OF_PURPOSE = new Map(data.map(({ id, category }) => [id, category]));

/** The other way about: which purposes a usual category needs. */
export const PURPOSE_CATEGORIES = new Map<string, number[]>();
for (const { id, category } of data)
  if (category !== null) PURPOSE_CATEGORIES.set(category, [...(PURPOSE_CATEGORIES.get(category) ?? []), id]);
