import { randomUUID } from 'node:crypto';
import { newId } from '../../server/src/domain/ids';
import { defaultSettings } from '../../server/src/domain/settings';
import type { Settings } from '../../server/src/domain/types';
import { type Client, type StatedDecision, toEntry } from '../../server/src/ingest/decision';
import type { Count, Dedupe } from '../../server/src/ingest/entries';
import { type Site, toSite } from '../../server/src/ingest/site';

const CLIENT: Client = {
  ...{ ipMasked: '203.0.***.***', userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' },
  ...{ gpc: false, recordedBy: 'visitor' },
};

/** A site of the visitor path's own; nothing of it is in the database. */
export const siteWith = (settings: Partial<Settings> = {}): Site =>
  toSite(
    {
      id: newId(),
      token: 'env_0123456789012345678901',
      status: 'active',
      domains: ['shop.example.com'],
      settings: { ...defaultSettings(), ...settings },
      settings_version: 1,
      bundles: [],
    } as unknown as Parameters<typeof toSite>[0],
    [],
  );

export const decide = (site: Site, stated: Partial<StatedDecision> = {}, dedupe?: Dedupe) =>
  toEntry(
    site,
    CLIENT,
    { session_id: randomUUID(), decision: 'accept_all', ...stated },
    { shown: site.shown, isNamed: true },
    dedupe,
  );

export const count = (count: Partial<Count> = {}): Count => ({
  at: Date.now(),
  metric: 'impression',
  key: '',
  language: 'en',
  banner_version: 1,
  device: 'desktop',
  ...count,
});
