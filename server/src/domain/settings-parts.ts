import { createHash } from 'node:crypto';
import { canonicalJson } from './banner/canonical';
import type { Settings } from './types';

/** Settings whose large parts stand elsewhere, by their hash. */
export type StoredSettings = Partial<Record<keyof Settings, unknown>>;

export interface SplitSettings {
  stored: StoredSettings;
  /** By hash; a part may refer to others. */
  parts: Map<string, unknown>;
}

/** What weighs more stands by itself, in characters of JSON: the texts of a language, an activity, a list. */
const LARGE = 1_024;
/** The one key of an object that stands for a part. No name of the contract begins like it. */
const REFERENCE = '$part';

type Weighed = [light: unknown, weight: number];

/**
 * Takes the large parts out of settings, from the innermost on, so that a version costs about what changed.
 * The same settings give the same parts, and what is split already stays as it is.
 */
export function splitSettings(settings: object): SplitSettings {
  const parts = new Map<string, unknown>();
  const split = (value: unknown): Weighed => {
    if (typeof value !== 'object' || value === null) return [value, (JSON.stringify(value) ?? '').length];
    const [light, weight] = inside(value);
    if (weight <= LARGE) return [light, weight];
    const hash = createHash('sha256').update(canonicalJson(light)).digest('base64url');
    parts.set(hash, light);
    return inside({ [REFERENCE]: hash });
  };
  const inside = (value: object): Weighed => {
    let weight = 2;
    const light = mapped(value, (one, key) => {
      const [lighter, its] = split(one);
      weight += key.length + 4 + its;
      return lighter;
    });
    return [light, weight];
  };
  return { stored: inside(settings)[0] as StoredSettings, parts };
}

/** The parts that a stored value names itself, each once. */
export function partsOf(value: unknown, found = new Set<string>()): Set<string> {
  const hash = referenceOf(value);
  if (hash !== undefined) found.add(hash);
  else if (typeof value === 'object' && value !== null)
    for (const one of Object.values(value)) partsOf(one, found);
  return found;
}

/** Puts settings together again. Throws when a part is missing: evidence is whole, or it is none. */
export function joinSettings(stored: StoredSettings, parts: ReadonlyMap<string, unknown>): Settings {
  const join = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value;
    const hash = referenceOf(value);
    if (hash === undefined) return mapped(value, join);
    if (!parts.has(hash)) throw new Error(`The part ${hash} of a settings version is missing.`);
    return join(parts.get(hash));
  };
  return join(stored) as Settings;
}

function referenceOf(value: unknown): string | undefined {
  const hash = (value as Record<string, unknown> | null | undefined)?.[REFERENCE];
  return typeof hash === 'string' ? hash : undefined;
}

function mapped(value: object, change: (one: unknown, key: string) => unknown): object {
  if (Array.isArray(value)) return value.map((one) => change(one, ''));
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, change(one, key)]));
}
