import { useState } from 'react';
import { keys, useAction, useAnswer } from '../../app/data';
import { describe } from '../../app/errors';
import { useSite } from '../../app/site';
import { Alert, Button, ConfirmDialog } from '../../ui';
import { nextVersion } from './next-version';

/** When the banner names vendors that earlier visitors were not asked about: why, and a button to ask everybody. */
export function AskAgain() {
  const site = useSite();
  const warning = site.warnings.find(({ code }) => code === 'ask_again');
  const [isAsking, ask] = useState(false);
  const { token, settings, settings_version: expected_settings_version } = site;
  const policy_version = nextVersion(settings.policy_version);
  const test = useAnswer(
    keys.site(token, 'banner-test'),
    (api, signal) => api.getBannerTest({ token }, { signal }),
    { enabled: isAsking },
  );
  const failure = test.error === null || test.isFetching ? undefined : describe(test.error);
  const renew = useAction(
    async (api) => {
      await api.updateEnvironment({
        token,
        body: { settings: { policy_version }, expected_settings_version },
      });
      return api.generateBundle({ token });
    },
    {
      success: 'The banner is published: every visitor is asked again.',
      changes: [keys.site(token), keys.sites],
      onDone: () => ask(false),
    },
  );
  if (warning === undefined) return null;
  return (
    <Alert tone="warn" title="Not everybody was asked">
      <div className="stack">
        <p>{warning.message}</p>
        {site.may('owner') && (
          <div className="row">
            <Button onPress={() => ask(true)}>Ask everybody again</Button>
          </div>
        )}
      </div>
      <ConfirmDialog
        isOpen={isAsking}
        title="Ask every visitor again?"
        confirm="Ask everybody"
        action={renew}
        // What it would end is said first, or that nobody knows.
        isDisabled={test.isFetching}
        onConfirm={() => renew.run(undefined)}
        onCancel={() => ask(false)}
      >
        <p>
          The version of the privacy policy becomes {policy_version}, and a banner with the saved settings is
          published. Earlier decisions stay on record, and end as soon as their visitors come back.
        </p>
        {test.data?.state === 'running' && (
          <p>
            An A/B test is running: this ends it
            {settings.banner_test == null ? '.' : ' and starts a new one, which counts from zero.'} Its
            figures stay readable.
          </p>
        )}
        {failure !== undefined && (
          <Alert tone="warn" title="It could not be read whether an A/B test is running" live>
            {failure.text} If one is running, this ends it.
          </Alert>
        )}
        <p className="muted">
          It is needed when a vendor or a purpose was added that needs consent, and not when one was removed,
          or when only words or colours were changed. A new category is asked about anyway.
        </p>
      </ConfirmDialog>
    </Alert>
  );
}
