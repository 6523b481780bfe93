import type { Knex } from 'knex';
import { type QueryBuilder, raw } from 'objection';
import { toMillisecond } from '../../domain/calendar';
import type {
  CategoryChoices,
  ConsentMethod,
  Decision,
  RecordedBy,
  RegionRule,
  VendorChoices,
} from '../../domain/types';
import {
  CONSENT_RECORDS,
  OF_SESSION,
  OF_SESSIONS,
  ofDecision,
  RECORD_COLUMNS,
  REFUSING,
} from '../consent-records';
import { AppendOnlyModel, withId } from './append-only';

export interface ConsentFilter {
  /** The ids that start with a given prefix. */
  ids?: IdMatch;
  session_id?: string;
  decision?: Decision;
  from?: string;
  to?: string;
}

/** What a record allows: keys of categories and numbers of vendors. */
export interface Granted {
  categories: readonly string[];
  vendors: readonly string[];
}

/** Sessions, and ids and times of records, with the same prefix. */
export interface IdMatch {
  sessions: readonly string[];
  records: { ids: readonly [string, string]; times: readonly [Date, Date] } | undefined;
}

function matchIds(query: QueryBuilder<ConsentRow>, { sessions, records }: IdMatch): void {
  query.whereRaw(OF_SESSIONS, { sessions: [...sessions] });
  if (records !== undefined) {
    query.orWhere((record) =>
      record.whereBetween('recorded_at', [...records.times]).whereBetween('consent_id', [...records.ids]),
    );
  }
}

export class ConsentRow extends AppendOnlyModel {
  static override tableName = 'consents';
  static override idColumn = ['environment_id', 'recorded_at', 'consent_id'];
  static override modifiers = {
    withId(query: QueryBuilder<ConsentRow>, id: string) {
      withId(query, 'consent_id', id);
    },
    ofSession(query: QueryBuilder<ConsentRow>, session: string) {
      query.whereRaw(OF_SESSION, { session });
    },
    refusing(query: QueryBuilder<ConsentRow>, environmentId: string, granted: Granted) {
      const refusals = (names: readonly string[]) => names.map((name) => JSON.stringify({ [name]: false }));
      const [refused, vendors] = [refusals(granted.categories), refusals(granted.vendors)];
      query.whereRaw(REFUSING, { environmentId, refused, vendors });
    },
    matching(query: QueryBuilder<ConsentRow>, environmentId: string, filter: ConsentFilter) {
      query.where({ environment_id: environmentId });
      if (filter.ids !== undefined) query.where((either) => matchIds(either, filter.ids as IdMatch));
      if (filter.session_id !== undefined) query.modify('ofSession', filter.session_id);
      if (filter.decision !== undefined) query.whereRaw(ofDecision(filter.decision, 'whole_decision'));
      if (filter.from !== undefined) query.where('recorded_at', '>=', toMillisecond(filter.from));
      if (filter.to !== undefined) query.where('recorded_at', '<', toMillisecond(filter.to));
    },
  };

  /** Records as they were stated, however they are stored: for every reader. */
  static records(db: Knex): QueryBuilder<ConsentRow> {
    return ConsentRow.query(db)
      .from(raw(`${CONSENT_RECORDS} AS consents`))
      .select(RECORD_COLUMNS.map((column) => `consents.${column}`));
  }

  environment_id!: string;
  recorded_at!: Date;
  consent_id!: string;
  session_id!: string;
  decision!: Decision;
  categories!: CategoryChoices;
  policy_version!: string;
  banner_version!: number;
  bundle_hash!: string | null;
  method!: ConsentMethod;
  recorded_by!: RecordedBy;
  language!: string;
  page_url!: string | null;
  ip_masked!: string;
  user_agent!: string | null;
  gpc!: boolean;
  tc_string!: string | null;
  gpp_string!: string | null;
  region!: string | null;
  rule!: RegionRule | null;
  vendors!: VendorChoices | null;
  /** The record of the decision that a visitor brought along from another domain. */
  linked_from!: string | null;
  expires_at!: Date;
}
