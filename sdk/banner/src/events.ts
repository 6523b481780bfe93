import type { AvowEvents } from '../../src/banner.js';
import { safely } from './page.js';

type Listener = (detail: never) => void;

const listeners = new Map<Listener, string>();

/** Tells the page: its listeners, DOM events on `document`, and the data layer of tag managers. */
export function emit<Name extends keyof AvowEvents>(name: Name, detail: AvowEvents[Name]): void {
  const event = `avow:${name}`;
  // Tag managers keep what is pushed: a copy, so that a later listener's change does not show there.
  pushData({ event, avow: detail && { ...detail } });
  document.dispatchEvent(new CustomEvent(event, { detail }));
  for (const [listener, of] of [...listeners]) if (of === name) safely(() => listener(detail as never));
}

export function listen(name: string, listener: Listener): () => void {
  // Wrapped: the same function may listen to several events.
  const wrapped: Listener = (detail) => listener(detail);
  listeners.set(wrapped, name);
  return () => listeners.delete(wrapped);
}

export function pushData(item: unknown): void {
  const page = window as { dataLayer?: unknown };
  if (!Array.isArray(page.dataLayer)) {
    if (page.dataLayer || !config.google_consent_mode) return;
    page.dataLayer = [];
  }
  (page.dataLayer as unknown[]).push(item);
}
