import type { Schemas } from '@avow/sdk';

/** What the frame of `/console/preview` is to show. */
export interface Shown {
  /** A bundle: of `previewBundle`, or one that was published. */
  script: string;
  /** The language that the page around the banner has. */
  language: string;
  /** Which layer is open at first. */
  layer: 'banner' | 'settings';
  /** What the banner would ask the server for: the frame reaches none. */
  vendors: readonly Schemas['Vendor'][];
  texts: Readonly<Record<string, Schemas['BundleTexts']>>;
}

/** From the console to the frame. */
export interface ShowMessage {
  avowPreview: Shown;
}

/** From the frame to the console: it waits for what to show, or shows it. */
export interface StateMessage {
  avowPreviewState: 'ready' | 'shown';
}

export const isShowMessage = (data: unknown): data is ShowMessage =>
  typeof (data as Partial<ShowMessage> | null)?.avowPreview?.script === 'string';

export const isStateMessage = (data: unknown): data is StateMessage =>
  typeof (data as Partial<StateMessage> | null)?.avowPreviewState === 'string';
