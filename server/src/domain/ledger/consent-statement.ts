import type { CategoryChoices, VendorChoices } from '../types';

/** A consent record as it is stored; times are ISO 8601 strings. */
export interface ConsentFacts {
  banner_version: number;
  bundle_hash: string | null;
  categories: CategoryChoices;
  consent_id: string;
  decision: string;
  expires_at: string;
  gpc: boolean;
  gpp_string: string | null;
  ip_masked: string;
  language: string;
  linked_from: string | null;
  method: string;
  page_url: string | null;
  policy_version: string;
  recorded_at: string;
  recorded_by: string;
  region: string | null;
  rule: string | null;
  session_id: string;
  tc_string: string | null;
  user_agent: string | null;
  vendors: VendorChoices | null;
}

/** Strings that JSON need not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
const text = (value: string): string => (PLAIN.test(value) ? `"${value}"` : JSON.stringify(value));
const textOrNull = (value: string | null): string => (value === null ? 'null' : text(value));

const member = (name: string, value: string | null): string =>
  value === null ? '' : `"${name}":${text(value)},`;

/** Sites have few, and visitors' programs name them in the same order. */
function choices(categories: CategoryChoices | VendorChoices): string {
  let members = '';
  for (const key of Object.keys(categories).sort())
    members += `${members === '' ? '' : ','}${text(key)}:${categories[key]}`;
  return `{${members}}`;
}

/** What statements of one kind of decision have in common: the text before each member that differs. */
export interface KindOfStatement {
  consentId: string;
  expiresAt: string;
  gppString: string;
  linkedFrom: string;
  pageUrl: string;
  recordedAt: string;
  sessionId: string;
  end: string;
}

/** @param importedOn of a record from before the log */
export const kindOfStatement = (
  site: string,
  facts: Pick<
    ConsentFacts,
    | ('banner_version' | 'bundle_hash' | 'categories' | 'decision' | 'gpc' | 'language' | 'method')
    | ('policy_version' | 'recorded_by' | 'region' | 'rule' | 'vendors')
  >,
  importedOn?: string,
): KindOfStatement => ({
  consentId:
    `{"avow":1,${importedOn === undefined ? '' : `"imported_on":"${importedOn}",`}"kind":"consent","record":{` +
    `"banner_version":${facts.banner_version},"bundle_hash":${textOrNull(facts.bundle_hash)},` +
    `"categories":${choices(facts.categories)},"consent_id":"`,
  expiresAt: `","decision":"${facts.decision}","expires_at":"`,
  gppString: `","gpc":${facts.gpc},`,
  linkedFrom: `,"language":"${facts.language}",`,
  pageUrl: `"method":"${facts.method}","page_url":`,
  recordedAt: `,"policy_version":${text(facts.policy_version)},"recorded_at":"`,
  // A member that the API leaves out is left out, as in every statement from before there were regions.
  sessionId: `","recorded_by":"${facts.recorded_by}",${member('region', facts.region)}${member('rule', facts.rule)}"session_id":"`,
  end: `${facts.vendors === null ? '' : `,"vendors":${choices(facts.vendors)}`}},"site":"${site}"}`,
});

/**
 * The canonical text of a consent record (RFC 8785), with its members in their fixed order: every visitor's decision
 * waits for it. A member that the API leaves out is left out here.
 */
export function statementOfKind(kind: KindOfStatement, facts: ConsentFacts): string {
  const { gpp_string, linked_from, tc_string } = facts;
  const gpp = gpp_string === null ? '' : `"gpp_string":${text(gpp_string)},`;
  const tc = tc_string === null ? '' : `"tc_string":${text(tc_string)},`;
  const linked = linked_from === null ? '' : `"linked_from":"${linked_from}",`;
  return `${kind.consentId}${facts.consent_id}${kind.expiresAt}${facts.expires_at}${kind.gppString}${gpp}"ip_masked":${text(facts.ip_masked)}${kind.linkedFrom}${linked}${kind.pageUrl}${textOrNull(facts.page_url)}${kind.recordedAt}${facts.recorded_at}${kind.sessionId}${facts.session_id}",${tc}"user_agent":${textOrNull(facts.user_agent)}${kind.end}`;
}

/** The same of a record by itself. */
export const consentStatement = (site: string, facts: ConsentFacts, importedOn?: string): string =>
  statementOfKind(kindOfStatement(site, facts, importedOn), facts);
