import { type KindOfStatement, kindOfStatement } from '../domain/ledger/consent-statement';
import type { DecisionRow } from './entries';
import type { Site } from './site';

/** The maximum size of all that is known of kinds, over all sites, in bytes: anybody can cause new ones. */
const KNOWN = 8 * 2 ** 20;
/** What a kind takes besides its texts, in bytes. */
const OVERHEAD = 400;

/** What decisions of one kind have in common. */
export interface Kind {
  /**
   * As JSON, for the word that stands for it: one string for all of them, so that a look-up need not read it again.
   */
  text: string;
  statement: KindOfStatement;
}

let known = { size: 0, bySite: new WeakMap<Site, Map<string, Kind>>() };

/** The kind of a decision; when too many are known, they are forgotten. */
export function kindOf(site: Site, decision: DecisionRow): Kind {
  const text = textOf(decision, site.settings.consent_lifetime_days);
  const kind = known.bySite.get(site)?.get(text);
  return kind ?? learn(site, { text, statement: kindOfStatement(site.token, decision) });
}

function learn(site: Site, kind: Kind): Kind {
  if (known.size > KNOWN) known = { size: 0, bySite: new WeakMap() };
  let own = known.bySite.get(site);
  if (own === undefined) {
    own = new Map();
    known.bySite.set(site, own);
  }
  own.set(kind.text, kind);
  known.size += OVERHEAD + 4 * kind.text.length;
  return kind;
}

/**
 * Everything about a decision that many decisions of a site have in common, as JSON. What has a pattern in the
 * contract, or is ours, needs no escaping.
 */
function textOf(decision: DecisionRow, days: number): string {
  const { bundle_hash } = decision;
  return `{"decision":"${decision.decision}","categories":${choicesOf(decision.categories)},"policy_version":${JSON.stringify(decision.policy_version)},"banner_version":${decision.banner_version},"bundle_hash":${bundle_hash === null ? 'null' : `"${bundle_hash}"`},"method":"${decision.method}","recorded_by":"${decision.recorded_by}","language":"${decision.language}","gpc":${decision.gpc},${placeOf(decision)}${vendorsOf(decision)}"days":${days}}`;
}

/** Only where there are rules by region, so that the words of other sites stay as they are. */
const placeOf = ({ region, rule }: DecisionRow): string =>
  (region === null ? '' : `"region":"${region}",`) + (rule === null ? '' : `"rule":"${rule}",`);

/** Only where visitors choose by vendor, likewise. */
const vendorsOf = ({ vendors }: DecisionRow): string =>
  vendors === null ? '' : `"vendors":${choicesOf(vendors)},`;

function choicesOf(choices: Readonly<Record<string, boolean>>): string {
  let members = '';
  for (const key in choices) members += `${members === '' ? '' : ','}"${key}":${choices[key]}`;
  return `{${members}}`;
}
