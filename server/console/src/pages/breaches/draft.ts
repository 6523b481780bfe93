import type { Input } from '@avow/sdk';
import type { Schemas } from '../../app/data';

type Body = Input<'createBreach'>['body'];

/** A breach as it is typed: lists line by line, nothing for what is not known. */
export interface BreachDraft {
  title: string;
  severity: Schemas['BreachSeverity'];
  nature: string;
  description: string;
  aware_at: string;
  occurred_from: string;
  occurred_to: string;
  data_categories: string;
  subject_categories: string;
  affected_subjects: number | undefined;
  affected_records: number | undefined;
  consequences: string;
  measures: string;
  subjects_informed_at: string;
}

const lines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

export const emptyDraft = (): BreachDraft => ({
  ...{ title: '', severity: 'unknown', nature: '', description: '', aware_at: '' },
  ...{ occurred_from: '', occurred_to: '', data_categories: '', subject_categories: '' },
  ...{ affected_subjects: undefined, affected_records: undefined },
  ...{ consequences: '', measures: '', subjects_informed_at: '' },
});

export const toDraft = (breach: Schemas['Breach']): BreachDraft => ({
  title: breach.title,
  severity: breach.severity,
  nature: breach.nature,
  description: breach.description,
  aware_at: breach.aware_at,
  occurred_from: breach.occurred_from ?? '',
  occurred_to: breach.occurred_to ?? '',
  data_categories: breach.data_categories.join('\n'),
  subject_categories: breach.subject_categories.join('\n'),
  affected_subjects: breach.affected_subjects ?? undefined,
  affected_records: breach.affected_records ?? undefined,
  consequences: breach.consequences,
  measures: breach.measures,
  subjects_informed_at: breach.subjects_informed_at ?? '',
});

/**
 * The draft as the contract takes it. A text that was left empty is left out: it is not known yet, or the
 * server says at its field that it is required.
 */
export function toBody(draft: BreachDraft): Body {
  const needed = {
    title: draft.title,
    nature: draft.nature,
    description: draft.description,
    aware_at: draft.aware_at,
  };
  const told = { consequences: draft.consequences, measures: draft.measures };
  const filled = Object.entries({ ...needed, ...told }).filter(([, value]) => value !== '');
  return {
    ...(Object.fromEntries(filled) as Pick<Body, 'title' | 'aware_at'>),
    severity: draft.severity,
    occurred_from: draft.occurred_from || null,
    occurred_to: draft.occurred_to || null,
    data_categories: lines(draft.data_categories),
    subject_categories: lines(draft.subject_categories),
    affected_subjects: draft.affected_subjects ?? null,
    affected_records: draft.affected_records ?? null,
    subjects_informed_at: draft.subjects_informed_at || null,
  };
}

/**
 * Only what was changed, so that two people can work on one breach without undoing each other. A required
 * field that was emptied is sent as it is.
 */
export function toPatch(
  draft: BreachDraft,
  changed: readonly (keyof BreachDraft)[],
): Input<'updateBreach'>['body'] {
  const body: Record<string, unknown> = { ...draft, ...toBody(draft) };
  return Object.fromEntries(changed.map((name) => [name, body[name]]));
}
