import type { AvowEvents } from '../../src/banner.js';
import { safely } from './page.js';

type Listener = (detail: never) => void;

const listeners = new Map<Listener, string>();

/** Notifies the page: its listeners, DOM events on `document`, and the data layer of tag managers. */
export function emit<Name extends keyof AvowEvents>(name: Name, detail: AvowEvents[Name]): void {
  const event = `avow:${name}`;
  // Frozen, so that no listener can change what the next one, or a tag manager, gets.
  for (const part of [detail, ...Object.values(detail ?? {})]) Object.freeze(part);
  pushData({ event, avow: detail });
  document.dispatchEvent(new CustomEvent(event, { detail }));
  for (const [listener, of] of [...listeners]) if (of === name) safely(() => listener(detail as never));
}

export function listen(name: string, listener: Listener): () => void {
  // Wrapped, because the same function may listen to several events.
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
  const { dataLayer } = page;
  // Tag managers replace `push` with a function of their own, which may throw.
  safely(() => (dataLayer as unknown[]).push(item));
}
