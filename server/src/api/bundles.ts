import { unavailable } from '../errors';
import type { Handlers } from './handler';

const later = async (): Promise<never> => {
  throw unavailable('Bundles are not served yet.');
};

export const bundles: Pick<
  Handlers,
  | 'generateBundle'
  | 'previewBundle'
  | 'listBundles'
  | 'getBundleRecord'
  | 'getBundle'
  | 'getBundleVersion'
  | 'getBundleTexts'
  | 'getBundleVendors'
  | 'listScans'
> = {
  generateBundle: later,
  previewBundle: later,
  listBundles: later,
  getBundleRecord: later,
  getBundle: later,
  getBundleVersion: later,
  getBundleTexts: later,
  getBundleVendors: later,
  listScans: later,
};
