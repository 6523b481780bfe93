export type { AvowConsent, AvowDecision } from './banner.js';
export type { ConsentState } from './browser/consent-state.js';
export { ConsentFrame, type ConsentFrameProps } from './vue/consent-frame.js';
export { ConsentGate, type ConsentGateProps, type ConsentGateSlots } from './vue/consent-gate.js';
export { ConsentScript, type ConsentScriptProps } from './vue/consent-script.js';
export { useConsent } from './vue/use-consent.js';
