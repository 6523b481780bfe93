import type { Knex } from 'knex';
import { CONSENT_RECORDS, hashOf as hashOfSession } from '../db/consent-records';
import type { ConsentRow } from '../db/models';
import { clock } from '../domain/clock';
import { FairTurns } from '../domain/fair-turns';
import { DAY_MS } from '../domain/time';
import type { Settings } from '../domain/types';
import { webUrl } from '../domain/web-address';
import type { Asked } from '../ingest/asked';
import type { Site } from '../ingest/site';

/** A decision, as far as it says whether and where it may be in force. */
export type Decided = Pick<
  ConsentRow,
  | 'consent_id'
  | 'recorded_at'
  | 'expires_at'
  | 'decision'
  | 'categories'
  | 'vendors'
  | 'policy_version'
  | 'banner_version'
  | 'bundle_hash'
  | 'recorded_by'
  | 'gpc'
  | 'tc_string'
  | 'gpp_string'
  | 'rule'
>;

/** A session's decision in force. */
export interface InForce {
  /** The record that made it the session's latest choice. */
  latest: string;
  /** The decision itself: another record where it was brought along. */
  decided: Decided;
  /** When the decision was recorded, wherever it was brought since. */
  decidedAt: Date;
}

/** What one maker of sites may have waiting, and all of them; a banner waits no longer than that. */
const TURNS = new FairTurns(1, { each: 50, all: 200, wait: 2_000 });

/**
 * One look at a time, so that visitors' connections are left for what every page needs; makers of sites take turns, then
 * sites, then addresses. Rejects with 429 or 503.
 */
export const inTurnOfLinks = <Result>(
  { site: { maker, id }, address }: { site: Pick<Site, 'maker' | 'id'>; address: string },
  look: () => Promise<Result>,
): Promise<Result> => TURNS.take([maker, id, address], look);

/** Compares the key of a record with an id, whose time is in it: of months one is read. */
const withId = (record: string, id: string): string => {
  const time = `timestamptz 'epoch' + ('x' || left(replace((${id})::text, '-', ''), 12))::bit(48)::bigint * interval '1 ms'`;
  return `${record}.environment_id = :environment_id AND ${record}.consent_id = ${id}
    AND ${record}.recorded_at >= ${time} AND ${record}.recorded_at < ${time} + interval '1 ms'`;
};

const DECISION_IN_FORCE = `
  SELECT l.consent_id AS latest,
    c.recorded_at AS decided_at,
    d.*
  FROM session_choices c
  CROSS JOIN LATERAL (
    SELECT s.consent_id, s.linked_from FROM consents s WHERE ${withId('s', 'c.consent_id')}) AS l
  CROSS JOIN LATERAL (
    SELECT r.consent_id, r.recorded_at, r.expires_at, r.decision, r.categories, r.vendors, r.policy_version,
      r.banner_version, r.bundle_hash, r.recorded_by, r.gpc, r.tc_string, r.gpp_string, r.rule
    FROM ${CONSENT_RECORDS} AS r WHERE ${withId('r', 'coalesce(l.linked_from, l.consent_id)')}) AS d
  WHERE c.environment_id = :environment_id AND c.session_id = :session_id`;

