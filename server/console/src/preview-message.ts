import type { Schemas } from '@avow/sdk';

/** What the frame of `/console/preview` shows. */
export interface Shown {
  /** A bundle: one of `previewBundle`, or a published one. */
  script: string;
  /** The language of the page around the banner. */
  language: string;
  /** The layer to open first. */
  layer: 'banner' | 'settings';
  /** The rule for its visitor, where the site has rules by region. */
  rule?: Schemas['RegionRule'];
  /** Data that the banner would request from the server, which the frame cannot reach. */
  vendors: readonly Schemas['Vendor'][];
  texts: Readonly<Record<string, Schemas['BundleTexts']>>;
}

/** From the console to the frame. */
export interface ShowMessage {
  avowPreview: Shown;
}

/** From the frame to the console: it is ready for what to show, or shows it. */
export interface StateMessage {
  avowPreviewState: 'ready' | 'shown';
}

export const isShowMessage = (data: unknown): data is ShowMessage =>
  typeof (data as Partial<ShowMessage> | null)?.avowPreview?.script === 'string';

export const isStateMessage = (data: unknown): data is StateMessage =>
  typeof (data as Partial<StateMessage> | null)?.avowPreviewState === 'string';
