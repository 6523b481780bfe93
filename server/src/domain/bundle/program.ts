import type { BundleTexts } from '../types';

/** What the product brings to every bundle: the script's program and the texts that are built in. */
export interface BannerProgram {
  /** One minified function expression `function(config,hash){…}` with its styles inside. */
  runtime: string;
  /** By language; English is always there. */
  texts: Readonly<Record<string, BundleTexts>>;
  /** Tells versions of the product apart: of program and texts. */
  digest: string;
}
