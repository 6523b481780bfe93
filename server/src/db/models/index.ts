export { ConsentRow } from './consent-row';
export { EnvironmentRow } from './environment-row';
export { FormConsentRow } from './form-consent-row';
export { MemberRow } from './member-row';
export { SettingsVersionRow } from './settings-version-row';
export { UserRow } from './user-row';
