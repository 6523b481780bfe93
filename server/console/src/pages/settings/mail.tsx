import type { Site } from '../../app/data';
import { useSite } from '../../app/site';
import { Switch, useDraft } from '../../ui';
import { Section } from './section';

const fromSite = ({ settings }: Site) => ({
  mail_requesters: settings.mail_requesters !== false,
  verify_requesters: settings.verify_requesters === true,
});

/** Mails to people who make requests. */
export function MailSection() {
  const draft = useDraft(fromSite(useSite()), 'settings.');
  return (
    <Section
      title="Mail"
      lead="People who make requests can be told by mail, in the language of their request. The Mail page shows what was sent."
      draft={draft}
      fromSite={fromSite}
      toPatch={(settings) => ({ settings })}
    >
      <Switch
        {...draft.bind('mail_requesters')}
        label="Mail people who make requests"
        hint="When a request is received, when it takes longer and why, and when it is answered."
      />
      <Switch
        {...draft.bind('verify_requesters')}
        label="Ask people to confirm their address"
        hint="A request made online counts as identified only when the person has opened the mailed link. The deadline runs from the receipt all the same, and a request whose mail was not sent says so."
      />
    </Section>
  );
}
