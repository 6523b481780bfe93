import type { components } from '../../../spec/generated/api.js';

declare global {
  /**
   * The parameters of the function that the build makes of these modules: the server appends their values.
   */
  const config: components['schemas']['BundleConfig'];
  /** The bundle's hash; records name it as `bundle_hash`. */
  const hash: string;
}
