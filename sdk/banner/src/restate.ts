import { isKnown } from './consent.js';
import type { ConsentEvent } from './contract.js';
import { type Memory, read, write } from './memory.js';
import { json, pageUrl, uuid } from './page.js';

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
  if (json(said) === json(before) && tc === last.tc_string) return;
  const event = {
    ...said,
    event_id: uuid(),
    session_id,
    language: last.language,
    page_url: pageUrl(),
    method,
  } as ConsentEvent;
  if (regional && rule) Object.assign(event, { rule });
  if (tcf && tc) Object.assign(event, { tc_string: tc });
  write({ ...memory, unsent: [...unsent, event] });
}

const allowedBy = ({ categories }: Memory): string[] =>
  Object.keys(categories)
    .filter((key) => categories[key] && isKnown(key))
    .sort();
