import type { Context } from '../../context';
import { logoutUri, redirectUri } from './prove';

/** What of the configuration an owner of a site is shown: nothing of other sites. */
export const siteSignOn = (context: Context, token: string) => ({
  password: context.config.passwordLogin,
  providers: [...context.providers.values()].map(({ provider }) => ({
    ...{ provider: provider.id, name: provider.name, issuer: provider.issuer, scopes: provider.scopes },
    redirect_uri: redirectUri(context, provider.id),
    logout_uri: logoutUri(context),
    back_channel_logout_uri: `${context.publicUrl()}/api/auth/sign-on/${provider.id}/logout`,
    groups_claim: provider.groupsClaim.join('.'),
    emails: provider.trustsEmails ? ('always' as const) : ('claim' as const),
    rules: provider.access.flatMap(({ group, grant }) =>
      grant?.site === token ? [{ group, role: grant.role }] : [],
    ),
  })),
});
