import type { ConsentEvent, ConsentMethod, Decision } from './contract.js';
import { preview } from './page.js';

/**
 * The one item that is kept in the visitor's browser, strictly necessary to remember the choice (ePrivacy
 * Art. 5(3)).
 */
export interface Memory {
  session_id: string;
  decision: Decision;
  /** Optional categories only. */
  categories: Record<string, boolean>;
  method: ConsentMethod;
  policy_version: string;
  /** Milliseconds since 1970. */
  at: number;
  /** Decisions that the server has not confirmed, oldest first. */
  unsent: ConsentEvent[];
}

export const KEY = `avow:${config.token}`;

/** Anything else that the page has stored under this name is ignored. */
const UUID = /^[0-9a-f-]{36}$/;

let memory: Memory | null = null;
/** False once storage has failed: it may then be older than what is known here. */
let usable = !preview;

export function read(): Memory | null {
  try {
    if (usable) memory = parse(localStorage.getItem(KEY));
  } catch {
    usable = false;
  }
  return memory;
}

/** Keeps it for this page view at least, when storage is disabled or full. */
export function write(next: Memory): void {
  memory = next;
  try {
    if (usable) keep(JSON.stringify(next));
  } catch {
    usable = false;
  }
}

/**
 * A full storage may lose the decision, but must never restore an older one: that would undo a withdrawal.
 */
function keep(text: string): void {
  try {
    localStorage.setItem(KEY, text);
  } catch {
    localStorage.removeItem(KEY);
    localStorage.setItem(KEY, text);
  }
}

function parse(text: string | null): Memory | null {
  // Not left to the parser: an exception costs a slow phone more than all the rest of this.
  if (!text) return null;
  try {
    const value = JSON.parse(text) as Memory;
    return UUID.test(value.session_id) &&
      value.at > 0 &&
      Object(value.categories) === value.categories &&
      Array.isArray(value.unsent)
      ? value
      : null;
  } catch {
    return null;
  }
}
