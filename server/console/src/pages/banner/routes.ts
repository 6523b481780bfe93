import { page } from '../../app/page';

export const site = [
  page('banner', () => import('./banner')),
  page('banner/regions', () => import('./regions')),
  page('banner/by-vendor', () => import('./by-vendor')),
  page('banner/tcf', () => import('./tcf')),
  page('banner/gpp', () => import('./gpp')),
  page('banner/ab-test', () => import('../banner-test/page')),
  page('banner/auto-blocking', () => import('./auto-blocking')),
  page('banner/versions', () => import('./versions')),
  page('banner/published', () => import('./published')),
  page('banner/published/:hash', () => import('./bundle')),
];
