/** Whether a host is a domain, or under it. */
const isUnder = (host: string, domain: string): boolean => `.${host}`.endsWith(`.${domain}`);

/** Whether a host is one that takes choices along, and takes them over. */
export const isLinked = (host: string): boolean => (config.links ?? []).some((one) => isUnder(host, one));

/** Whether a page of another host, to which an address leads, is to know this visitor's choice, and knows it by no cookie. */
export const leads = ({ protocol, hostname }: Pick<URL, 'protocol' | 'hostname'>): boolean => {
  const domain = shares && config.cookie?.domain;
  return (
    hostname !== location.hostname &&
    // To nowhere that is less safe: browsers send no referrer there either.
    (protocol === 'https:' || protocol === location.protocol) &&
    isLinked(hostname) &&
    isLinked(location.hostname) &&
    !(domain && isUnder(hostname, domain) && isUnder(location.hostname, domain))
  );
};
