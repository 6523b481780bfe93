import type { operations } from '../../../spec/generated/api';
import type { BundleRow, EnvironmentRow } from '../db/models';
import { addressesOf } from '../domain/banner/snippet';
import { type Stubs, stubPartsOf, stubsFor } from '../domain/banner/sources';
import type { Bundle } from '../domain/types';

type BundleRecord = operations['getBundleRecord']['responses'][200]['content']['application/json']['data'];

/** Whose bundle it is, where this server is reached, and what pages hold of its program themselves. */
export interface BundleOwner {
  server: string;
  stubs: Stubs;
  environment: Pick<EnvironmentRow, 'token' | 'bundles'>;
}

/** A bundle as the API shows it. */
export function toBundle(row: BundleRow, { server, stubs, environment }: BundleOwner): Bundle {
  const { hash, integrity, bytes, gzip_bytes, config, warnings } = row;
  return {
    ...addressesOf(server, environment.token, row, stubsFor(stubs, config)),
    stub_parts: stubPartsOf(config),
    integrity,
    hash,
    bytes,
    gzip_bytes,
    version: row.settings_version,
    languages: config.languages,
    created_at: row.created_at.toISOString(),
    published_at: row.published_at.toISOString(),
    current: isShown(environment, hash),
    ...(config.test && { test_version: config.test.version }),
    warnings,
  };
}

/** Whether visitors are shown a bundle: the present one, and beside it version B of its test. */
const isShown = ({ bundles: [present, next] }: BundleOwner['environment'], hash: string): boolean =>
  hash === present?.hash || (present?.test !== undefined && hash === next?.hash);

export const toRecord = (row: BundleRow, owner: BundleOwner): BundleRecord => ({
  ...toBundle(row, owner),
  config: row.config,
});
