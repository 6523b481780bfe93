import type { Schemas } from '../../app/data';

/** A key as lists show it; name, networks and last use of another owner's key for all sites are not shown. */
export type ApiKey = Omit<Schemas['ApiKey'], 'name'> & { name: string | null };
export type Scope = Schemas['Scope'];
export type ScopeSet = Schemas['ScopeSet'];

/** The ready sets, and a choice of one's own. */
export const SETS: readonly (readonly [ScopeSet | 'own', string, string])[] = [
  ['export', 'Export only', 'Reads all records and reports, changes nothing.'],
  ['dsar_desk', 'Requests of data subjects', 'Reads, starts, extends and resolves requests.'],
  ['webhooks', 'Webhooks', 'Manages webhooks and their deliveries, and reads events.'],
  ['banner', 'Banner', 'Publishes the banner and the vendors, and scans pages.'],
  ['own', 'Choose', 'Only what you tick.'],
];

/** What each scope allows. */
export const SCOPES: readonly (readonly [Scope, string])[] = [
  ['environments:read', 'Read sites and their settings'],
  ['environments:write', 'Make and change sites'],
  ['members:read', 'Read members'],
  ['members:write', 'Remove members'],
  ['consents:read', 'Read consents'],
  ['consents:write', 'Record decisions for visitors'],
  ['erasures:write', 'Erase records'],
  ['dsar:read', 'Read requests of data subjects'],
  ['dsar:write', 'Record and answer requests'],
  ['breaches:read', 'Read breaches'],
  ['breaches:write', 'Record and report breaches'],
  ['events:read', 'Read events, with e-mail addresses of requests'],
  ['webhooks:read', 'Read webhooks and deliveries, with what events say'],
  ['webhooks:write', 'Manage webhooks, send deliveries again'],
  ['reports:read', 'Read analytics, score and processing records'],
  ['banner:read', 'Read published banners'],
  ['banner:write', 'Publish the banner and vendors'],
  ['scans:read', 'Read cookie scans'],
  ['scans:write', 'Start cookie scans'],
  ['audit:read', 'Read and export the audit trail'],
  ['mails:read', 'Read mails to data subjects and members'],
  ['evidence:read', 'Export evidence packs, with what records say, and see ids of sessions'],
  ['log:read', 'Read the evidence log while it is not published, and no record'],
];

const NAMES: ReadonlyMap<Scope, string> = new Map(SCOPES);

/** What a key may do, in words. */
export const wordsOf = (scopes: readonly Scope[]): string =>
  scopes.map((scope) => NAMES.get(scope) ?? scope).join('. ');
