import { gppOf } from './gpp/signal.js';
import { MAX_UNSENT, type Memory, read, type Waiting, write } from './memory.js';
import { json, uuid } from './page.js';
import { idsOn } from './vendors/choice.js';

const asked = config.categories.filter(({ required }) => !required).map(({ key }) => key);

/**
 * Where another subdomain has taken another decision since, it is sent once more after what waits here: the last one is
 * the last on the server, too. Without a bundle, because the banner of that page may have been another. One that allows
 * something, and is not in force here any more, would be recorded as a consent to what nobody was asked: then what waits
 * is not sent at all. Nor where that decision came by a link: the server has it, and no page can state it.
 */
export function restate(): void {
  const memory = read();
  const last = [...(memory?.unsent ?? [])].pop();
  if (!memory || !last || last.session_id !== memory.session_id) return;
  const { session_id, decision, categories, method, rule, tc, unsent } = memory;
  // All of them: what waits may be of this host, and about categories that it has no more.
  const said = { decision, ...(decision === 'save_preferences' && { allowed: allowedBy(memory) }) };
  const before = { decision: last.decision, ...(last.allowed && { allowed: [...last.allowed].sort() }) };
  const vendors =
    byVendor && memory.vendors && decision === 'save_preferences' ? idsOn(memory.vendors) : undefined;
  const isSame = json(said) === json(before) && (!byVendor || json(vendors) === json(last.allowed_vendors));
  // A string that has no place in the cookie is empty here, and in no event.
  if (isSame && (!tcf || (tc || undefined) === last.tc_string)) return;
  // A refusal of nothing is none: it is what a cookie says that has no room for a choice.
  if (
    (linked && method === 'link') ||
    ((decision !== 'reject_all' || !Object.keys(categories)[0]) && !isAsked(memory))
  ) {
    // What is stated for another session is of a decision that was made here.
    write({ ...memory, unsent: linked ? unsent.filter((one) => one.session_id !== session_id) : [] });
    return;
  }
  const event = {
    at: Date.now(),
    // The server leaves out what this banner does not ask.
    ...said,
    event_id: uuid(),
    session_id,
    banner_version: config.settings_version,
    ...(last.language && { language: last.language }),
    method,
  } as Waiting;
  if (byVendor && vendors)
    Object.assign(event, {
      allowed_vendors: vendors,
      refused_vendors: Object.keys(memory.vendors ?? {})
        .map(Number)
        .filter((id) => !vendors.includes(id)),
    });
  if (regional && rule) Object.assign(event, { rule });
  if (tcf && tc) Object.assign(event, { tc_string: tc });
  if (gpp) Object.assign(event, gppOf(categories, memory.vendors, tc));
  write({ ...memory, unsent: [...unsent, event].slice(-MAX_UNSENT) });
}

const isAsked = ({ policy_version, categories }: Memory): boolean =>
  policy_version === config.policy_version && asked.every((key) => key in categories);

const allowedBy = ({ categories }: Memory): string[] =>
  Object.keys(categories)
    .filter((key) => categories[key])
    .sort();
