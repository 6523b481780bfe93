import type { ComponentType } from 'react';
import { NavLink, useParams } from 'react-router';
import { useSite } from '../../app/site';
import { Alert, Missing, PageHeader } from '../../ui';
import { ActivitiesSection } from './activities';
import { CategoriesSection } from './categories';
import { ControllerSection } from './controller';
import { EndingSection } from './ending';
import { EvidenceSection } from './evidence';
import { MailSection } from './mail';
import { MeasuresSection } from './measures';
import { PolicySection } from './policy';
import { PublicPagesSection } from './public-pages';
import { RetentionSection } from './retention';
import style from './settings.module.css';
import { SiteSection } from './site';

const SECTIONS: readonly (readonly [string, string, ComponentType])[] = [
  ['site', 'Site and domains', SiteSection],
  ['categories', 'Categories', CategoriesSection],
  ['policy', 'Policy and languages', PolicySection],
  ['pages', 'Public pages', PublicPagesSection],
  ['retention', 'Retention', RetentionSection],
  ['evidence', 'Evidence log', EvidenceSection],
  ['mail', 'Mail', MailSection],
  ['controller', 'Controller and DPO', ControllerSection],
  ['measures', 'Security measures', MeasuresSection],
  ['activities', 'Processing activities', ActivitiesSection],
  ['ending', 'Archive and delete', EndingSection],
];

/** The site's settings, one section at a time; each section is saved separately. */
export default function Settings() {
  const site = useSite();
  const { section = 'site' } = useParams();
  const found = SECTIONS.find(([key]) => key === section);
  if (found === undefined) return <Missing />;
  const [key, , Section] = found;
  return (
    <>
      <PageHeader title="Settings">
        Version {site.settings_version}. Every change makes a new version; earlier ones are kept as evidence
        of what visitors saw. The banner’s look has{' '}
        <NavLink to={site.path('banner')}>a page of its own</NavLink>.
      </PageHeader>
      {!site.may('owner') && <Alert>Only owners can change settings. You can read them.</Alert>}
      <div className={style.settings}>
        <nav aria-label="Settings" className={style.sections}>
          {SECTIONS.map(([path, name]) => (
            <NavLink
              key={path}
              to={site.path(`settings/${path}`)}
              className={path === key ? style.active : ''}
            >
              {name}
            </NavLink>
          ))}
        </nav>
        <Section key={key} />
      </div>
    </>
  );
}
