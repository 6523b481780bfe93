import { differences } from './differences';
import type { SealedStep } from './history-steps';

/** Records that change step by step, and what their statements call them. */
export const STEPPED = { dsar: 'request', breach: 'breach' } as const;
export type SteppedKind = keyof typeof STEPPED;

/** What a step changes, and what must have been so before it. */
interface StepRule {
  changes: readonly string[];
  from?: Record<string, readonly unknown[]>;
}

const ANSWER = ['status', 'resolved_at', 'resolution', 'resolution_note'];
const NO_REPORT = ['status', 'not_reportable_at', 'not_reportable_reason'];

/**
 * The fields of the sealed record that each step may change, by its name up to a colon. A step that is not here changes
 * none of them: `assigned`, `unassigned`, what the data subject says of the address, a download.
 */
const RULES: Record<SteppedKind, Record<string, StepRule>> = {
  dsar: {
    started: { changes: ['status'], from: { status: ['created'] } },
    extended: { changes: ['extended_until', 'extension_reason'], from: { extended_until: [null] } },
    resolved: { changes: ANSWER, from: { status: ['created', 'in_progress'] } },
    reopened: { changes: ANSWER, from: { status: ['resolved'] } },
  },
  breach: {
    // Which ones, its note says.
    updated: { changes: [] },
    reported: {
      changes: ['status', 'reported_at', 'authority', 'authority_reference', 'late_reason'],
      from: { status: ['created'] },
    },
    not_reportable: { changes: NO_REPORT, from: { status: ['created'] } },
    reopened: { changes: NO_REPORT, from: { status: ['not_reportable'] } },
  },
};

/** What follows from other fields by rules that another version of this server may have changed. */
const DERIVED = new Set(['missing']);

type Fields = Record<string, unknown>;

const fieldsOf = (kind: SteppedKind, step: SealedStep = {}): Fields =>
  (Object(step[STEPPED[kind]]) ?? {}) as Fields;

/** The names of fields that differ between what was sealed and what is there, as far as both say them. */
const changedIn = (sealed: Fields, present: Fields): string[] =>
  differences(sealed, present).filter((name) => name in sealed && name in present && !DERIVED.has(name));

/** How a record differs from what was sealed of it last: by name, never what is in a field. */
export const alteredSince = (kind: SteppedKind, last: SealedStep, present: object): string[] =>
  changedIn(fieldsOf(kind, last), JSON.parse(JSON.stringify(present)));

/** Fields that were changed before a step, without one, as the steps show. */
function alteredBefore(kind: SteppedKind, before: SealedStep, step: SealedStep): string[] {
  const [was, is] = [fieldsOf(kind, before), fieldsOf(kind, step)];
  const { changes, from = {} } = ruleOf(kind, step);
  const told = new Map(step.step === 'updated' ? namedIn(step.note) : []);
  const explained = new Set([...changes, ...told.keys(), ...(told.has('aware_at') ? ['notify_by'] : [])]);
  const unexplained = changedIn(was, is).filter((name) => !explained.has(name));
  const impossible = Object.keys(from).filter((name) => name in was && !from[name]?.includes(was[name]));
  const misquoted = [...told].flatMap(([name, value]) =>
    value !== undefined && name in was && value !== was[name] ? [name] : [],
  );
  return [...unexplained, ...impossible, ...misquoted];
}

function ruleOf(kind: SteppedKind, { step }: SealedStep): StepRule {
  const name = typeof step === 'string' ? (step.split(':')[0] as string) : '';
  return (Object.hasOwn(RULES[kind], name) && RULES[kind][name]) || { changes: [] };
}

/** The fields that an update says it changes, with the value before where it says that, too. */
const namedIn = (note: unknown): [string, string | undefined][] =>
  (typeof note === 'string' ? note.split(', ') : []).map((one) => {
    const [, name = one, value] = /^(\w+) \(before: (.*)\)$/.exec(one) ?? [];
    return [name, value];
  });

const toldIn = ({ altered }: SealedStep): string[] =>
  Array.isArray(altered) ? altered.filter((name) => typeof name === 'string') : [];

/** The same by name, with what whoever sealed the step saw then. @param before the step before it, if there is one */
export const alteredAt = (kind: SteppedKind, before: SealedStep | undefined, step: SealedStep): string[] => {
  const shown = before === undefined ? [] : alteredBefore(kind, before, step);
  return [...new Set([...toldIn(step), ...shown])].sort();
};
