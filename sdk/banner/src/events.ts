import type { AvowEvents } from '../../src/banner.js';
import { doc } from './document.js';
import { own } from './own.js';
import { safely } from './page.js';

/** Notifies the page: the data layer of tag managers, and listeners by DOM events on `document`. */
export function emit<Name extends keyof AvowEvents>(name: Name, detail: AvowEvents[Name]): void {
  const event = `avow:${name}`;
  // Frozen, so that no listener can change what the next one, or a tag manager, gets.
  for (const part of [detail, ...Object.values(detail ?? {})]) Object.freeze(part);
  pushData({ event, avow: detail });
  doc.dispatchEvent(new CustomEvent(event, { detail }));
}

export function listen(name: string, listener: (detail: never) => void): () => void {
  const event = `avow:${name}`;
  const tell = ({ detail }: CustomEventInit): void => listener(detail as never);
  doc.addEventListener(event, tell);
  return () => doc.removeEventListener(event, tell);
}

export function pushData(item: unknown): void {
  let layer = own(window, 'dataLayer');
  if (!Array.isArray(layer)) {
    if (layer || !config.google_consent_mode) return;
    (window as { dataLayer?: unknown }).dataLayer = layer = [];
  }
  // Tag managers replace `push` with a function of their own, which may throw.
  safely(() => (layer as unknown[]).push(item));
}
