'use client';

export type { AvowConsent, AvowDecision } from './banner.js';
export type { ConsentState } from './browser/consent-state.js';
export { AvowSnippet, type AvowSnippetProps } from './react/avow-snippet.js';
export { ConsentFrame, type ConsentFrameProps } from './react/consent-frame.js';
export { ConsentGate, type ConsentGateProps } from './react/consent-gate.js';
export { ConsentScript, type ConsentScriptProps } from './react/consent-script.js';
export { useConsent } from './react/use-consent.js';
