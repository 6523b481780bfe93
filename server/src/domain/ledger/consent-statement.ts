import type { CategoryChoices } from '../types';

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
  method: string;
  page_url: string | null;
  policy_version: string;
  recorded_at: string;
  recorded_by: string;
  session_id: string;
  tc_string: string | null;
  user_agent: string | null;
}

/** Strings that JSON need not escape. */
const PLAIN = /^[ !#-[\]-~]*$/;
const text = (value: string): string => (PLAIN.test(value) ? `"${value}"` : JSON.stringify(value));
const textOrNull = (value: string | null): string => (value === null ? 'null' : text(value));

/** Sites have few categories, and visitors' programs name them in the same order. */
function choices(categories: CategoryChoices): string {
  let members = '';
  for (const key of Object.keys(categories).sort())
    members += `${members === '' ? '' : ','}${text(key)}:${categories[key]}`;
  return `{${members}}`;
}

/**
 * The canonical text of a consent record (RFC 8785), with its members in their fixed order: every visitor's decision
 * waits for it. A member that the API leaves out is left out here.
 * @param importedOn of a record from before the log
 */
export function consentStatement(site: string, facts: ConsentFacts, importedOn?: string): string {
  const { gpp_string, tc_string } = facts;
  return (
    `{"avow":1,${importedOn === undefined ? '' : `"imported_on":"${importedOn}",`}"kind":"consent","record":{` +
    `"banner_version":${facts.banner_version},"bundle_hash":${textOrNull(facts.bundle_hash)},` +
    `"categories":${choices(facts.categories)},"consent_id":"${facts.consent_id}",` +
    `"decision":"${facts.decision}","expires_at":"${facts.expires_at}","gpc":${facts.gpc},` +
    `${gpp_string === null ? '' : `"gpp_string":${text(gpp_string)},`}"ip_masked":${text(facts.ip_masked)},` +
    `"language":${text(facts.language)},"method":"${facts.method}","page_url":${textOrNull(facts.page_url)},` +
    `"policy_version":${text(facts.policy_version)},"recorded_at":"${facts.recorded_at}",` +
    `"recorded_by":"${facts.recorded_by}","session_id":"${facts.session_id}",` +
    `${tc_string === null ? '' : `"tc_string":${text(tc_string)},`}"user_agent":${textOrNull(facts.user_agent)}},` +
    `"site":"${site}"}`
  );
}
