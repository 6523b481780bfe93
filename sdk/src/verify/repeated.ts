import { reportUnknown } from './lines.js';
import type { Report } from './report.js';
import { isObject } from './statement.js';

type Members = Record<string, unknown>;

/** Members of a receipt, with those of its sealed statement that they repeat. */
const REPEATED =
  'receipt_id=consent_id consent_id session_id decided_at=recorded_at valid_until=expires_at decision method gpc policy_version';
const NOTICE = 'language page_url';
/** Members that only the receipt says; of anything else nobody knows what it claims. */
const SAID =
  '@context @type evidence issued_at status controller lawful_basis purposes recipients notice withdrawal retention_days';
const SAID_OF_NOTICE = 'title description privacy_policy_url imprint_url bundle_url';
const OF_PURPOSE = 'key name description required consent';

/**
 * Compares what a receipt says for people and programs with the record that is proven. Reports what differs, and that the
 * rest only the receipt says. Returns whether nothing differs.
 */
export function judgeRepeated(report: Report, receipt: Members, record: Members): boolean {
  const where = 'the receipt';
  const wrong = [
    ...differing(receipt, REPEATED, record),
    ...differing(Object(receipt.notice), NOTICE, record),
    ...differingChoices(receipt, record),
  ];
  if (receipt['@type'] !== 'ConsentReceipt' || receipt.lawful_basis !== 'consent') wrong.push('lawful_basis');
  for (const name of wrong)
    report.add('record', false, `"${name}" is not what the sealed statement says`, where);
  if (wrong.length === 0)
    report.add('record', true, 'its decision, times, choices and page are the sealed ones', where);
  const others = [
    ...beyond(receipt, `${REPEATED} ${SAID}`),
    ...beyond(receipt.notice, `${NOTICE} ${SAID_OF_NOTICE}`),
    ...[receipt.purposes].flat().flatMap((one) => beyond(one, OF_PURPOSE)),
  ];
  reportUnknown(report, others, where);
  const what =
    'controller, recipients, purposes without choice, words, addresses, periods, later withdrawals';
  report.add('file', 'unproven', what, where);
  return wrong.length === 0;
}

const differing = (from: Members, names: string, record: Members): string[] =>
  names
    .split(' ')
    .map((pair) => pair.split('='))
    .filter(([name = '', sealed = name]) => !Object.hasOwn(from, name) || from[name] !== record[sealed])
    .map(([name = '']) => name);

/** The names of members that are not among these. */
function beyond(from: unknown, names: string): string[] {
  const known = names.split(/(?:=\w+)? /);
  return Object.keys(Object(from)).filter((name) => !known.includes(name));
}

/** A purpose that was not asked about has no choice; one that was has the one that is sealed. */
function differingChoices({ purposes, status }: Members, { categories }: Members): string[] {
  const choices = new Map(Object.entries(Object(categories)));
  const listed: unknown[] = [purposes].flat();
  const keys = new Set(listed.map((one) => Object(one).key));
  const isRight = (one: unknown): boolean => {
    if (!isObject(one)) return false;
    const choice = choices.get(one.key as string);
    if (one.consent === null) return choice === undefined && one.required === true;
    return one.required === false && one.consent === (choice === true ? 'given' : 'refused');
  };
  const isWhole = keys.size === listed.length && [...choices.keys()].every((key) => keys.has(key));
  const given = [...choices.values()].includes(true) ? 'given' : 'refused';
  return [
    ...(isWhole && listed.every(isRight) ? [] : ['purposes']),
    ...(status === given || status === 'withdrawn' ? [] : ['status']),
  ];
}
