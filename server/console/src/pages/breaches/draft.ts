import type { Input } from '@avow/sdk';
import type { Schemas } from '../../app/data';
import { toLines } from '../../app/lists';

type Body = Input<'createBreach'>['body'];

/** A breach as typed: lists line by line, empty fields for unknown facts. */
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
 * The draft as a request body. Empty texts are left out: they are not known yet, or the server answers that
 * they are required.
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
    data_categories: toLines(draft.data_categories),
    subject_categories: toLines(draft.subject_categories),
    affected_subjects: draft.affected_subjects ?? null,
    affected_records: draft.affected_records ?? null,
    subjects_informed_at: draft.subjects_informed_at || null,
  };
}

/**
 * Only the changed fields, so that two users can work on one breach without undoing each other's changes. A
 * required field that was emptied is sent empty.
 */
export function toPatch(
  draft: BreachDraft,
  changed: readonly (keyof BreachDraft)[],
): Input<'updateBreach'>['body'] {
  const body: Record<string, unknown> = { ...draft, ...toBody(draft) };
  return Object.fromEntries(changed.map((name) => [name, body[name]]));
}
