import type { AuditInsert } from '../db/audit-events';
import type { Sealed } from '../domain/ledger/commitment';
import type {
  CategoryChoices,
  ConsentMethod,
  Decision,
  RecordedBy,
  RegionRule,
  VendorChoices,
} from '../domain/types';
import type { Outbox } from '../events/outbox';
import type { Site } from './site';

/** Makes a repeated request count once: its key and a hash of its content. */
export interface Dedupe {
  /** What kind of key it is, so that an idempotency key and an event id never meet. */
  scope: string;
  key: string;
  bodyHash: string;
  /** How long it is recognised; default one day. */
  days?: number;
  /** It belongs to the decision's session, and the id of the decision holds it. */
  ofSession?: boolean;
}

/** A decision that is ready to be stored. Times are ISO 8601 strings. */
export interface DecisionRow {
  environment_id: string;
  consent_id: string;
  recorded_at: string;
  session_id: string;
  decision: Decision;
  categories: CategoryChoices;
  policy_version: string;
  banner_version: number;
  bundle_hash: string | null;
  method: ConsentMethod;
  recorded_by: RecordedBy;
  language: string;
  page_url: string | null;
  ip_masked: string;
  user_agent: string | null;
  gpc: boolean;
  tc_string: string | null;
  gpp_string: string | null;
  region: string | null;
  rule: RegionRule | null;
  vendors: VendorChoices | null;
  /** The record of the decision that was brought along. */
  linked_from: string | null;
  expires_at: string;
}

/** What a decision names instead of holding it, by the column of its record. */
export interface Words {
  /** Since when the database has all of them, by the monotonic clock. */
  keptAt: number;
  kind: string | undefined;
  agent: string | undefined;
  page: string | undefined;
}

/** One thing to count, `n` times. */
export interface Count {
  /** When it happened, in milliseconds since 1970. */
  at: number;
  /** `untied`: of the decisions, those that name no banner of the site. `test`: of both, those that count in an A/B test. */
  metric: 'decision' | 'untied' | 'opted_in' | 'granted' | 'refused' | 'impression' | 'interaction' | 'test';
  key: string;
  language: string;
  banner_version: number;
  device: string;
}

/** What one visitor request stores: perhaps a decision, always counts. */
export interface Entry {
  site: Site;
  /** When it was handed in, by the monotonic clock. */
  arrivedAt?: number;
  decision?: DecisionRow;
  /** What the decision has in common with many others, as JSON. */
  kind?: string;
  /** What seals the decision. */
  sealed?: Sealed;
  /** Words of the site that stand for texts of the decision. */
  words?: Words;
  counts: Count[];
  /** The decision's event and its deliveries, when somebody subscribes to it. */
  outbox?: Outbox;
  dedupe?: Dedupe;
  /** The latest choice of its session, which a decision that was brought along follows, or it is not stored. */
  follows?: string;
  /** Of a decision that an owner's program states: its event in the audit trail. */
  audit?: AuditInsert;
}

/** The result of an entry: the stored decision, which is an earlier one when the request was a repetition. */
export interface RecordedEntry {
  decision: DecisionRow | undefined;
  repeated: boolean;
}
