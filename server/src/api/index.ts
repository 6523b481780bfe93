import { acceptInvitation, changePassword, getMe, login, revokeTokens } from './auth';
import { eraseSession, exportConsents, getConsent, listConsents, logConsent } from './consents';
import { createEnvironment, getEnvironment, listEnvironments, updateEnvironment } from './environments';
import { listFormConsents, recordFormConsent } from './form-consents';
import type { Handlers } from './handler';
import { addMember, listMembers, removeMember } from './members';
import { getPreferences, savePreferences } from './preferences';
import { recordImpression, recordVisitorConsent, recordVisitorEvents } from './visitor';

/** Every operation of the contract and the function that answers it. */
export const handlers: Handlers = {
  acceptInvitation,
  addMember,
  changePassword,
  createEnvironment,
  eraseSession,
  exportConsents,
  getConsent,
  getEnvironment,
  getMe,
  getPreferences,
  listConsents,
  listEnvironments,
  listFormConsents,
  listMembers,
  logConsent,
  login,
  recordFormConsent,
  recordImpression,
  recordVisitorConsent,
  recordVisitorEvents,
  removeMember,
  revokeTokens,
  savePreferences,
  updateEnvironment,
};
