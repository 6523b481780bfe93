import type { Site } from '../../app/data';
import { toList } from '../../app/lists';
import { useSite } from '../../app/site';
import { CodeBlock, RadioGroup, Switch, TextArea, TextField, useDraft } from '../../ui';
import { DomainProofs } from './domain-proofs';
import { Section, settingsOf } from './section';

const fromSite = (site: Site) => ({
  name: site.name,
  domain: site.domain,
  domains: site.domains.filter((one) => one !== site.domain).join('\n'),
  url: site.url,
  status: site.status,
  'settings.enforce_origin': site.settings.enforce_origin,
  'settings.linked_domains': (site.settings.linked_domains ?? []).join('\n'),
});

/** Where there are none, nothing is said of them: it would be another version of the settings. */
const linkedOf = (linked: string[], { settings }: Site) =>
  linked.length > 0 || settings.linked_domains != null
    ? { linked_domains: linked.length > 0 ? linked : null }
    : {};

/** Name, domains and status of the site. */
export function SiteSection() {
  const site = useSite();
  const draft = useDraft(fromSite(site));
  const { bind } = draft;
  return (
    <>
      <Section
        title="Site and domains"
        draft={draft}
        fromSite={fromSite}
        versionOf={(now) => ({ ...settingsOf(now), expected_revision: now.revision })}
        toPatch={({
          'settings.enforce_origin': enforce_origin,
          'settings.linked_domains': linked,
          domains,
          ...facts
        }) => ({
          ...{ ...facts, domains: toList(domains) },
          settings: { enforce_origin, ...linkedOf(toList(linked), site) },
        })}
      >
        <TextField label="Name" {...bind('name')} isRequired maxLength={200} />
        <TextField label="Domain" {...bind('domain')} isRequired />
        <TextArea label="Further domains" {...bind('domains')} description="One on each line." rows={3} />
        <TextArea
          label="Domains between which visitors take their choice along"
          {...bind('settings.linked_domains')}
          description="When they follow a link. One on each line, at least two, each one of the site’s or under one, and for itself alone; none: each domain asks for itself. Only hosts that are wholly yours: whoever has pages on one can bring a choice to the others. Not together with IAB TCF or GPP. Visitors get it when you publish the banner."
          rows={3}
        />
        <TextField label="Address" {...bind('url')} type="url" isRequired />
        <Switch
          {...bind('settings.enforce_origin')}
          label="Only these domains may send decisions"
          hint="Requests from pages of other domains are refused."
        />
        <RadioGroup
          label="State"
          {...bind('status')}
          options={[
            ['active', 'Active'],
            ['paused', 'Paused', 'Visitors’ requests are refused, and no decision is recorded.'],
            ['archived', 'Archived', 'The site has ended: like paused, and it can be deleted.'],
          ]}
        />
        <CodeBlock label="Token of the site" code={site.token} />
      </Section>
      <DomainProofs />
    </>
  );
}
