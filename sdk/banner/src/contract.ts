import type { components } from '../../../spec/generated/api.js';

type Schemas = components['schemas'];

export type Texts = Schemas['BundleTexts'];
export type Category = Schemas['BundleCategory'];
export type Vendor = Schemas['Vendor'];
export type AskedVendor = Schemas['AskedVendor'];
export type BundleVendor = Schemas['BundleVendor'];
export type Gpp = Schemas['BundleGpp'];
export type Tcf = Schemas['BundleTcf'];
export type TcfText = Schemas['TcfText'];
export type Decision = Schemas['Decision'];
export type ConsentMethod = Schemas['ConsentMethod'];
export type StatedMethod = Schemas['StatedMethod'];
export type ConsentEvent = Schemas['CompactConsent'];
export type RegionRule = Schemas['RegionRule'];
export type InteractionName = Schemas['InteractionName'];
export type ConsentLinkInput = Schemas['ConsentLinkInput'];
export type OwnChoice = Schemas['OwnChoice'];
export type Taken = Schemas['TakenConsent'];
export type Interaction = Schemas['Interaction'];
export type GoogleConsentType = Schemas['GoogleConsentType'];
