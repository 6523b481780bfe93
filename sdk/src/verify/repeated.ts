import { reportUnknown } from './lines.js';
import type { Report } from './report.js';
import { isObject } from './statement.js';

type Members = Record<string, unknown>;

/** Members of a receipt, with those of its sealed statement that they repeat; in the order that compresses best. */
const REPEATED =
  'policy_version linked_from decision recorded_by decided_at=recorded_at method valid_until=expires_at consent_id receipt_id=consent_id region gpc session_id rule';
const NOTICE = 'language page_url';
/** Members that only the receipt says; of anything else nobody knows what it claims. */
const SAID =
  '@context @type evidence issued_at status controller lawful_basis purposes recipients notice withdrawal retention_days';
const SAID_OF_NOTICE = 'title description privacy_policy_url imprint_url bundle_url';
const OF_PURPOSE = 'key name description required consent';
const OF_RECIPIENT = 'id name categories privacy_policy_url country consent';

/**
 * Compares what a receipt says for people and programs with the record that is proven. Reports what differs, and that the
 * rest only the receipt says. Returns whether nothing differs.
 */
export function judgeRepeated(report: Report, receipt: Members, record: Members): boolean {
  const where = 'the receipt';
  const wrong = [
    // Receipts from before this member have none.
    ...differing({ recorded_by: record.recorded_by, ...receipt }, REPEATED, record),
    ...differing(Object(receipt.notice), NOTICE, record),
    ...differingChoices(receipt, record),
  ];
  if (receipt['@type'] !== 'ConsentReceipt' || receipt.lawful_basis !== basisOf(record))
    wrong.push('lawful_basis');
  for (const name of wrong)
    report.add('record', false, `"${name}" is not what the sealed statement says`, where);
  if (wrong.length === 0)
    report.add('record', true, 'its decision, times, choices and page are the sealed ones', where);
  const others = [
    ...beyond(receipt, `${REPEATED} ${SAID}`),
    ...beyond(receipt.notice, `${NOTICE} ${SAID_OF_NOTICE}`),
    ...[receipt.purposes].flat().flatMap((one) => beyond(one, OF_PURPOSE)),
    ...[receipt.recipients].flat().flatMap((one) => beyond(one, OF_RECIPIENT)),
  ];
  reportUnknown(report, others, where);
  const what = 'controller, recipients, words, purposes without choice, later withdrawals, and all else';
  report.add('file', 'unproven', what, where);
  return wrong.length === 0;
}

/** A member is missing where the record has none. */
const differing = (from: Members, names: string, record: Members): string[] =>
  names.split(' ').flatMap((pair) => {
    const [name = '', sealed = name] = pair.split('=');
    return from[name] === record[sealed] ? [] : name;
  });

/** The names of members that are not among these. */
function beyond(from: unknown, names: string): string[] {
  // A text where an object should be says something itself, not each of its characters.
  if (typeof from === 'string') return [from];
  const known = names.split(/(?:=\w+)? /);
  return Object.keys(Object(from)).filter((name) => !known.includes(name));
}

/** By a rule under which nobody is asked, what is allowed is no consent. */
const basisOf = ({ rule = 'opt_in' }: Members): string | null => (rule === 'opt_in' ? 'consent' : null);

/** Each choice that is sealed is listed once and as it is, and no other; of what was not asked about there is none. */
function differingChoices(receipt: Members, record: Members): Iterable<string> {
  const wrong = new Set<string>();
  let given = 'refused';
  const judge = (name: string, key: string, sealed: unknown, isRequired?: true): void => {
    const left = new Map<unknown, unknown>();
    for (const [id, choice] of Object.entries(isObject(sealed) ? sealed : {})) {
      if (choice === true) given = 'given';
      left.set(isRequired ? id : +id, choice === true ? 'given' : choice === false ? 'refused' : choice);
    }
    for (const item of [receipt[name]].flat()) {
      const { [key]: id, consent, required } = Object(item);
      const choice = left.get(id);
      const isAsked = choice !== undefined;
      const expected = isAsked ? choice : isRequired && null;
      if (consent !== expected || required !== (isRequired && !isAsked)) wrong.add(name);
      // Listed once more, it is wrong: nothing is the same as this.
      if (id !== undefined) left.set(id, Number.NaN);
    }
    for (const choice of left.values()) if (choice) wrong.add(name);
  };
  judge('purposes', 'key', record.categories, true);
  judge('recipients', 'id', record.vendors);
  if (receipt.status !== given && receipt.status !== 'withdrawn') wrong.add('status');
  return wrong;
}
