import { isKnown } from './consent.js';
import type { ConsentEvent } from './contract.js';
import { type Memory, read, write } from './memory.js';
import { json, pageUrl, uuid } from './page.js';
import { idsOn } from './vendors/choice.js';

/**
 * Where another subdomain has taken another decision since, it is sent once more after what waits here: the last one is
 * the last on the server, too. Without a bundle, because the banner of that page may have been another.
 */
export function restate(): void {
  const memory = read();
  const last = [...(memory?.unsent ?? [])].pop();
  if (!memory || !last || last.session_id !== memory.session_id) return;
  const { session_id, decision, method, rule, tc, unsent } = memory;
  const said = { decision, ...(decision === 'save_preferences' && { allowed: allowedBy(memory) }) };
  const before = { decision: last.decision, ...(last.allowed && { allowed: [...last.allowed].sort() }) };
  const vendors =
    byVendor && memory.vendors && decision === 'save_preferences' ? idsOn(memory.vendors) : undefined;
  const isSame = json(said) === json(before) && (!byVendor || json(vendors) === json(last.allowed_vendors));
  if (isSame && tc === last.tc_string) return;
  const event = {
    ...said,
    event_id: uuid(),
    session_id,
    language: last.language,
    page_url: pageUrl(),
    method,
  } as ConsentEvent;
  if (byVendor && vendors) Object.assign(event, { allowed_vendors: vendors });
  if (regional && rule) Object.assign(event, { rule });
  if (tcf && tc) Object.assign(event, { tc_string: tc });
  write({ ...memory, unsent: [...unsent, event] });
}

const allowedBy = ({ categories }: Memory): string[] =>
  Object.keys(categories)
    .filter((key) => categories[key] && isKnown(key))
    .sort();
