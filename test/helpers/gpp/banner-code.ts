import type * as Code from '../../../sdk/banner/src/gpp/encode';
import { loadCode } from '../banner/load-code';

/** What the banner writes GPP strings with. */
export const { US_SECTIONS, sectionOf, segmentsOf, encodeSection, encodeGpp } =
  loadCode<typeof Code>('gpp/encode.ts');
