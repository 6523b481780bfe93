import { useSite } from '../../app/site';
import { SubNav } from '../../ui/sub-nav';

/** The navigation between the banner's pages. */
export function BannerSections() {
  const { path } = useSite();
  return (
    <SubNav
      label="Banner"
      links={[
        [path('banner'), 'Design and texts'],
        [path('banner/regions'), 'Regions'],
        [path('banner/by-vendor'), 'Vendors'],
        [path('banner/tcf'), 'IAB TCF'],
        [path('banner/gpp'), 'IAB GPP'],
        [path('banner/ab-test'), 'A/B test'],
        [path('banner/auto-blocking'), 'Auto-blocking'],
        [path('banner/published'), 'Published banners'],
        [path('banner/versions'), 'Earlier settings'],
      ]}
    />
  );
}
