import type { BundleConfig, BundleOptions } from '../types';

/** What was chosen for a bundle. */
export const optionsOf = ({ config }: { config: BundleConfig }): Required<BundleOptions> => ({
  languages: config.languages,
  texts: Object.keys(config.texts).length > 1 ? 'all' : 'default',
  layout: config.layout,
  position: config.position,
  theme: config.theme,
  control: config.control,
});
