import type { Knex } from 'knex';
import { BundleRow } from '../../db/models';
import { canonicalText } from '../../domain/ledger/statement';
import type { PackedFile } from './zip';

/** A file whose content is small enough to be in memory. */
export interface WholeFile {
  path: string;
  content: string | Buffer;
}

/** What a bundle showed: the banner's very bytes, and the texts and vendors that it loads when it needs them. */
export async function bundleFiles(db: Knex, environmentId: string, hash: string): Promise<WholeFile[]> {
  const row = await BundleRow.query(db)
    .findById([environmentId, hash])
    .select('script', 'texts', 'vendors', 'config');
  if (row === undefined) return [];
  return [
    { path: `bundles/${hash}.js`, content: row.script },
    { path: `bundles/${hash}.texts.json`, content: canonicalText(row.texts) },
    { path: `bundles/${hash}.vendors.json`, content: canonicalText(row.vendors) },
    { path: `bundles/${hash}.settings.json`, content: canonicalText(row.config) },
  ];
}

export const packed = ({ path, content }: WholeFile): PackedFile => ({ name: path, content: [content] });
