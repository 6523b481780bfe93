import { isDeepStrictEqual } from 'node:util';
import type { AuditChange } from './types';

/** Changes of one audit event, at most. */
const MOST_CHANGES = 50;
/** Their size as JSON, in bytes; the table has a bound above it. */
const MOST_BYTES = 12 * 1024;
/** Characters of a value or of a field's name. */
const MOST_TEXT = 300;
/** The fields by which elements of a list are told apart, the first that fits. */
const NAMES = ['key', 'id', 'name'] as const;

/** What changed, cut to what an audit event holds. */
export interface Changes {
  changes: AuditChange[];
  changes_left_out: number;
}

export const NO_CHANGES: Changes = { changes: [], changes_left_out: 0 };

/** How the value of a field is shown that may hold a secret. */
export type Shown = Readonly<Record<string, (value: string) => string>>;

interface Difference {
  field: string;
  before: unknown;
  after: unknown;
}

/**
 * The fields in which two states differ; `undefined` and null are the same. Elements of lists are compared by
 * their names, so that a new first one does not change all others.
 */
export function changesOf(before: object, after: object, shown: Shown = {}): Changes {
  const all = [...differences('', before, after)];
  const kept = new Map<Difference, AuditChange>();
  let bytes = 0;
  for (const difference of partsInTurns(all)) {
    if (kept.size === MOST_CHANGES) break;
    const change = written(difference, shown);
    const size = Buffer.byteLength(JSON.stringify(change));
    // A shorter one may still fit.
    if (bytes + size > MOST_BYTES) continue;
    bytes += size;
    kept.set(difference, change);
  }
  const changes = all.flatMap((difference) => kept.get(difference) ?? []);
  return { changes, changes_left_out: all.length - changes.length };
}

/**
 * The shortest difference of every part, then the next of each, in each turn the shortest first: neither fifty new texts nor
 * four long ones hide a new retention.
 */
function partsInTurns(all: readonly Difference[]): Difference[] {
  const seen = new Map<string, number>();
  const byLength = all
    .map((difference) => ({ difference, length: lengthOf(difference) }))
    .sort((one, other) => one.length - other.length);
  const turns = byLength.map(({ difference }) => {
    // Such as `settings.banner.texts`, whatever is in it and however its elements are named.
    const part = difference.field.split('[', 1).join('').split('.', 3).join('.');
    const turn = seen.get(part) ?? 0;
    seen.set(part, turn + 1);
    return { difference, turn };
  });
  return turns.sort((one, other) => one.turn - other.turn).map(({ difference }) => difference);
}

/** Of both values; numbers, booleans and nothing have none. */
const lengthOf = ({ before, after }: Difference): number => charactersOf(before) + charactersOf(after);

function charactersOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  return value !== null && typeof value === 'object' ? JSON.stringify(value).length : 0;
}

function* differences(field: string, before: unknown, after: unknown): Generator<Difference> {
  if (isDeepStrictEqual(before ?? null, after ?? null)) return;
  const [old, young] = [partsOf(before), partsOf(after)];
  // A list without names on one side is one value.
  if (old === undefined || young === undefined || old.isList !== young.isList) {
    yield { field, before, after };
    return;
  }
  // Of elements in another order their names tell it.
  const common = (one: Map<string, unknown>, other: Map<string, unknown>): string[] =>
    [...one.keys()].filter((name) => other.has(name));
  const [from, to] = [common(old.parts, young.parts), common(young.parts, old.parts)];
  if (old.isList && !isDeepStrictEqual(from, to)) yield { field, before: from, after: to };
  for (const name of new Set([...old.parts.keys(), ...young.parts.keys()])) {
    const below = old.isList ? `${field}[${name}]` : field === '' ? name : `${field}.${name}`;
    yield* differences(below, old.parts.get(name), young.parts.get(name));
  }
}

/** The fields of an object, or the elements of a list by their names. */
function partsOf(value: unknown): { isList: boolean; parts: Map<string, unknown> } | undefined {
  if (value === null || typeof value !== 'object') return undefined;
  if (!Array.isArray(value)) return { isList: false, parts: new Map(Object.entries(value)) };
  const name = NAMES.find((one) => value.every((element) => isName(element?.[one])));
  if (value.length === 0) return { isList: true, parts: new Map() };
  if (name === undefined) return undefined;
  const parts = new Map(value.map((element) => [String(element[name]), element as unknown]));
  return parts.size === value.length ? { isList: true, parts } : undefined;
}

const isName = (value: unknown): boolean => typeof value === 'string' || typeof value === 'number';

function written({ field, before, after }: Difference, shown: Shown): AuditChange {
  const show = Object.hasOwn(shown, field) ? shown[field] : undefined;
  const [from, to] = [before, after].map((value) => textOf(value, show));
  const isLong = [from, to].some((text) => text != null && text.length > MOST_TEXT);
  return { field: cut(field), before: cut(from ?? null), after: cut(to ?? null), truncated: isLong };
}

function textOf(value: unknown, show: Shown[string] | undefined): string | null {
  if (value === null || value === undefined) return null;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return show === undefined ? text : show(text);
}

function cut<Text extends string | null>(text: Text): Text {
  if (text === null || text.length <= MOST_TEXT) return text;
  // Half of a pair would be no character.
  const end = /[\ud800-\udbff]/.test(text.charAt(MOST_TEXT - 2)) ? MOST_TEXT - 2 : MOST_TEXT - 1;
  return `${text.slice(0, end)}…` as Text;
}
