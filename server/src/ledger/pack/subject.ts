import type { Knex } from 'knex';
import { BreachRow, ConsentRow, DsarRow, FormConsentRow } from '../../db/models';
import { toMillisecond } from '../../domain/calendar';
import { clock } from '../../domain/clock';
import { notFound, ValidationError } from '../../domain/errors';
import { idAt } from '../../domain/ids';

/** What a pack is asked for. */
export interface PackQuery {
  consent_id?: string;
  form_consent_id?: string;
  session_id?: string;
  request_id?: string;
  breach_id?: string;
  from?: string;
  to?: string;
}

/** What a pack is about: consent records, and facts, each with a condition. */
export interface Subject {
  /** As the pack names it. */
  asked: Record<string, string>;
  /** Undefined: none. */
  consents: ((rows: ReturnType<typeof ConsentRow.records>) => void) | undefined;
  facts: ((rows: Knex.QueryBuilder) => void) | undefined;
}

const KINDS = ['consent_id', 'form_consent_id', 'session_id', 'request_id', 'breach_id'] as const;

/**
 * Reads what is asked for; nothing is everything so far. Throws 400 for several subjects, and 404 for one that the site
 * does not have.
 */
export async function subjectOf(db: Knex, environment_id: string, query: PackQuery): Promise<Subject> {
  const named = KINDS.filter((kind) => query[kind] !== undefined);
  const isRange = query.from !== undefined || query.to !== undefined;
  const [kind, ...others] = named;
  if (others.length > 0 || (kind !== undefined && isRange)) {
    const message = `name only one of ${KINDS.join(', ')}, or a range by from and to`;
    throw ValidationError.of(`query.${kind ?? 'consent_id'}`, message, 'subject');
  }
  if (kind === undefined) return ofRange(query);
  const id = (query[kind] as string).toLowerCase();
  const asked = { [kind]: id };
  switch (kind) {
    case 'consent_id': {
      const consents: Subject['consents'] = (rows) => void rows.modify('withId', id);
      const found = ConsentRow.records(db).where({ environment_id });
      await exists(found.modify('withId', id).first(), 'This consent record');
      return { asked, consents, facts: undefined };
    }
    case 'form_consent_id':
      await exists(
        FormConsentRow.query(db).where({ environment_id }).modify('withId', id).first(),
        'This form consent',
      );
      return { asked, consents: undefined, facts: ofFact('form_consent', id) };
    case 'session_id':
      return {
        asked,
        consents: (rows) => void rows.modify('ofSession', id),
        facts: (rows) =>
          void rows.where({ kind: 'form_consent' }).whereIn('subject', formsOf(db, environment_id, id)),
      };
    case 'request_id':
      await exists(
        DsarRow.query(db).findOne({ environment_id, request_id: id }),
        'This data-subject request',
      );
      return { asked, consents: undefined, facts: ofFact('dsar', id) };
    case 'breach_id':
      await exists(BreachRow.query(db).findOne({ environment_id, breach_id: id }), 'This breach');
      return { asked, consents: undefined, facts: ofFact('breach', id) };
  }
}

const ofFact =
  (kind: string, subject: string): Subject['facts'] =>
  (rows) =>
    void rows.where({ kind, subject });

const formsOf = (db: Knex, environment_id: string, session_id: string) =>
  db('form_consents').where({ environment_id, session_id }).select(db.raw('form_consent_id::text'));

async function exists(row: PromiseLike<unknown>, what: string): Promise<void> {
  if ((await row) === undefined) throw notFound(what);
}

/** Everything that was recorded in a range. The time of a fact is in its id. */
function ofRange({ from, to }: PackQuery): Subject {
  const first = from === undefined ? undefined : toMillisecond(from);
  // What is recorded while the pack is made belongs to the next one.
  const end = to === undefined ? clock.date() : toMillisecond(to);
  return {
    asked: { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) },
    consents: (rows) => {
      if (first !== undefined) rows.where('recorded_at', '>=', first);
      rows.where('recorded_at', '<', end);
    },
    facts: (rows) => {
      if (first !== undefined) rows.where('fact_id', '>=', idAt(first));
      rows.where('fact_id', '<', idAt(end));
    },
  };
}