/** What a session decided last. */
export async function decisionOf(
  db: Knex,
  environment_id: string,
  session_id: string,
): Promise<InForce | undefined> {
  const { rows } = await db.raw<{ rows: (Decided & { latest: string; decided_at: Date })[] }>(
    DECISION_IN_FORCE,
    { environment_id, session_id },
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { latest, decided_at: decidedAt, ...decided } = row;
  return { latest, decided, decidedAt };
}

/** How many of a session's records are looked through. */
const KNOWN = 20;

/**
 * Like the look-up of keys: the inner query has no other condition than the index of sessions, so that no other index is
 * taken for it; on a cluster that of the site besides.
 */
const recordsOfDecision = (ofSite: string): string => `
  SELECT s.consent_id, coalesce(s.page_url, p.text) AS page_url
  FROM (
    SELECT o.environment_id, o.session_id, o.consent_id, o.linked_from, o.recorded_at, o.page_url, o.page
    FROM consents o
    WHERE ${hashOfSession('o.session_id')} = ${hashOfSession(':session_id::uuid')}
      AND o.recorded_at >= :since ${ofSite}
    ORDER BY o.recorded_at DESC LIMIT ${KNOWN}) AS s
  LEFT JOIN consent_words p ON p.environment_id = s.environment_id AND p.word = s.page
  WHERE s.environment_id = :environment_id AND s.session_id = :session_id AND :decision IN (s.consent_id, s.linked_from)
  ORDER BY s.recorded_at DESC`;

/** The newest record that a session has of its decision on pages of an origin: the decision's own, or one taken from it. */
export async function recordOn(
  db: Knex,
  { id: environment_id, place }: Pick<Site, 'id' | 'place'>,
  { session_id, decided: { consent_id, recorded_at } }: { session_id: string; decided: Decided },
  origin: string,
): Promise<string | undefined> {
  const text = recordsOfDecision(place === undefined ? '' : 'AND o.environment_id = :environment_id');
  const { rows } = await db.raw<{ rows: Pick<ConsentRow, 'consent_id' | 'page_url'>[] }>(text, {
    ...{ environment_id, session_id, decision: consent_id, since: recorded_at },
  });
  const here = webUrl(origin)?.origin;
  return rows.find(({ page_url }) => page_url !== null && webUrl(page_url)?.origin === here)?.consent_id;
}

/**
 * Whether a decision may be in force on other domains, too: a visitor made it, on a page whose banner is known, and it
 * holds, also for as long as consent lasts today; what a framework's string says cannot be taken along, nor a decision beside
 * a signal that refuses.
 */
export const canBeCarried = (
  { decided: { recorded_by, gpc, tc_string, gpp_string, bundle_hash, expires_at }, decidedAt }: InForce,
  { settings }: { settings: Pick<Settings, 'consent_lifetime_days'> },
): boolean =>
  recorded_by === 'visitor' &&
  bundle_hash !== null &&
  !gpc &&
  tc_string === null &&
  gpp_string === null &&
  secondsTo(expires_at) > 0 &&
  secondsSince(decidedAt) < settings.consent_lifetime_days * DAY_SECONDS;

type Allows = Pick<Decided, 'categories'> & { vendors?: Decided['vendors'] | undefined };

/** The choice of the domain to which a link leads. */
interface Own extends Allows {
  session_id: string;
  from_link?: boolean;
  in_force?: boolean;
}

/**
 * Whether that choice stays. What the visitor decided on that domain is not widened by a journey; a copy is no decision, and
 * follows its session wherever that goes, while it is in force. What is not is no answer to the visitor's question, but
 * nothing may be allowed past it either.
 */
export function staysBeside(own: Own, brought: Allows & { session_id: string }): boolean {
  const isCopy = own.from_link === true;
  const isWider = allowsMore(brought, own);
  if (own.in_force === false) return isWider;
  return own.session_id.toLowerCase() === brought.session_id ? !isCopy && isWider : !isCopy || isWider;
}

/** Whether a choice allows what another one does not. One without a choice by vendor allows all vendors of its categories. */
export function allowsMore(some: Allows, than: Allows): boolean {
  const isBeyond = (choices: Choices, others: Choices = {}) =>
    Object.entries(choices).some(([key, is]) => is && others[key] !== true);
  if (isBeyond(some.categories, than.categories)) return true;
  if (some.vendors) return isBeyond(some.vendors, than.vendors ?? undefined);
  return Object.values(some.categories).includes(true) && Object.values(than.vendors ?? {}).includes(false);
}

type Choices = Readonly<Record<string, boolean>>;

const DAY_SECONDS = DAY_MS / 1000;

export const secondsTo = (end: Date): number => Math.floor((end.getTime() - clock.now()) / 1000);
export const secondsSince = (start: Date): number => Math.max(0, (clock.now() - start.getTime()) / 1000);

/** Whether the banner of another page asks for what a decision is about, by the same rule. */
export function asksForSame(
  { policy_version, categories, vendors, rule }: Decided,
  source: Asked,
  there: Asked,
  stated: string | undefined,
): boolean {
  const kinds = ({ shown }: Asked) => shown.categories.map(({ key, required }) => `${key} ${required}`);
  const optional = there.shown.categories.filter(({ required }) => !required).map(({ key }) => key);
  return (
    source.isNamed &&
    there.isNamed &&
    policy_version === there.shown.policy_version &&
    rule === (stated ?? null) &&
    areSame(kinds(source), kinds(there)) &&
    areSame(Object.keys(categories), optional) &&
    areSame(
      Object.keys(vendors ?? {}),
      (there.vendors ?? []).map(({ id }) => `${id}`),
    )
  );
}

const areSame = (some: readonly string[], others: readonly string[]): boolean =>
  some.length === others.length && some.every((one) => others.includes(one));
