/** Hosts that are known, put in by the build: the vendor, what its hosts are for, and the hosts. */
declare const KNOWN_HOSTS: readonly [vendor: string, category: string, hosts: string[]][];

interface Window {
  /** Opens the panel. */
  avowDebug?: () => void;
}
