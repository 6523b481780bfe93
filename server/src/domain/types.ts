import type { components } from '../../../spec/generated/api';

type Schemas = components['schemas'];
export type Settings = Schemas['Settings'];
export type Category = Schemas['Category'];
export type Decision = Schemas['Decision'];
export type ConsentMethod = Schemas['ConsentMethod'];
export type ConsentRecord = Schemas['ConsentRecord'];
export type ReconsentReason = Schemas['ReconsentReason'];
export type Role = Schemas['Role'];
export type CategoryChoices = Record<string, boolean>;
